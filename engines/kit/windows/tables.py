"""Windows of five cells: their places on the grid, and the worth of their stones.

A score is a sum over all windows of a value that depends on the window's stones alone. So a stone
at an empty cell changes the score by its *gain* there, and playing it changes the gains of the
four nearest cells both ways in each direction, by amounts that depend on these eight cells alone.

Gains come in pairs, for a stone of either side, each from that side's point of view: the one of
side 0, which moves at the root, in the low half of an int64, the one of side 1 in the high half.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.jit import kernel

from .. import MAX_SIZE
from ..grid import Grid

STRIDE = MAX_SIZE + 4
"""Four cells off the board end each row and begin the next."""
CELLS = MAX_SIZE * STRIDE
WORDS = (CELLS + 63) // 64
"""Number of 64-bit words that hold one bit a cell."""
STEPS = (1, STRIDE, STRIDE + 1, 1 - STRIDE)
PADDING = 4 * (STRIDE + 1)
"""Number of cells before the first and after the last that lie within four steps of the board."""

# Two bits a cell. A wall is 0, so that shifting zeros into a line puts walls at its end.
WALL, OWN, OTHER, EMPTY = range(4)
FLIP = np.array((EMPTY ^ OWN, EMPTY ^ OTHER), np.uint64)
"""The bits that turn an empty cell into a side's stone, and back."""
CODE = np.uint64(1023)
"""The bits of a window's code."""

rows, columns = np.divmod(np.arange(CELLS), STRIDE)
LINES = 6 * MAX_SIZE - 2
four_lines = (
    rows,
    columns + MAX_SIZE,
    rows - columns + 3 * MAX_SIZE - 1,
    rows + columns + 4 * MAX_SIZE - 1,
)
LINE_OF = np.stack(four_lines, axis=1).astype(np.uint64).ravel()
"""The line of each cell in each of the four directions."""
SHIFT_OF = 2 * np.stack((columns, rows, columns, columns), axis=1).astype(np.uint64).ravel()
"""The shift of that line that brings the cells from four before this one on to its low end."""

NEIGHBOURHOODS = 1 << 16
"""Number of states of the eight nearest cells in a line, the cell itself left out."""
AROUND = np.arange(NEIGHBOURHOODS) & 0xFF | (np.arange(NEIGHBOURHOODS) & 0xFF00) << 2
"""Each neighbourhood as eighteen bits of a line, the cell itself in the middle."""


def neighbourhoods_on_a_line() -> NDArray[np.intp]:
    """The neighbourhoods that lines have: only walls follow a wall."""
    walls = np.arange(NEIGHBOURHOODS)[:, None] >> np.arange(0, 16, 2) & 3 == WALL
    outward = np.concatenate((walls[:, 3::-1], walls[:, 4:]), axis=1).reshape(-1, 2, 4)
    return np.flatnonzero((outward[..., :-1] <= outward[..., 1:]).all((1, 2)))


ON_A_LINE = neighbourhoods_on_a_line()

GRID = Grid(STRIDE, first=0)
cell_of, move_of = GRID.cell_of, GRID.move_of


def board_flags(size: int) -> NDArray[np.bool_]:
    """A flag for each cell: true on the board of size x size."""
    flags: NDArray[np.bool_] = (rows < size) & (columns < size)
    return flags


