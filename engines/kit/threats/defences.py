"""The answers to a threat of two fours at once: the points that spoil all ways to make them."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bits import lowest
from ..shapes.board import count_of
from ..shapes.codes import WORDS
from ..shapes.evaluation import code_at, completes_five, is_surely_allowed
from ..shapes.geometry import OFFSETS, int64
from ..shapes.table import CLASSES, RUSH_FOUR, TWO_FOURS

MOST_SPOILERS = 64
"""More than the cells that complete the fours of a single stone."""

DEFENCE_FIELDS = [
    ("spoilers", np.int64, (MOST_SPOILERS,)),
    ("spoiler_count", np.int64),
]


@kernel
def is_threatened(b: Any, player: int) -> bool:
    """True if the other side could surely make two fours at once: then there are defences."""
    if count_of(b, 1 - player, TWO_FOURS) == 0:
        return False
    start = (CLASSES * (1 - player) + TWO_FOURS) * WORDS
    for word in range(b.first_word, b.last_word + 1):
        cells = b.class_sets[start + word]
        while cells != 0:
            cell = (word << 6) + lowest(cells)
            cells &= cells - np.uint64(1)
            if is_surely_allowed(b, cell, 1 - player):
                return True
    return False


@kernel
def list_defences(b: Any, player: int) -> bool:
    """Find the points that spoil all ways in which the other side could make two fours at once.

    False if there is no such way that is sure. `b.spoilers` are the points; a four of the player's
    own is an answer too. Of each way, the stone's cell and the two that complete its fours spoil
    it; where three or more complete them, only the stone's own cell does.
    """
    b.spoiler_count = -1
    if count_of(b, 1 - player, TWO_FOURS) == 0:
        return False
    start = (CLASSES * (1 - player) + TWO_FOURS) * WORDS
    for word in range(b.first_word, b.last_word + 1):
        cells = b.class_sets[start + word]
        while cells != 0 and b.spoiler_count != 0:
            cell = (word << 6) + lowest(cells)
            cells &= cells - np.uint64(1)
            if is_surely_allowed(b, cell, 1 - player):
                keep_spoilers(b, int64(cell), 1 - player)
    return b.spoiler_count >= 0


@kernel
def keep_spoilers(b: Any, cell: int, player: int) -> None:
    """Keep of the spoilers those that spoil the player's two fours from this cell, too."""
    start, end = b.top, list_completing(b, cell, player)
    end = end if end - start < 4 else start + 1
    if b.spoiler_count < 0:
        b.spoiler_count = end - start
        for place in range(b.spoiler_count):
            b.spoilers[place] = b.stack[start + place]
        return
    kept = 0
    for place in range(b.spoiler_count):
        for other in range(start, end):
            if b.spoilers[place] == b.stack[other]:
                b.spoilers[kept] = b.spoilers[place]
                kept += 1
                break
    b.spoiler_count = kept


@kernel
def list_completing(b: Any, cell: int, player: int) -> int:
    """Put a cell above the stack, then the cells that make five once the player has a stone on it.

    The player must have no five at hand. Returns the end of the list; `b.top` stays.
    """
    first, end = b.top, b.top + 1
    b.stack[first] = cell
    for direction in range(4):
        if code_at(b, cell, direction, player) < RUSH_FOUR:
            continue
        for slot in range(8):
            other = cell + OFFSETS[10 * direction + slot]
            if b.cells[other] == 0 and completes_five(b, other, direction, slot, player):
                place = end  # sorted, so that the list is the same however it is made
                while place > first + 1 and b.stack[place - 1] > other:
                    b.stack[place] = b.stack[place - 1]
                    place -= 1
                b.stack[place] = other
                end += 1
    return end
