"""The kernels that read packed columns of many games at once, for `packed.choice_numbers`.

They take a quarter of the time, but numba takes over half a second to load. So this module is
imported only where there are games enough to win it back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.jit import kernel

Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]

BYTE = 8


@kernel
def read_heads(data: Bytes, sizes: Integers, head: int, most_bits: int, counts: Integers) -> bool:
    """Read the number of choices in each column; False if one is not as many bytes as it tells."""
    start = 0
    for i in range(len(sizes)):
        size = sizes[i]
        if size:
            if size < head or data[start] > most_bits:
                return False
            counts[i] = np.int64(data[start + 1]) << BYTE | np.int64(data[start + 2])
            full = (np.int64(data[start]) * counts[i] + BYTE - 1) // BYTE
            if not counts[i] or size != head + full:
                return False
        start += size
    return True


@kernel
def read_numbers(
    data: Bytes, sizes: Integers, head: int, counts: Integers, values: Integers
) -> None:
    """Read the numbers of all columns, whose bytes are shifted into a word as they are needed."""
    start, done = 0, 0
    for i in range(len(sizes)):
        if counts[i]:
            bits, at = np.int64(data[start]), start + head
            mask, word, left = (np.int64(1) << bits) - 1, np.int64(0), np.int64(0)
            for _ in range(counts[i]):
                while left < bits:
                    # What was read before is shifted out at the top.
                    word, left = word << BYTE | np.int64(data[at]), left + BYTE
                    at += 1
                left -= bits
                values[done] = word >> left & mask
                done += 1
        start += sizes[i]
