"""The points that renju forbids to Black: overlines, double fours and double threes."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bits import lowest
from .codes import flip_keys
from .geometry import MARGIN, OFFSETS, STRIDE, int64
from .table import FIVE, LIVE_FOUR, LIVE_THREE, RUSH_FOUR

FREE, FORBIDDEN, WINS = -1, -2, -3
"""The verdicts on a black stone; where it makes several threes, their number comes instead."""

BACK, BEYOND = 0x11111, 1 << 20
"""The neighbours of a key behind the point, one bit each; and the bit above these."""

FORBIDDEN_FIELDS = [
    ("forbids", np.int64),  # 1 if the rule is renju
]


@kernel
def forbidden_points(b: Any, points: Any) -> None:
    """Set a flag for each point of the board, row by row: true if Black may not play there."""
    for row in range(b.size):
        for column in range(b.size):
            cell = (row + MARGIN) * STRIDE + column + MARGIN
            found = b.cells[cell] == 0 and is_forbidden(b, cell)
            points[row * b.size + column] = found


@kernel
def is_allowed(b: Any, cell: int, player: int) -> bool:
    """True if the player may put a stone on this empty cell."""
    return b.forbids == 0 or player == 1 or not is_forbidden(b, cell)


@kernel
def is_forbidden(b: Any, cell: int) -> bool:
    """True if Black may not play on this empty cell, under renju."""
    what = makes(b, cell)
    return what == FORBIDDEN or (what > 1 and makes_double_three(b, cell))


@kernel
def makes(b: Any, cell: int) -> int:
    """FREE, FORBIDDEN, WINS, or the number of threes that a black stone makes, if they decide."""
    threes, fours, is_five, is_long = 0, 0, False, False
    for direction in range(4):
        key = int64(b.keys[4 * cell + direction])
        code = int64(b.shapes[key]) & 15
        run = arm(key, 0) + arm(key, 1) + 1
        is_five |= code == FIVE
        is_long |= run > 5
        threes += code == LIVE_THREE
        # A live four that is not four in a row is two of them.
        fours += (code == RUSH_FOUR) + (code == LIVE_FOUR) * (2 - (run == 4))
    if is_five:
        return WINS
    if is_long or fours > 1:
        return FORBIDDEN
    return threes if threes > 1 else FREE


@kernel
def arm(key: int, side: int) -> int:
    """The number of black stones in a row next to the point: behind it (0) or ahead (1)."""
    black = (key & ~(key >> 1)) >> 2 * side
    return lowest(np.uint64(~black & BACK | BEYOND)) >> 2


@kernel
def makes_double_three(b: Any, cell: int) -> bool:
    """True if two of the stone's threes or more can become straight fours by an allowed move."""
    threes = 0
    flip_keys(b, cell, int64(0))
    for direction in range(4):
        if int64(b.shapes[b.keys[4 * cell + direction]]) & 15 != LIVE_THREE:
            continue
        for slot in range(6):
            if makes_straight_four(b, cell, direction, slot):
                other = cell + OFFSETS[10 * direction + slot]
                what = makes(b, other)
                if what == FREE or (what > 1 and not makes_double_three(b, other)):
                    threes += 1
                    break
    flip_keys(b, cell, int64(0))
    return threes > 1


@kernel
def makes_straight_four(b: Any, cell: int, direction: int, slot: int) -> bool:
    """True if one more stone, on this neighbour of a black one, makes a straight four of both."""
    if (int64(b.keys[4 * cell + direction]) >> 2 * slot) & 3 != 0:
        return False
    key = int64(b.keys[4 * (cell + OFFSETS[10 * direction + slot]) + direction])
    between = arm(key, 1 - (slot & 1))
    is_four = between + arm(key, slot & 1) == 3 and int64(b.shapes[key]) & 15 == LIVE_FOUR
    return is_four and between > slot >> 1
