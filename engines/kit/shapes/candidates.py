"""The points that a search tries, best first, and those that renju forbids to Black."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arena.jit import kernel

from .. import MAX_SIZE
from ..bits import lowest
from .board import LOW, count_of
from .codes import WORDS, flip_keys
from .table import (
    CLASSES,
    FIVE,
    LIVE_FOUR,
    LIVE_THREE,
    MARGIN,
    OFFSETS,
    RUSH_FOUR,
    STRIDE,
    int64,
    uint64,
)

CELL_BITS = 11
PLACE = (1 << CELL_BITS) - 1
"""The bits of a cell, or of a place. Candidates are numbers: point score, place in the list counted
from its end, cell. So the greatest number is the best candidate, the first of equal ones."""
STACK = 1 << 15
SIGNS = -0x7FFFFFFF80000000  # the top bit of each number of a pair

CANDIDATE_FIELDS = [
    ("width", np.int64),  # how many are tried
    ("threshold", np.int64),  # if not 0, points that score more are tried instead
    ("radius", np.int64),  # rows and columns from the last two moves; 0: the whole board
    ("far", np.int64),  # points worth this much to either side are taken anywhere
    ("by_larger", np.int64),  # point score: the larger worth, or own + defence * other's
    ("defence", np.int64),
    ("unordered", np.int64),  # stones at the bottom whose order is not known
    ("listed", np.int64),  # length of the last list
    ("top", np.int64),
    ("stack", np.int64, (STACK,)),
]


@partial(kernel, inline="always")
def candidate(score: int, place: int, cell: int) -> int:
    """The number that stands for a cell at this place of a list."""
    return (score << CELL_BITS | (PLACE - place)) << CELL_BITS | cell


@kernel
def candidates(b: Any, player: int) -> int:
    """List the player's candidates on the stack from `b.top`; returns the number to try at most.

    At least one candidate is allowed; `take_best` leaves out those that are not.
    """
    if b.stones == 0:
        b.stack[b.top] = (MARGIN + b.size // 2) * (STRIDE + 1)
        b.listed = 1
        return 1
    everywhere = b.radius == 0 or b.stones == b.unordered
    if b.threshold > 0:
        gather(b, player, everywhere, b.threshold)
        if b.listed > 0:
            return b.listed
    gather(b, player, everywhere, -1)
    if b.listed == 0 and not everywhere:
        gather(b, player, True, -1)
    return min(b.width, b.listed)


@kernel
def take_best(b: Any, player: int, start: int, listed: int) -> int:
    """Take the best allowed candidate out of a list; returns its cell, 0 if none is left."""
    # Most positions are cut off at their first move: choosing one at a time beats sorting, and
    # candidates that are never tried need not be known to be allowed.
    while True:
        best = int64(-1)
        for place in range(listed):
            best = max(best, b.stack[uint64(start) + uint64(place)])
        if best < 0:
            return 0
        b.stack[start + PLACE - ((best >> CELL_BITS) & PLACE)] = -1
        if is_allowed(b, best & PLACE, player):
            return best & PLACE


@kernel
def has_room(b: Any) -> bool:
    """True if the stack has room for two lists of all cells, which no position exceeds."""
    return b.top < STACK - 2 * MAX_SIZE * MAX_SIZE


@kernel
def push_class(b: Any, player: int, kind: int, must: int) -> None:
    """Put the cells of a class on the stack, or only the one that must be played."""
    if count_of(b, player, kind) == 0:
        return
    for word in range(b.first_word, b.last_word + 1):
        cells = b.class_sets[(CLASSES * player + kind) * WORDS + word]
        while cells != 0:
            cell = int64((word << 6) + lowest(cells))
            cells &= cells - np.uint64(1)
            if must == 0 or cell == must:
                b.stack[b.top] = cell
                b.top += 1


@kernel
def gather(b: Any, player: int, everywhere: bool, above: int) -> None:
    """List the points that score more than `above`, row by row; none if all are forbidden."""
    radius = MAX_SIZE if everywhere else b.radius
    last = b.moves[b.stones - 1]
    before = b.moves[b.stones - 2] if b.stones - b.unordered > 1 else last
    to_sign = ((1 << 31) - b.far) * (1 + (1 << 32))
    b.listed = 0
    for row in range(MARGIN, MARGIN + b.size):
        low_a, high_a = _span(row, last, radius)
        low_b, high_b = _span(row, before, radius)
        if everywhere or _is_hot(b, row, to_sign):
            low, high = MARGIN, MARGIN + b.size
        else:
            low = max(MARGIN, min(low_a, low_b))
            high = min(MARGIN + b.size, max(high_a, high_b))
        for column in range(low, high):
            cell = row * STRIDE + column
            pair = b.values[cell]
            near = (low_a <= column < high_a) | (low_b <= column < high_b)
            hot = (pair + to_sign) & SIGNS != 0
            if b.cells[cell] == 0 and (near or hot):
                score = _point_score(b, pair, player)
                if score > above:
                    b.stack[b.top + b.listed] = candidate(score, b.listed, cell)
                    b.listed += 1
    for place in range(b.top, b.top + b.listed):
        if is_allowed(b, b.stack[place] & PLACE, player):
            return
    b.listed = 0


@partial(kernel, inline="always")
def _span(row: int, cell: int, radius: int) -> tuple[int, int]:
    """The columns of a row, the last excluded, within a square of this radius of a cell."""
    column = cell % STRIDE
    if abs(row - cell // STRIDE) > radius:
        return MAX_SIZE + 2 * MARGIN, 0
    return column - radius, column + radius + 1


@partial(kernel, inline="always")
def _is_hot(b: Any, row: int, to_sign: int) -> bool:
    """True if a cell of the row may be worth `b.far` to a side: adding sets its top bit."""
    signs = 0
    for cell in range(row * STRIDE + MARGIN, row * STRIDE + MARGIN + b.size):
        signs |= b.values[cell] + to_sign
    return signs & SIGNS != 0


@partial(kernel, inline="always")
def _point_score(b: Any, pair: int, player: int) -> int:
    first, second = pair & LOW, pair >> 32
    if b.by_larger:
        return max(first, second)
    if player == 0:
        return first + b.defence * second
    return second + b.defence * first


FREE, FORBIDDEN, WINS = -1, -2, -3  # a black stone; of several threes, their number

BACK, BEYOND = 0x11111, 1 << 20  # of a key: neighbours behind the point; the bit above

FORBIDDEN_FIELDS = [("forbids", np.int64)]  # 1 if the rule is renju


@kernel
def forbidden_points(b: Any, points: Any) -> None:
    """Set a flag for each point of the board, row by row: true if Black may not play there."""
    for row in range(b.size):
        for column in range(b.size):
            cell = (row + MARGIN) * STRIDE + column + MARGIN
            points[row * b.size + column] = b.cells[cell] == 0 and is_forbidden(b, cell)


@kernel
def is_allowed(b: Any, cell: int, player: int) -> bool:
    return b.forbids == 0 or player == 1 or not is_forbidden(b, cell)


@kernel
def is_forbidden(b: Any, cell: int) -> bool:
    what = makes(b, cell)
    return what == FORBIDDEN or (what > 1 and _makes_double_three(b, cell))


@kernel
def makes(b: Any, cell: int) -> int:
    """FREE, FORBIDDEN, WINS, or the number of threes that a black stone makes, if they decide."""
    threes, fours, is_five, is_long = 0, 0, False, False
    for direction in range(4):
        key = int64(b.keys[4 * cell + direction])
        code = int64(b.shapes[key]) & 15
        run = _arm(key, 0) + _arm(key, 1) + 1
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
def _arm(key: int, side: int) -> int:
    """The number of black stones in a row next to the point: behind it (0) or ahead (1)."""
    # The first neighbour that is not black ends the run, and BEYOND one that fills the key.
    black = (key & ~(key >> 1)) >> 2 * side
    return lowest(np.uint64(~black & BACK | BEYOND)) >> 2


@kernel
def _makes_double_three(b: Any, cell: int) -> bool:
    """True if two of the stone's threes or more can become straight fours by an allowed move."""
    threes = 0
    flip_keys(b, cell, int64(0))
    for direction in range(4):
        if int64(b.shapes[b.keys[4 * cell + direction]]) & 15 != LIVE_THREE:
            continue
        for slot in range(6):
            if _makes_straight_four(b, cell, direction, slot):
                other = cell + OFFSETS[10 * direction + slot]
                what = makes(b, other)
                if what == FREE or (what > 1 and not _makes_double_three(b, other)):
                    threes += 1
                    break
    flip_keys(b, cell, int64(0))
    return threes > 1


@kernel
def _makes_straight_four(b: Any, cell: int, direction: int, slot: int) -> bool:
    """True if one more stone, on this neighbour of a black one, makes a straight four of both."""
    if (int64(b.keys[4 * cell + direction]) >> 2 * slot) & 3 != 0:
        return False
    key = int64(b.keys[4 * (cell + OFFSETS[10 * direction + slot]) + direction])
    between = _arm(key, 1 - (slot & 1))
    is_four = between + _arm(key, slot & 1) == 3 and int64(b.shapes[key]) & 15 == LIVE_FOUR
    return is_four and between > slot >> 1
