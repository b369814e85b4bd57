"""A board that keeps the shapes of all points from move to move, and its set-up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from arena.jit import kernel

from .. import MAX_SIZE
from ..bits import lowest
from ..grid import stone_keys
from .codes import (
    MARKS_OF,
    MOST_STONES,
    WORDS,
    clear_patterns,
    count_pattern,
    flip_keys,
    list_changes,
    make_changes,
    set_points,
    sums_at,
    take_back,
    turn_sets,
)
from .table import (
    CELLS,
    CLASSES,
    EXACT,
    MARGIN,
    OFFSETS,
    RANKS,
    STRIDE,
    Rule,
    cell_of,
    class_table,
    int64,
    line_value,
    on_board,
    reach,
    shape_table,
)

STONE_KEYS = stone_keys(CELLS)
OFF_BOARD = 4
LOW = 0xFFFFFFFF  # the first player's half of a pair: two numbers in 64 bits, half the additions

BOARD_FIELDS = [
    ("size", np.int64),
    ("with_lines", np.int64),  # 1 if line values are kept
    ("exact", np.int64, (2,)),
    ("stones", np.int64),
    ("key", np.int64),  # Zobrist
    ("line_total", np.int64),  # pair: the worth of each player's line shapes
    ("moves", np.int64, (MOST_STONES,)),
    ("totals_before", np.int64, (3 * MOST_STONES,)),  # by the stones before one
    ("line_of", np.int64, (4 * CELLS,)),
    ("shift_of", np.int64, (4 * CELLS,)),  # twice the cell's place in its line
    ("lines", np.int64, (6 * MAX_SIZE,)),
    ("line_values", np.int64, (6 * MAX_SIZE,)),  # pairs
    ("rank_weights", np.int64, (RANKS,)),
    ("first_word", np.int64),  # of the board's cells in a set
    ("last_word", np.int64),
]


@kernel
def play(b: Any, cell: int, player: int) -> None:
    """Put a stone of player 0 or 1 on an empty cell."""
    _keep_totals(b)
    b.moves[b.stones] = cell
    b.key ^= STONE_KEYS[player * CELLS + cell]
    if b.with_totals:
        b.total += own_half(b.values[cell], player)
    if b.with_classes:
        turn_sets(b, cell, -1)
    if b.with_patterns:
        count_pattern(b, cell, int64(-1))
    b.cells[cell] = player + 1
    list_changes(b, cell, player)
    # Three compiled loops: totals cost nothing where they are not kept.
    if b.with_totals:
        make_changes(b, True, False)
    elif b.with_patterns:
        make_changes(b, False, True)
    else:
        make_changes(b, False, False)
    b.stones += 1
    if b.with_lines:
        _flip_lines(b, cell, player)


@kernel
def undo(b: Any) -> None:
    b.stones -= 1
    cell = b.moves[b.stones]
    player = int64(b.cells[cell]) - 1
    b.key ^= STONE_KEYS[player * CELLS + cell]
    b.cells[cell] = 0
    flip_keys(b, cell, player)
    if b.with_totals:
        take_back(b, True)
    else:
        take_back(b, False)
    if b.with_classes:
        turn_sets(b, cell, 1)
    _restore_totals(b)
    if b.with_lines:
        _flip_lines(b, cell, player)


@partial(kernel, inline="always")
def _keep_totals(b: Any) -> None:
    at = 3 * b.stones
    b.totals_before[at] = b.total
    b.totals_before[at + 1], b.totals_before[at + 2] = b.pattern_totals[0], b.pattern_totals[1]


@partial(kernel, inline="always")
def _restore_totals(b: Any) -> None:
    at = 3 * b.stones
    b.total = b.totals_before[at]
    b.pattern_totals[0], b.pattern_totals[1] = b.totals_before[at + 1], b.totals_before[at + 2]


@partial(kernel, inline="always")
def key_after(b: Any, cell: int, player: int) -> int:
    return b.key ^ STONE_KEYS[player * CELLS + cell]


@kernel
def count_of(b: Any, player: int, kind: int) -> int:
    return int64(b.class_counts[CLASSES * player + kind])


@kernel
def first_of(b: Any, player: int, kind: int) -> int:
    """The first empty cell of a class; 0 without."""
    if count_of(b, player, kind) == 0:
        return int64(0)
    start = (CLASSES * player + kind) * WORDS
    for word in range(b.first_word, b.last_word + 1):
        if b.class_sets[start + word] != 0:
            return (word << 6) + lowest(b.class_sets[start + word])
    return int64(0)


@kernel
def _flip_lines(b: Any, cell: int, player: int) -> None:
    for direction in range(4):
        line = b.line_of[4 * cell + direction]
        b.lines[line] ^= (player + 1) << b.shift_of[4 * cell + direction]
        value = line_value(b, b.lines[line])
        b.line_total += value - b.line_values[line]
        b.line_values[line] = value


@partial(kernel, inline="always")
def point_value(b: Any, cell: int) -> int:
    """The pair of the worths of a stone of each player on an empty point."""
    if b.with_totals:
        return int64(b.values[cell])
    first, second = sums_at(b, cell)
    return int64(b.point_worths[first] + (b.point_worths[second] << 32))


@partial(kernel, inline="always")
def own_half(pair: int, player: int) -> int:
    """The pair with the other player's number left out."""
    return pair & LOW if player == 0 else pair & ~LOW


@partial(kernel, inline="always")
def half(pair: int, player: int) -> int:
    return pair & LOW if player == 0 else pair >> 32


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
    clear(b)
    for index in range(cells.size):
        play(b, cells[index], players[index])


@kernel
def clear(b: Any) -> None:
    b.stones, b.key, b.total, b.line_total = 0, 0, 0, 0
    for line in range(b.lines.size):
        b.lines[line] = b.line_values[line] = 0
    b.first_word = MARGIN * (STRIDE + 1) >> 6
    b.last_word = (MARGIN + b.size - 1) * (STRIDE + 1) >> 6
    b.class_sets[:], b.class_counts[:], b.classes[:] = 0, 0, 0
    b.changes = b.moved = 0
    for cell in range(CELLS):
        b.cells[cell] = 0 if on_board(b, cell) else OFF_BOARD
        _enter_codes(b, cell)
        if b.with_classes and b.cells[cell] == 0:
            turn_sets(b, cell, 1)
    if b.with_patterns:
        clear_patterns(b)
    for row in range(b.size):
        for column in range(b.size):
            _enter_lines(b, row, column)


@kernel
def _edge_key(b: Any, cell: int, direction: int) -> int:
    """The key of a cell of the empty board; off the board it is never looked at."""
    key = 0
    if on_board(b, cell):
        for slot in range(2 * b.reach):
            if not on_board(b, cell + OFFSETS[10 * direction + slot]):
                key |= 3 << 2 * slot
    return key


@kernel
def _enter_codes(b: Any, cell: int) -> None:
    b.values[cell], b.marks[cell] = 0, 0
    for direction in range(4):
        key = _edge_key(b, cell, direction)
        code = int64(b.shapes[key])
        b.keys[4 * cell + direction], b.codes[4 * cell + direction] = key, code
        b.values[cell] += b.code_values[code]
        b.marks[cell] += MARKS_OF[(direction << 8) + code]


@kernel
def _enter_lines(b: Any, row: int, column: int) -> None:
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
