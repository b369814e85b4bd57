"""The set-up of a record: a zeroed one becomes an empty board, an empty board a position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from arena.jit import kernel

from .board import OFF_BOARD, play
from .codes import MARKS_OF, turn_sets
from .geometry import CELLS, MARGIN, OFFSETS, STRIDE, cell_of, int64, on_board
from .patterns import clear_patterns, set_points
from .table import EXACT, RANKS, Rule, class_table, reach, shape_table


def set_up(b: Any, size: int, rule: Rule, weights: Sequence[int]) -> None:
    """Make a zeroed record the empty board of this size, rule and weights (by rank).

    Weights within `table.WEIGHT`, and a five's within `table.FIVE_WEIGHT`, keep pairs apart.
    """
    b["size"], b["reach"] = size, reach(rule)
    b["exact"], b["forbids"] = EXACT[rule], rule == "renju"
    b["shapes"] = shape_table(rule)
    b["class_of"] = class_table()
    b["rank_weights"] = weights
    by_code = np.zeros(16, np.int64)
    by_code[:RANKS] = weights
    codes = np.arange(256)
    b["code_values"] = by_code[codes & 15] + (by_code[codes >> 4] << 32)
    if not b["with_totals"]:
        set_points(b, weights)
    clear(b)


def put(b: Any, cells: bytes, moves: Iterable[int]) -> None:
    """Set up a position: the stones of a game's cells, those of `moves` as the last played.

    Nothing that is stored about earlier positions will be found again.
    """
    b["salt"] += 1
    size = int(b["size"])
    moves = [move for move in moves if cells[move]]
    others = set(range(size * size)).difference(moves)
    order = [*(move for move in others if cells[move]), *moves]
    load(
        b,
        np.array([cell_of(move, size) for move in order], np.int64),
        np.array([cells[move] - 1 for move in order], np.int64),
    )


@kernel
def load(b: Any, cells: Any, players: Any) -> None:
    """Clear the board and play these stones."""
    clear(b)
    for index in range(cells.size):
        play(b, cells[index], players[index])


@kernel
def clear(b: Any) -> None:
    """Take all stones off."""
    b.stones, b.key, b.total, b.line_total = 0, 0, 0, 0
    for line in range(b.lines.size):
        b.lines[line] = b.line_values[line] = 0
    b.first_word, b.last_word = (
        MARGIN * (STRIDE + 1) >> 6,
        (MARGIN + b.size - 1) * (STRIDE + 1) >> 6,
    )
    b.class_sets[:], b.class_counts[:], b.classes[:] = 0, 0, 0
    b.changes = b.moved = 0
    for cell in range(CELLS):
        b.cells[cell] = 0 if on_board(b, cell) else OFF_BOARD
        enter_codes(b, cell)
        if b.with_classes and b.cells[cell] == 0:
            turn_sets(b, cell, 1)
    if b.with_patterns:
        clear_patterns(b)
    for row in range(b.size):
        for column in range(b.size):
            enter_lines(b, row, column)


@kernel
def edge_key(b: Any, cell: int, direction: int) -> int:
    """The key of a cell of the empty board; off the board it is never looked at."""
    key = 0
    if on_board(b, cell):
        for slot in range(2 * b.reach):
            if not on_board(b, cell + OFFSETS[10 * direction + slot]):
                key |= 3 << 2 * slot
    return key


@kernel
def enter_codes(b: Any, cell: int) -> None:
    """Find the keys of a cell of the empty board, its codes, and what they sum up to."""
    b.values[cell], b.marks[cell] = 0, 0
    for direction in range(4):
        key = edge_key(b, cell, direction)
        code = int64(b.shapes[key])
        b.keys[4 * cell + direction], b.codes[4 * cell + direction] = key, code
        b.values[cell] += b.code_values[code]
        b.marks[cell] += MARKS_OF[(direction << 8) + code]


@kernel
def enter_lines(b: Any, row: int, column: int) -> None:
    """Write down the cell's four lines and its places in them, and lengthen the lines by it."""
    cell = (row + MARGIN) * STRIDE + column + MARGIN
    last = b.size - 1
    for direction in range(4):
        if direction == 0:
            line, place = row, column
        elif direction == 1:
            line, place = b.size + column, row
        elif direction == 2:
            line, place = 2 * b.size + row - column + last, min(row, column)
        else:
            line, place = 4 * b.size + row + column, min(row, last - column)
        b.line_of[4 * cell + direction] = line
        b.shift_of[4 * cell + direction] = 2 * place
        b.lines[line] = min(b.lines[line], -1 << 2 * (place + 1))
