"""Which points a search tries, best first."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arena.jit import kernel
from engines.kit.board import CELLS, LARGEST, LOW, MARGIN, STRIDE

CELL_BITS = 11
LAST_CELL = (1 << CELL_BITS) - 1
"""Candidates are numbers: point score, then the cell counted from the end, so the earlier of two
equal points compares as the better."""
STACK = 1 << 15

FIELDS = [
    ("width", np.int64),  # how many are kept
    ("threshold", np.int64),  # if not 0, points that score more are kept instead
    ("window", np.int64),  # rows and columns from the last two moves; 0: the whole board
    ("far", np.int64),  # points worth this much to either side are taken anywhere
    ("by_larger", np.int64),  # point score: the larger worth, or own + defence * other's
    ("defence", np.int64),
    ("unordered", np.int64),  # stones at the bottom that nobody knows the order of
    ("top", np.int64),
    ("stack", np.int64, (STACK,)),
]


@kernel
def candidates(b: Any, player: int) -> int:
    """Put the player's candidates on the stack at `b.top`, sorted; returns how many."""
    if b.stones == 0:
        b.stack[b.top] = LAST_CELL - (MARGIN + b.size // 2) * (STRIDE + 1)
        return 1
    last = b.stones - 1
    everywhere = b.window == 0 or b.stones == b.unordered
    before = last if b.stones - b.unordered == 1 else last - 1
    count = 0
    if b.threshold > 0:
        count = gather(b, player, b.moves[last], b.moves[before], everywhere, b.threshold, CELLS)
    if count == 0:
        count = gather(b, player, b.moves[last], b.moves[before], everywhere, -1, b.width)
    if count == 0 and not everywhere:
        count = gather(b, player, b.moves[last], b.moves[before], True, -1, b.width)
    return count


@kernel
def gather(
    b: Any, player: int, last: int, before: int, everywhere: bool, above: int, width: int
) -> int:
    """Keep the best `width` of the points that score more than `above`."""
    reach = LARGEST if everywhere else b.window
    row_a, column_a = last // STRIDE, last % STRIDE
    row_b, column_b = before // STRIDE, before % STRIDE
    count = 0
    for row in range(MARGIN, MARGIN + b.size):
        reach_a = reach if abs(row - row_a) <= reach else -1
        reach_b = reach if abs(row - row_b) <= reach else -1
        for column in range(MARGIN, MARGIN + b.size):
            cell = row * STRIDE + column
            pair = b.values[cell]
            first, second = pair & LOW, pair >> 32
            larger = max(first, second)
            near = (abs(column - column_a) <= reach_a) | (abs(column - column_b) <= reach_b)
            if b.cells[cell] > 0 or not (near or larger >= b.far):
                continue
            if b.by_larger:
                score = larger
            elif player == 0:
                score = first + b.defence * second
            else:
                score = second + b.defence * first
            if score > above:
                count = insert(b, count, width, score << CELL_BITS | LAST_CELL - cell)
    return count


@partial(kernel, inline="always")
def insert(b: Any, count: int, width: int, candidate: int) -> int:
    """Put one in its place among the best; returns how many there are now."""
    place = b.top + min(count, width - 1)
    if count == width and b.stack[place] > candidate:
        return count
    while place > b.top and b.stack[place - 1] < candidate:
        b.stack[place] = b.stack[place - 1]
        place -= 1
    b.stack[place] = candidate
    return min(count + 1, width)
