"""The worth of an empty point: its shape codes for both sides, crossings, and its potential.

In renju, a point forbidden to Black is worth nothing to Black, and White's lines aim at it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..shapes.board import half
from ..shapes.candidates import CELL_BITS, PLACE
from ..shapes.evaluation import code_at
from ..shapes.forbidden import is_allowed, is_forbidden
from ..shapes.geometry import MARGIN, OFFSETS, STEPS, STRIDE
from ..shapes.table import LIVE_FOUR, LIVE_THREE, LIVE_TWO, RUSH_FOUR

POTENTIAL_BITS, CENTRE_BITS = 7, 6

POINT_VALUE_FIELDS = [
    ("double_three", np.int64),  # added where two live threes cross
    ("three_and_four", np.int64),
    ("double_four", np.int64),
    ("aim", np.int64),  # added for each of White's lines with a point forbidden to Black
    ("other_share", np.int64),  # hundredths of the other side's worth that count
]


@kernel
def worth(b: Any, cell: int, player: int) -> int:
    """The sum of the player's codes at an empty cell, and of the bonus for two that cross."""
    if not is_allowed(b, cell, player):
        return 0
    value = half(b.values[cell], player)
    fours = threes = 0
    for direction in range(4):
        code = code_at(b, cell, direction, player)
        if b.forbids and player == 1 and code >= LIVE_TWO and is_aimed(b, cell, direction):
            value += b.aim
        fours += (code == RUSH_FOUR) | (code == LIVE_FOUR)
        threes += code == LIVE_THREE
    if fours > 1:
        return value + b.double_four
    if fours + threes > 1:
        return value + (b.three_and_four if fours else b.double_three)
    return value


@kernel
def is_aimed(b: Any, cell: int, direction: int) -> bool:
    """True if White's line through the cell meets a point forbidden to Black before a black stone.

    The search goes four cells each way: as far as the line's fives, or their blocks, could be.
    """
    for step in (STEPS[direction], -STEPS[direction]):
        for distance in range(1, 5):
            other = cell + distance * step
            if b.cells[other] == 0:
                if is_forbidden(b, other):
                    return True
            elif b.cells[other] != 2:
                break
    return False


@kernel
def potential(b: Any, cell: int) -> int:
    """The number of stones of both sides in line with the cell, near ones counted up to four times.

    A stone k cells away counts 5 - k, none farther than four.
    """
    value = 0
    for direction in range(4):
        for slot in range(8):
            state = b.cells[cell + OFFSETS[10 * direction + slot]]
            if state == 1 or state == 2:
                value += 4 - slot // 2
    return value


@kernel
def point_number(b: Any, cell: int, player: int) -> int:
    """A number that is greater the sooner the player should go there; `cell_in` reads the cell.

    Worth decides, then potential, then nearness to the centre, then the order of the rows.
    """
    value = 100 * worth(b, cell, player) + b.other_share * worth(b, cell, 1 - player)
    row, column = cell // STRIDE - MARGIN, cell % STRIDE - MARGIN
    last = b.size - 1
    off_centre = max(abs(2 * row - last), abs(2 * column - last))
    number = value << POTENTIAL_BITS | potential(b, cell)
    number = number << CENTRE_BITS | (b.size - off_centre)
    return number << CELL_BITS | (PLACE - cell)


@kernel
def cell_in(number: int) -> int:
    """The cell that a point's number stands for."""
    return PLACE - (number & PLACE)


@kernel
def list_points(b: Any, player: int) -> int:
    """Put the numbers of all allowed points on the stack; returns the greatest, 0 without."""
    best = 0
    for row in range(MARGIN, MARGIN + b.size):
        for cell in range(row * STRIDE + MARGIN, row * STRIDE + MARGIN + b.size):
            if b.cells[cell] == 0 and is_allowed(b, cell, player):
                number = point_number(b, cell, player)
                b.stack[b.top] = number
                b.top += 1
                best = max(best, number)
    return best
