"""Grids of cells, on which records keep boards of any size up to MAX_SIZE.

Each family of boards has its own grid, under the same names: STRIDE is the number of cells from
one row to the next, CELLS the number of all cells, on the board and off it, and STEPS are the ways
from a cell to the next along a row, a column, a diagonal and an antidiagonal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.game import Move


@dataclass(frozen=True)
class Grid:
    """A numbering of cells, row by row; `first` is the cell of a game's move 0."""

    stride: int
    first: int

    def cell_of(self, move: Move, size: int) -> int:
        return self.first + move // size * self.stride + move % size

    def move_of(self, cell: int, size: int) -> Move:
        row, column = divmod(cell - self.first, self.stride)
        return row * size + column


def stone_keys(cells: int) -> NDArray[np.int64]:
    """Zobrist keys of the stones: a random word for each side * cells + cell."""
    return np.random.default_rng(5).integers(-1 << 63, 1 << 63, size=2 * cells)
