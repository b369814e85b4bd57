"""The evaluation by shapes after a move, and tables of scores and values by Zobrist key."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arena.jit import kernel

from ..bits import lowest
from ..bounds import bound_kind, settles
from .board import LOW, key_after, own_half
from .candidates import is_allowed
from .table import FIVE, LIVE_THREE, OFFSETS, RUSH_FOUR, int64, line_value

SLOTS = 0x55555  # the lower bit of each neighbour in a key

EVALUATION_FIELDS = [
    ("root_player", np.int64),
    ("denominator", np.float64),
    ("factor_low", np.float64),
    ("factor_high", np.float64),
]


@kernel
def position_value(b: Any, total: int, player: int) -> int:
    """The value to the player of a position with this pair of totals.

    The side at the root weighs its own total by 1 + factor and the other's by 1 - factor.
    """
    own, other = total & LOW, total >> 32
    if b.root_player == 1:
        own, other = other, own
    base = own - other
    factor = min(max(2.0 * base / b.denominator, b.factor_low), b.factor_high)
    value = base + int64(factor * (own + other))
    return value if player == b.root_player else -value


@kernel
def total_after(b: Any, cell: int, player: int) -> int:
    if b.with_lines:
        return _line_total_after(b, cell, player)
    if b.table_bits == 0:
        return _stone_total_after(b, cell, player)
    key = key_after(b, cell, player)
    entry = key & ((1 << SCORE_BITS) - 1)
    b.probes += 1
    b.hits += b.score_keys[entry] == key ^ b.salt
    if b.score_keys[entry] != key ^ b.salt:
        b.score_keys[entry] = key ^ b.salt
        b.scores[entry] = _stone_total_after(b, cell, player)
    return b.scores[entry]


@kernel
def _line_total_after(b: Any, cell: int, player: int) -> int:
    total = b.line_total
    for direction in range(4):
        line = b.line_of[4 * cell + direction]
        grown = b.lines[line] ^ (player + 1) << b.shift_of[4 * cell + direction]
        total += line_value(b, grown) - b.line_values[line]
    return total


@kernel
def _stone_total_after(b: Any, cell: int, player: int) -> int:
    """The pair of stones' totals after a stone on the cell: only stones in its key change."""
    total = b.total + own_half(b.values[cell], player)
    for direction in range(4):
        key = int64(b.keys[4 * cell + direction])
        stones = (key ^ (key >> 1)) & SLOTS
        while stones:
            slot = lowest(np.uint64(stones)) >> 1
            stones &= stones - 1
            other = cell + OFFSETS[10 * direction + slot]
            there = 4 * other + direction
            new = b.keys[there] ^ np.uint32((player + 1) << 2 * (slot ^ 1))
            change = b.code_values[b.shapes[new]] - b.code_values[b.codes[there]]
            low = int64(np.int32(change))
            stone = int64(b.cells[other])
            total += (low & -(stone & 1)) + ((change - low) & -(stone >> 1 & 1))
    return total


@partial(kernel, inline="always")
def code_at(b: Any, cell: int, direction: int, player: int) -> int:
    """The shape that the player's stone would have on an empty cell."""
    return int64(b.codes[4 * cell + direction]) >> 4 * player & 15


@kernel
def is_surely_allowed(b: Any, cell: int, player: int) -> bool:
    """True if the player may play there, also after any quiet move.

    In renju, a white stone may make a black three a true one, and the move a double three.
    """
    if b.forbids == 0 or player == 1:
        return True
    threes = 0
    for direction in range(4):
        threes += code_at(b, cell, direction, player) == LIVE_THREE
    return threes < 2 and is_allowed(b, cell, player)


@kernel
def move_rank(b: Any, cell: int, player: int) -> int:
    """FIVE if the move makes one; RUSH_FOUR if it makes one with a new completing cell; or 0."""
    fours = False
    for direction in range(4):
        code = code_at(b, cell, direction, player)
        if code == FIVE:
            return FIVE
        fours |= code == RUSH_FOUR
    if fours and b.extension_max > 0:
        for direction in range(4):
            is_four = code_at(b, cell, direction, player) == RUSH_FOUR
            if is_four and _completing_cell(b, cell, direction, player):
                return RUSH_FOUR
    return 0


