"""Zobrist keys: a position's number is the exclusive or of its stones' numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def random_words(count: int) -> npt.NDArray[np.int64]:
    """The same well-mixed 64-bit numbers in every process (splitmix64)."""
    with np.errstate(over="ignore"):
        z = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))).view(np.int64)
