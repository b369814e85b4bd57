"""The moves of a position, best first, by threats, worth, and the memory of earlier cut-offs."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arena.jit import kernel

from .. import MAX_SIZE
from ..bits import lowest
from ..shapes.board import count_of, half, play, point_value
from ..shapes.candidates import PLACE, candidate, is_allowed
from ..shapes.codes import NUMBERS, PATTERNS, WORDS, move_worth, patterns_at
from ..shapes.search import PLIES
from ..shapes.table import (
    CELLS,
    CLASSES,
    FOUR_AND_THREE,
    ONE_FIVE,
    ONE_FOUR,
    STRIDE,
    TWO_FOURS,
    TWO_THREES,
    int64,
    uint64,
)
from ..threats.forced_wins import allowed_of, is_threatened

MIDDLE = 1 << 36  # added to orders, which history may make negative, within the bits that they have

TOP_ORDER = MIDDLE - 1  # the greatest order: that of a move which comes before all others

NEAR_ROWS = 3  # rows and columns, each way, that a stone's neighbourhood reaches at most
SQUARE = {-3: 0, -2: 0b0111110, -1: 0b0111110, 0: 0b0111110, 1: 0b0111110, 2: 0b0111110, 3: 0}
STAR = {-3: 0b1001001, -2: 0, -1: 0, 0: 0b1000001, 1: 0, 2: 0, 3: 0b1001001}
NEARBY = np.array([SQUARE[row] | STAR[row] for row in range(-NEAR_ROWS, NEAR_ROWS + 1)])
"""A stone's neighbourhood, rows as bits: two cells in each direction and three in line."""

MOVE_FIELDS = [
    ("near_sets", np.uint64, ((MAX_SIZE * MAX_SIZE + 1) * WORDS,)),  # by stones: cells near any
    ("unit", np.int64),  # what a live three adds to the evaluation: margins are hundredths of it
    ("point_unit", np.int64),  # what it adds to the worth of a point
    ("own_order", np.int64),  # hundredths of the mover's worth that count in the order
    ("other_order", np.int64),
    ("crossing_order", np.int64),  # where two threats cross: hundredths of a unit
    ("history_order", np.int64),  # for the greatest history
    ("killer_order", np.int64),
    ("spoiler_order", np.int64),  # for points that spoil two fours at once
    ("node_orders", np.int64, (PLIES,)),  # by ply: the greatest, where any move may be good
]


@kernel
def put_stone(b: Any, cell: int, player: int) -> None:
    """Play a stone, and add its neighbourhood to the points near stones; `undo` takes it back."""
    spread(b, cell, b.stones)
    play(b, cell, player)


@kernel
def find_near(b: Any) -> None:
    for word in range(WORDS):
        b.near_sets[word] = 0
    for index in range(b.stones):
        spread(b, b.moves[index], index)


@kernel
def spread(b: Any, cell: int, stones: int) -> None:
    """Add the cell's neighbourhood to the points near this many stones, for one stone more."""
    start = stones * WORDS
    for word in range(b.first_word, b.last_word + 1):
        b.near_sets[start + WORDS + word] = b.near_sets[start + word]
    for row in range(2 * NEAR_ROWS + 1):
        at = cell + (row - NEAR_ROWS) * STRIDE - NEAR_ROWS
        bits, shift = np.uint64(NEARBY[row]), np.uint64(at & 63)
        b.near_sets[start + WORDS + (at >> 6)] |= bits << shift
        if at & 63 > 57:
            b.near_sets[start + WORDS + (at >> 6) + 1] |= bits >> (np.uint64(64) - shift)


@kernel
def list_open(b: Any, player: int, ply: int) -> int:
    """Put all empty points near stones on the stack from `b.top` on; returns their number.

    `b.node_orders[ply]` is the greatest order of an allowed one, without what killers have added.
    """
    start, listed, best = b.stones * WORDS, int64(0), int64(-MIDDLE)
    killer, second = b.killers[2 * ply], b.killers[2 * ply + 1]
    counter = b.counters[player * CELLS + b.moves[b.stones - 1]]
    for word in range(b.first_word, b.last_word + 1):
        cells = b.near_sets[start + word]
        while cells != 0:
            cell = int64((word << 6) + lowest(cells))
            cells &= cells - np.uint64(1)
            if b.cells[cell] == 0:
                order = open_order(b, cell, player)
                if order > best and is_allowed(b, cell, player):
                    best = order
                if (cell == killer) | (cell == second) | (cell == counter):
                    order += b.point_unit * b.killer_order // 100
                push_move(b, listed, cell, order)
                listed += 1
    b.node_orders[ply] = best
    return listed