def word_set(cells: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """One bit a cell: the last axis, CELLS or fewer flags, becomes WORDS words."""
    padding = [(0, 0)] * (cells.ndim - 1) + [(0, 64 * WORDS - cells.shape[-1])]
    return np.packbits(np.pad(cells, padding), axis=-1, bitorder="little").view(np.uint64)


@lru_cache(maxsize=8)
def near_cells(size: int, radius: int) -> NDArray[np.uint64]:
    """The other cells of the board within a square of this radius of each cell: CELLS x WORDS."""
    near = np.abs(rows[:, None] - rows) <= radius
    near &= np.abs(columns[:, None] - columns) <= radius
    near &= ~np.eye(CELLS, dtype=np.bool_)
    return word_set(near & board_flags(size) & board_flags(size)[:, None])


@lru_cache(maxsize=8)
def empty_lines(size: int) -> NDArray[np.uint64]:
    """The words of all lines of an empty board, two bits a cell, four walls first."""
    lines = np.zeros(LINES, np.uint64)
    for row, column in np.ndindex(size, size):
        at = 4 * (row * STRIDE + column)
        for line, shift in zip(LINE_OF[at : at + 4], SHIFT_OF[at : at + 4], strict=True):
            lines[line] |= np.uint64(EMPTY) << (shift + np.uint64(8))
    return lines


def window_scores(
    own: Sequence[int], other: Sequence[int], other_centred_three: int
) -> NDArray[np.int64]:
    """The score of each window code: ten bits, two a cell.

    `own` and `other` are the values of one to five stones; other's are taken off.
    """
    cells = np.arange(1 << 10)[:, None] >> np.arange(0, 10, 2) & 3
    mine, theirs = (cells == OWN).sum(1), (cells == OTHER).sum(1)
    scores = np.array((0, *own))[mine] - np.array((0, *other))[theirs]
    scores[(cells == (EMPTY, OTHER, OTHER, OTHER, EMPTY)).all(1)] = -other_centred_three
    scores[(cells == WALL).any(1) | ((mine > 0) & (theirs > 0))] = 0
    return scores


def window_gains(scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """The pair of gains of each cell of each window code: 1024 x 5; none where no cell is empty."""
    codes = np.arange(1 << 10)[:, None]
    shifts = np.arange(0, 10, 2)
    low = scores[codes ^ int(FLIP[0]) << shifts] - scores[codes]
    high = scores[codes] - scores[codes ^ int(FLIP[1]) << shifts]
    return np.where(codes >> shifts & 3 == EMPTY, low + (high << 32), 0)


@kernel
def add_neighbour_effects(effects: Any, gains: Any) -> None:
    """Add a stone's changes of its eight neighbours' gains: side x neighbourhood x 8, ravelled.

    Neighbourhoods that no line has keep their zeros: most of the memory is never touched.
    """
    for side in range(2):
        for around in ON_A_LINE:
            row = np.uint64(8 * (side * NEIGHBOURHOODS + around))
            for window in range(5):
                before = np.uint64(AROUND[around] | EMPTY << 8) >> np.uint64(2 * window) & CODE
                after = before ^ FLIP[side] << np.uint64(8 - 2 * window)
                for cell in range(5):
                    lane = window + cell
                    if lane != 4:
                        change = gains[after, np.uint64(cell)] - gains[before, np.uint64(cell)]
                        effects[row + np.uint64(lane - (lane > 4))] += change


@lru_cache(maxsize=1)
def fives() -> NDArray[np.uint8]:
    """Bits of each neighbourhood: bit 0 if side 0's stone makes five or more, bit 1 if side 1's."""
    made = np.zeros(NEIGHBOURHOODS, np.uint8)
    for side, stone in enumerate((OWN, OTHER)):
        line = AROUND | stone << 8
        five = sum(stone << shift for shift in range(0, 10, 2))
        for window in range(5):
            made |= (line >> 2 * window & 1023 == five).astype(np.uint8) << side
    return made


def empty_gains(size: int, gains: NDArray[np.int64]) -> NDArray[np.int64]:
    """The pair of gains of each cell of an empty board, PADDING cells before and after."""
    board = np.zeros(CELLS + 2 * PADDING, np.int64)
    board[PADDING:-PADDING][board_flags(size)] = gains[empty_windows(size), 4 - np.arange(5)].sum(
        (1, 2)
    )
    return board


@lru_cache(maxsize=8)
def empty_windows(size: int) -> NDArray[np.uint64]:
    """The codes of the five windows around each cell of an empty board: cell x direction x 5."""
    at = 4 * np.flatnonzero(board_flags(size))[:, None] + np.arange(4)
    around = empty_lines(size)[LINE_OF[at]] >> SHIFT_OF[at]
    return around[..., None] >> np.arange(0, 10, 2, dtype=np.uint64) & CODE
