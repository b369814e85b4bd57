"""Where cells lie: in rows of STRIDE with a margin around the largest board.

Every size has the same steps from cell to cell, and updates run over the edge instead of looking
for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel
from engines.kit import MAX_SIZE

int64: Any = np.int64
"""What kernels count in. Calls of recursive kernels need it around literals: a bare one makes numba
compile a second version, and loading that from the cache ends the process."""

MARGIN = 5
STRIDE = MAX_SIZE + 2 * MARGIN
CELLS = STRIDE * STRIDE
STEPS = np.array([1, STRIDE, STRIDE + 1, STRIDE - 1])
OFFSETS = np.array([s * step for step in STEPS for k in range(1, 6) for s in (-k, k)])
"""Direction * 10 + slot -> the way to that neighbour; slots as in the shape table's keys."""


def cell_of(move: int, size: int) -> int:
    """A move of the game, counted row by row -> a cell of the record."""
    return (move // size + MARGIN) * STRIDE + move % size + MARGIN


def move_of(cell: int, size: int) -> int:
    """The mirror of `cell_of`."""
    return (cell // STRIDE - MARGIN) * size + cell % STRIDE - MARGIN


@kernel
def on_board(b: Any, cell: int) -> bool:
    """Whether the cell is one of the board of `b.size` rows."""
    row, column = cell // STRIDE - MARGIN, cell % STRIDE - MARGIN
    return 0 <= row < b.size and 0 <= column < b.size
