"""The slow solver's board: rows of five, found by looking through windows, and renju's rules."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np

from arena.game import Position
from arena.games.gomoku import Gomoku
from arena.jit import kernel

INF = np.int64(1 << 40)
NONE, ONE = np.int64(0), np.int64(1)
"""Numbers of the type that recursive kernels are called with: a literal is another type."""
ENTRIES = 1 << 20
OFF = 3
MARGIN = 6
LENGTH, STEPS, ALLOWED, CUT, FOURS_STEPS, FOURS_ALLOWED, TOP, SHORT = range(8)
"""Numbers: of moves in `path`; steps of the search, and those allowed; 1 if a search for fours was
cut off; its steps, and those allowed; moves on the list; 1 if more fours might win."""


class Solving(NamedTuple):
    """All that the kernels share."""

    cells: Any  # 0, 1, 2, or OFF; `stride` cells a row, with a margin
    stride: int
    windows: Any  # each row: the five cells of a window on the board
    through: Any  # for each cell, the numbers of its windows; -1 at the end
    exact: Any  # for each player, 1 if six in a row are no five
    forbids: int  # 1: renju's rules for Black
    keys: Any  # random numbers by cell and player
    tried: Any  # keys of searches for fours that failed
    tried_fours: Any  # with so many fours
    path: Any  # the moves of the last win by fours: stone, reply, ..., stone, five, five
    numbers: Any  # counters, by the names above
    known: Any  # keys of positions
    proof: Any
    disproof: Any
    list: Any  # a stack of moves
    marks: Any  # of cells, 0 but while a list is made


@kernel
def run(s: Any, cell: int, step: int, who: int) -> int:
    """The length of the row that a stone on the cell is part of, or would be, in one direction."""
    length = 1
    for way in (step, -step):
        other = cell + way
        while s.cells[other] == who:
            length += 1
            other += way
    return length


@kernel
def makes_row(s: Any, cell: int, who: int) -> bool:
    """True if a stone on the cell makes five."""
    for step in (1, s.stride, s.stride + 1, s.stride - 1):
        length = run(s, cell, step, who)
        if length == 5 or (length > 5 and not s.exact[who]):
            return True
    return False


@kernel
def completing_cell(s: Any, w: int, who: int) -> int:
    """The cell of a window where the player makes five; 0 without."""
    own, empty = 0, NONE
    for k in range(5):
        stone = s.cells[s.windows[w, k]]
        if stone == who:
            own += 1
        elif stone == 0:
            empty = s.windows[w, k]
    return empty if own == 4 and empty > 0 and makes_row(s, empty, who) else NONE


@kernel
def ends(s: Any, who: int) -> tuple[int, int]:
    """Two cells where the player makes five; 0 where there are fewer."""
    first = NONE
    for w in range(s.windows.shape[0]):
        cell = completing_cell(s, w, who)
        if cell > 0 and cell != first:
            if first > 0:
                return first, cell
            first = cell
    return first, NONE


@kernel
def ends_through(s: Any, cell: int, who: int) -> tuple[int, int]:
    """Two cells where the player makes five with the stone on this cell; 0 for fewer."""
    first = NONE
    for index in range(20):
        w = s.through[cell, index]
        if w < 0:
            break
        other = completing_cell(s, w, who)
        if other > 0 and other != first:
            if first > 0:
                return first, other
            first = other
    return first, NONE


@kernel
def fours_on(s: Any, cell: int, step: int) -> int:
    """The number of Black's fours in one direction: two, if they do not share four stones."""
    first = second = NONE
    for k in range(-4, 5):
        other = cell + k * step
        if s.cells[other] == 0 and reaches(s, cell, other, step) and run(s, other, step, 1) == 5:
            if first == 0:
                first = other
            else:
                second = other
    if second > 0:
        return 1 if second - first == 5 * step else 2
    return 1 if first > 0 else 0