@kernel
def list_closed(b: Any, player: int, with_fours: bool, hashed: int) -> int:
    """Put the spoilers and the player's own fours on the stack; returns their number.

    The table's move, `hashed`, comes first if it is among them.
    """
    listed, spoiling = int64(0), b.point_unit * b.spoiler_order // 100
    for place in range(b.spoiler_count):
        cell = b.spoilers[place]
        order = _order_of(b, cell, player) + spoiling
        push_move(b, listed, cell, TOP_ORDER if cell == hashed else order)
        listed += 1
    if not with_fours:
        return listed
    for kind in (ONE_FOUR, FOUR_AND_THREE):
        for word in range(b.first_word, b.last_word + 1):
            cells = b.class_sets[(CLASSES * player + kind) * WORDS + word]
            while cells != 0:
                cell = int64((word << 6) + lowest(cells))
                cells &= cells - np.uint64(1)
                if not _is_spoiler(b, cell):
                    order = _order_of(b, cell, player)
                    push_move(b, listed, cell, TOP_ORDER if cell == hashed else order)
                    listed += 1
    return listed


@kernel
def _is_spoiler(b: Any, cell: int) -> bool:
    is_one = False
    for place in range(b.spoiler_count):
        is_one |= b.spoilers[place] == cell
    return is_one


@partial(kernel, inline="always")
def open_order(b: Any, cell: int, player: int) -> int:
    """The number by which moves are sorted where any may be good: by patterns, if they are kept."""
    if not b.with_patterns:
        return int64(_order_of(b, cell, player))
    return int64(move_worth(b, cell, player) + _history_worth(b, cell, player) // 100)


@partial(kernel, inline="always")
def _history_worth(b: Any, cell: int, player: int) -> int:
    """The hundredths that its history adds to a move's order."""
    history = b.history[uint64(player * CELLS + cell)]
    return int64(b.point_unit * b.history_order * history // TOP_HISTORY)


@kernel
def list_sorted(b: Any, player: int, rows: Any) -> int:
    """Write down the moves that are sorted by their worth; returns their number, 0 if forced.

    Each has a row: its cell, and the numbers of its two weights among MOVE_WEIGHTS.
    """
    find_near(b)
    fives = count_of(b, player, ONE_FIVE) + count_of(b, 1 - player, ONE_FIVE)
    if fives > 0 or allowed_of(b, player, TWO_FOURS, int64(0)) > 0 or is_threatened(b, player):
        return int64(0)
    b.top, count = 0, int64(0)
    for place in range(list_open(b, player, int64(0))):
        cell = b.stack[place] & PLACE
        if is_allowed(b, cell, player):
            own, other = patterns_at(b, cell, player)
            rows[count, 0] = cell
            rows[count, 1], rows[count, 2] = NUMBERS[own], PATTERNS + NUMBERS[other]
            count += 1
    return count


@kernel
def _order_of(b: Any, cell: int, player: int) -> int:
    """The worth of a point by which moves are sorted: for both sides, and by its history."""
    pair = point_value(b, cell)
    order = b.own_order * half(pair, player) + b.other_order * half(pair, 1 - player)
    crossing = max(b.classes[2 * cell + player], b.classes[2 * cell + 1 - player])
    if crossing >= TWO_THREES and crossing != ONE_FOUR:
        order += b.point_unit * b.crossing_order
    return int64((order + _history_worth(b, cell, player)) // 100)


@partial(kernel, inline="always")
def push_move(b: Any, place: int, cell: int, order: int) -> None:
    b.stack[b.top + place] = candidate(max(order + MIDDLE, int64(0)), place, cell)


TOP_HISTORY = 1 << 14  # the unit of history, a power of two. Its weight is a parameter

HISTORY_FIELDS = [
    ("history_step", np.int64),  # what a cut-off counts, for each (depth + 1) squared
    ("history_most", np.int64),  # what one counts at most
    ("history", np.int64, (2 * CELLS,)),  # by player * CELLS + cell, within TOP_HISTORY
    ("killers", np.int64, (2 * PLIES,)),  # two of each ply
    ("counters", np.int64, (2 * CELLS,)),  # by the other player's last cell
]


@kernel
def _reward(b: Any, player: int, cell: int, change: int) -> None:
    # The nearer a history is to its limit, the less it changes: it never leaves the range.
    slot = player * CELLS + cell
    b.history[slot] += change - b.history[slot] * abs(change) // TOP_HISTORY


@kernel
def note_cut(b: Any, player: int, cell: int, ply: int, depth: int) -> None:
    _reward(b, player, cell, _change_at(b, depth))
    if b.killers[2 * ply] != cell:
        b.killers[2 * ply + 1] = b.killers[2 * ply]
        b.killers[2 * ply] = cell
    if b.stones > 0:
        b.counters[player * CELLS + b.moves[b.stones - 1]] = cell


@kernel
def note_failed(b: Any, player: int, cell: int, depth: int) -> None:
    _reward(b, player, cell, -_change_at(b, depth))


@kernel
def _change_at(b: Any, depth: int) -> int:
    return int64(min(b.history_step * (depth + 1) * (depth + 1), b.history_most))


@kernel
def age_history(b: Any) -> None:
    """Halve the history for the game's next move, and forget killers, which belong to plies."""
    for slot in range(b.history.size):
        b.history[slot] //= 2
    for slot in range(b.killers.size):
        b.killers[slot] = 0


@kernel
def forget_history(b: Any) -> None:
    for slot in range(b.history.size):
        b.history[slot] = b.counters[slot] = 0
    for slot in range(b.killers.size):
        b.killers[slot] = 0
