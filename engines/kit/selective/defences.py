"""The defences against two fours at once: everything that can keep the other side from a win."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel
from engines.kit.bits import lowest
from engines.kit.selective.board import WORDS, count_of, lift_stone, put_alone
from engines.kit.selective.classes import CLASSES, ONE_FIVE, TWO_FOURS
from engines.kit.shapes.forbidden import is_allowed
from engines.kit.shapes.geometry import int64
from engines.kit.shapes.table import LIVE_THREE

MOST_SPOILERS = 64

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
            if is_sure(b, cell, 1 - player):
                keep_spoilers(b, int64(cell), 1 - player)
    return b.spoiler_count >= 0


@kernel
def is_sure(b: Any, cell: int, player: int) -> bool:
    """True if the player may play there, whatever quiet move comes first.

    In renju, a white stone may make a black three a true one, and the move a double three.
    """
    if b.forbids == 0 or player == 1:
        return True
    threes = 0
    for direction in range(4):
        threes += int64(b.shapes[b.keys[4 * cell + direction]]) & 15 == LIVE_THREE
    return threes < 2 and is_allowed(b, cell, player)


@kernel
def keep_spoilers(b: Any, cell: int, player: int) -> None:
    """Keep of the spoilers those that spoil the player's two fours from this cell, too."""
    put_alone(b, cell, player)
    first = second = third = int64(0)
    start = (CLASSES * player + ONE_FIVE) * WORDS
    for word in range(b.first_word, b.last_word + 1):
        cells = b.class_sets[start + word]
        while cells != 0:
            other = int64((word << 6) + lowest(cells))
            cells &= cells - np.uint64(1)
            if first == 0:
                first = other
            elif second == 0:
                second = other
            else:
                third = other
    lift_stone(b)
    if third > 0:
        first = second = int64(0)
    if b.spoiler_count < 0:
        b.spoilers[0], b.spoiler_count = cell, 1
        if first > 0:
            b.spoilers[1], b.spoilers[2], b.spoiler_count = first, second, 3
        return
    kept = 0
    for place in range(b.spoiler_count):
        spoiler = b.spoilers[place]
        if (spoiler == cell) | (spoiler == first) | (spoiler == second):
            b.spoilers[kept] = spoiler
            kept += 1
    b.spoiler_count = kept


@kernel
def list_line(b: Any) -> None:
    """Take as spoilers the cells of the other side's win by fours that was found just before."""
    b.spoiler_count = 0
    while b.spoiler_count < MOST_SPOILERS and b.four_line[b.stones + b.spoiler_count] > 0:
        b.spoilers[b.spoiler_count] = b.four_line[b.stones + b.spoiler_count]
        b.spoiler_count += 1