@kernel
def _completing_cell(b: Any, cell: int, direction: int, player: int) -> int:
    """A cell on this line that makes five after a stone on `cell`, and made none before; or 0."""
    for slot in range(8):
        other = cell + OFFSETS[10 * direction + slot]
        if b.cells[other] > 0:
            continue
        if completes_five(b, other, direction, slot, player) and not makes_five(b, other, player):
            return other
    return 0


@partial(kernel, inline="always")
def completes_five(b: Any, cell: int, direction: int, slot: int, player: int) -> bool:
    """True if one more stone of the player, at this slot, lets it make five on an empty cell.

    The stone is not played: the key of the cell's line tells.
    """
    key = b.keys[4 * cell + direction] ^ np.uint32((player + 1) << 2 * (slot ^ 1))
    return int64(b.shapes[key]) >> 4 * player & 15 == FIVE


@kernel
def makes_five(b: Any, cell: int, player: int) -> bool:
    is_five = False
    for direction in range(4):
        is_five |= code_at(b, cell, direction, player) == FIVE
    return is_five


SCORE_BITS = 11
"""Bits of the index of base scores. More entries are found more often, but lie in slower memory:
2 048 cost no time, 65 536 a tenth of it; adding up a base score anew takes 20 ns."""
LARGEST_TABLE = 20
FAILED_BITS = 16
MIX = 0x1E3779B97F4A7C15

TRANSPOSITION_FIELDS = [
    ("table_bits", np.int64),  # of the index of searches; 0: no table
    ("salt", np.int64),  # another for each move: none finds what an earlier one stored
    ("probes", np.int64),  # base scores asked for
    ("hits", np.int64),  # and found
    ("searches", np.int64),  # values of searches asked for
    ("saved", np.int64),  # and found
    ("known", np.int64),  # the value found
    ("score_keys", np.int64, (1 << SCORE_BITS,)),
    ("scores", np.int64, (1 << SCORE_BITS,)),  # pairs: both totals
    ("search_keys", np.int64, (1 << LARGEST_TABLE,)),
    ("search_values", np.int64, (1 << LARGEST_TABLE,)),  # value * 4 + kind of bound
    ("failed_keys", np.int64, (1 << FAILED_BITS,)),  # positions without a forced win
    ("failed_moves", np.int64, (1 << FAILED_BITS,)),  # within this number of moves
]


@kernel
def _entry_of(key: int, bits: int) -> int:
    return (key ^ key >> 32) & ((1 << bits) - 1)


@kernel
def search_key(b: Any, depth: int, extended: int) -> int:
    """A key of equal searches: stones, last two moves, plies to go and plies added."""
    last, before = b.moves[b.stones - 1], b.moves[b.stones - 2]
    rest = ((last << 12 | before) << 6 | depth) << 6 | extended
    return b.key ^ b.salt ^ rest * MIX


@kernel
def is_known(b: Any, key: int, alpha: int, beta: int) -> bool:
    """True if the table has the answer of a search between alpha and beta: `b.known`."""
    entry = _entry_of(key, b.table_bits)
    b.searches += 1
    if b.search_keys[entry] != key:
        return False
    b.known = b.search_values[entry] >> 2
    is_answer = settles(b.search_values[entry] & 3, b.known, alpha, beta)
    b.saved += is_answer
    return is_answer


@kernel
def remember(b: Any, key: int, value: int, alpha: int, beta: int) -> None:
    entry = _entry_of(key, b.table_bits)
    b.search_keys[entry] = key
    b.search_values[entry] = value << 2 | bound_kind(value, alpha, beta)


@kernel
def failed(b: Any, key: int) -> int:
    """The number of moves within which no win can be forced; 0 if nothing is known."""
    entry = _entry_of(key, FAILED_BITS)
    return b.failed_moves[entry] if b.failed_keys[entry] == key else 0


@kernel
def remember_failure(b: Any, key: int, moves: int) -> None:
    entry = _entry_of(key, FAILED_BITS)
    b.failed_keys[entry], b.failed_moves[entry] = key, moves