@kernel
def reaches(s: Any, cell: int, other: int, step: int) -> bool:
    """True if only Black's stones are between two cells of a line."""
    way = step if other > cell else -step
    here = cell + way
    while here != other:
        if s.cells[here] != 1:
            return False
        here += way
    return True


@kernel
def is_open_four(s: Any, cell: int, other: int, step: int) -> bool:
    """True if a black stone on the other cell makes an open four with the one on the cell."""
    if s.cells[other] != 0 or not reaches(s, cell, other, step) or run(s, other, step, 1) != 4:
        return False
    if makes_row(s, other, ONE):
        return False
    low = high = other
    while low == other or s.cells[low] == 1:
        low -= step
    while high == other or s.cells[high] == 1:
        high += step
    if s.cells[low] != 0 or s.cells[high] != 0:
        return False
    s.cells[other] = 1
    is_open = run(s, low, step, 1) == 5 and run(s, high, step, 1) == 5
    s.cells[other] = 0
    return is_open


@kernel
def is_denied(s: Any, cell: int, who: int) -> bool:
    """True if renju forbids the empty cell to the player."""
    if not s.forbids or who != 1 or makes_row(s, cell, who):
        return False
    fours = threes = 0
    s.cells[cell] = who
    for step in (1, s.stride, s.stride + 1, s.stride - 1):
        if run(s, cell, step, who) > 5:
            fours = 2
            break
        made = fours_on(s, cell, step)
        fours += made
        for k in range(-3, 4):
            if made > 0:
                break
            other = cell + k * step
            if is_open_four(s, cell, other, step) and not is_denied(s, other, ONE):
                threes += 1
                break
    s.cells[cell] = 0
    return fours > 1 or threes > 1


@kernel
def key_of(s: Any, mover: int) -> Any:
    """A number for the stones on the board and the side to move."""
    key = s.keys[0, mover]
    for cell in range(s.cells.size):
        if s.cells[cell] == 1 or s.cells[cell] == 2:
            key ^= s.keys[cell, s.cells[cell]]
    return key


def new_solving(game: Gomoku) -> Solving:
    """An empty board of a game, and nothing known."""
    stride = game.size + 2 * MARGIN
    cells = np.full(stride * stride, OFF, np.int8)
    inside = [(row, column) for row in range(game.size) for column in range(game.size)]
    windows = []
    for row, column in inside:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if row + 4 * down < game.size and 0 <= column + 4 * right < game.size:
                first = place(row, column, stride)
                windows.append([first + k * (down * stride + right) for k in range(5)])
    through = np.full((cells.size, 21), -1, np.int64)
    for number, window in enumerate(windows):
        for cell in window:
            through[cell, np.argmin(through[cell])] = number
    draw = random.Random(0)
    keys = [[draw.getrandbits(64) for _ in range(3)] for _ in range(cells.size)]
    return Solving(
        cells=cells,
        stride=stride,
        windows=np.array(windows),
        through=through,
        exact=np.array([0, game.rule != "freestyle", game.rule == "standard"], np.int64),
        forbids=int(game.rule == "renju"),
        keys=np.array(keys, np.uint64),
        tried=np.zeros(ENTRIES, np.uint64),
        tried_fours=np.zeros(ENTRIES, np.int64),
        path=np.zeros(1000, np.int64),
        numbers=np.zeros(8, np.int64),
        known=np.zeros(ENTRIES, np.uint64),
        proof=np.zeros(ENTRIES, np.int64),
        disproof=np.zeros(ENTRIES, np.int64),
        list=np.zeros(100_000, np.int64),
        marks=np.zeros(cells.size, np.int8),
    )


def place(row: int, column: int, stride: int) -> int:
    """The number of a cell."""
    return (row + MARGIN) * stride + column + MARGIN


def show(s: Solving, game: Gomoku, p: Position) -> None:
    """Put a position on the board."""
    for move, stone in enumerate(p.cells):
        s.cells[place(*divmod(move, game.size), s.stride)] = stone
