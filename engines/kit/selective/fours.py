"""Wins by continuous fours on the board of `selective`, within so many fours and nodes.

What is found is proven. What is not found may be there: the search gives up where its nodes end.
`threats.vcf` is for those who ask once: it finds the shortest win on any board, and looks at all
its points in each position. This search is asked at most nodes of another, whose board keeps the
points that make fours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from .. import MAX_SIZE
from ..bits import lowest
from ..clock import visit
from ..shapes.forbidden import is_allowed
from ..shapes.geometry import int64
from ..shapes.transposition import failed, remember_failure
from .board import WORDS, count_of, first_of, lift_stone, put_alone
from .classes import (
    CLASSES,
    FOUR_AND_THREE,
    ONE_FIVE,
    ONE_FOUR,
    TWO_FOURS,
)
from .moves import has_room, push_class

BY_FOURS = 0x5851F42D4C957F2D
"""A factor that keeps what fails here apart from what fails elsewhere."""

FIELDS = [
    ("forced_nodes", np.int64),
    ("forced_end", np.int64),  # of forced nodes: the search under way gives up there
    ("gave_up", np.int64),
    ("four_line", np.int64, (MAX_SIZE * MAX_SIZE + 16,)),  # by stones: the winning move
]


@kernel
def win_by_fours(b: Any, player: int, fours: int, nodes: int) -> int:
    """Plies to the player's five by continuous fours, the player to move; 0 if none is found.

    `b.four_line` has the moves, by the number of stones on the board.
    """
    b.gave_up = 0
    b.forced_end = b.forced_nodes + nodes
    return fours_to_five(b, player, fours)


@kernel
def fours_to_five(b: Any, player: int, fours: int) -> int:
    """The search itself: plies to the five, or 0."""
    plies = quick_win(b, player)
    if plies != 0:
        return max(plies, int64(0))
    # One four alone wins only where its answer may be forbidden.
    if fours <= 0 or (fours == 1 and b.forbids == 0) or not has_fours(b, player):
        return int64(0)
    key = b.key ^ b.salt ^ (player + 1) * BY_FOURS
    if failed(b, key) >= fours or not may_go_on(b):
        return int64(0)
    start, must = b.top, first_of(b, 1 - player, ONE_FIVE)
    push_class(b, player, FOUR_AND_THREE, must)
    push_class(b, player, ONE_FOUR, must)
    for place in range(start, b.top):
        cell = b.stack[place]
        if not is_allowed(b, cell, player):
            continue
        put_alone(b, cell, player)
        reply = first_of(b, player, ONE_FIVE)
        if reply > 0 and not is_allowed(b, reply, 1 - player):
            plies = int64(3)
            b.four_line[b.stones] = 0  # nobody knows what is played instead
        elif reply > 0:
            put_alone(b, reply, 1 - player)
            found = fours_to_five(b, player, fours - 1)
            lift_stone(b)
            if found > 0:
                b.four_line[b.stones] = reply
                plies = found + 2
        lift_stone(b)
        if plies > 0:
            b.four_line[b.stones] = cell
            break
    b.top = start
    if plies == 0 and b.gave_up == 0:
        remember_failure(b, key, fours)
    return plies


@kernel
def may_go_on(b: Any) -> bool:
    """Count a node of the search under way, which otherwise gives up."""
    if b.forced_nodes >= b.forced_end or not has_room(b) or not visit(b):
        b.gave_up = 1
        return False
    b.forced_nodes += 1
    return True


@kernel
def quick_win(b: Any, player: int) -> int:
    """Plies of a win that needs no search, 1 or 3; -1 if the other side wins first, else 0."""
    if count_of(b, player, ONE_FIVE) > 0:
        note_end(b, first_of(b, player, ONE_FIVE))
        return int64(1)
    if count_of(b, 1 - player, ONE_FIVE) > 1:
        return int64(-1)
    cell = allowed_of(b, player, TWO_FOURS, first_of(b, 1 - player, ONE_FIVE))
    if cell > 0:
        note_two_fours(b, cell, player)
        return int64(3)
    return int64(0)


@kernel
def allowed_of(b: Any, player: int, kind: int, must: int) -> int:
    """A cell of the class where the player may play, `must` if there is one; 0 without."""
    if count_of(b, player, kind) == 0:
        return int64(0)
    for word in range(b.first_word, b.last_word + 1):
        cells = b.class_sets[(CLASSES * player + kind) * WORDS + word]
        while cells != 0:
            cell = (word << 6) + lowest(cells)
            cells &= cells - np.uint64(1)
            if (must == 0 or cell == must) and is_allowed(b, cell, player):
                return int64(cell)
    return int64(0)


@kernel
def note_end(b: Any, cell: int) -> None:
    """Write down the last move of a winning line that needs no search."""
    b.four_line[b.stones] = cell
    b.four_line[b.stones + 1] = 0


@kernel
def note_two_fours(b: Any, cell: int, player: int) -> None:
    """Write down a move that makes two fours, and after it two cells that complete them."""
    put_alone(b, cell, player)
    start = b.top
    push_class(b, player, ONE_FIVE, int64(0))
    b.four_line[b.stones], b.four_line[b.stones + 1] = b.stack[start], b.stack[start + 1]
    b.four_line[b.stones + 2], b.top = 0, start
    lift_stone(b)
    b.four_line[b.stones] = cell


@kernel
def has_fours(b: Any, player: int) -> bool:
    """True if the player can make a four: so there are two cells at least that make one."""
    return count_of(b, player, ONE_FOUR) + count_of(b, player, FOUR_AND_THREE) > 0
