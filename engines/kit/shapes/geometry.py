"""The grid of the shapes' boards: a margin on all sides, so that updates may run over the edge."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Any

import numpy as np

from arena.game import Move
from arena.jit import kernel

from .. import MAX_SIZE
from ..grid import Grid

int64: Any = np.int64
"""The integer type of kernels. Calls of recursive kernels need it around literals: a bare one makes
numba compile a second version, and loading that from the cache ends the process."""
uint64: Any = np.uint64
"""The type of indices where signs would cost time; literals beside it need it, or become floats."""

MARGIN = 5
"""Number of rows and columns off the board on each side of it."""
STRIDE = MAX_SIZE + 2 * MARGIN
CELLS = STRIDE * STRIDE
STEPS = np.array([1, STRIDE, STRIDE + 1, STRIDE - 1])
OFFSETS = np.array([s * step for step in STEPS for k in range(1, 6) for s in (-k, k)])
"""The ways to a cell's neighbours, by direction * 10 + slot; slots as in the shape table's keys."""

GRID = Grid(STRIDE, first=MARGIN * STRIDE + MARGIN)
cell_of, move_of = GRID.cell_of, GRID.move_of


def moves_of(cells: Iterable[int], size: int) -> tuple[Move, ...]:
    """The moves of a line of play: of its cells up to the first 0."""
    return tuple(move_of(int(cell), size) for cell in takewhile(int, cells))


@kernel
def on_board(b: Any, cell: int) -> bool:
    """True if the cell is one of the board of `b.size` rows."""
    row, column = cell // STRIDE - MARGIN, cell % STRIDE - MARGIN
    return 0 <= row < b.size and 0 <= column < b.size
