"""The defences against two fours at once: everything that can keep the other side from a win."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bits import lowest
from ..shapes.evaluation import is_surely_allowed
from ..shapes.geometry import int64
from .board import WORDS, count_of, lift_stone, put_alone
from .classes import CLASSES, ONE_FIVE, TWO_FOURS
from .moves import push_class

MOST_SPOILERS = 64
"""More than a way to two fours has, or any but the longest wins by fours."""

FIELDS = [
    ("spoilers", np.int64, (MOST_SPOILERS,)),
    ("spoiler_count", np.int64),
]


@kernel
def list_defences(b: Any, player: int) -> bool:
    """Find the points that spoil all ways in which the other side could make two fours at once.

    False if there is no such way that is sure. `b.spoilers` are the points; a four of the player's
    own is an answer too. Of each way, the stone's cell and the two that complete its fours spoil
    it; where it has three such, only its own cell does.
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
    start = b.top
    put_alone(b, cell, player)
    b.stack[start], b.top = cell, start + 1
    push_class(b, player, ONE_FIVE, int64(0))
    lift_stone(b)
    end = b.top if b.top - start < 4 else start + 1
    b.top = start
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
def list_line(b: Any) -> None:
    """Take as spoilers the cells of the other side's win by fours that was found just before."""
    b.spoiler_count = 0
    while b.spoiler_count < MOST_SPOILERS and b.four_line[b.stones + b.spoiler_count] > 0:
        b.spoilers[b.spoiler_count] = b.four_line[b.stones + b.spoiler_count]
        b.spoiler_count += 1
