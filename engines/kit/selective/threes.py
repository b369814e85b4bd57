"""Wins by fours and threes on the board of `selective`: every answer to each threat is tried.

What is found is proven. A four has one answer; to two fours at once that threaten, there are the
points that spoil them and the defender's own fours. The search gives up where its nodes end.
`threats.vct` is the same for boards that count shapes instead of keeping the points that make them;
it takes its moves in the order of their worth.
"""

from __future__ import annotations

from typing import Any

from arena.jit import kernel

from ..shapes.forbidden import is_allowed
from ..shapes.geometry import int64
from ..shapes.transposition import failed, remember_failure
from .board import count_of, first_of, lift_stone, put_alone
from .classes import (
    FOUR_AND_THREE,
    ONE_FIVE,
    ONE_FOUR,
    ONE_THREE,
    TWO_FOURS,
    TWO_THREES,
)
from .defences import list_defences
from .fours import may_go_on, note_end, quick_win
from .moves import push_class

BY_THREES = 0x1B873593CC9E2D51
"""A factor that keeps what fails here apart from what fails elsewhere."""


@kernel
def win_by_threats(b: Any, player: int, moves: int, nodes: int) -> int:
    """Plies to the player's five by at most so many threats; 0 if none is found.

    `b.four_line` has the first move, by the number of stones on the board.
    """
    b.gave_up = 0
    b.forced_end = b.forced_nodes + nodes
    return threats_to_five(b, player, moves)


@kernel
def threats_to_five(b: Any, player: int, moves: int) -> int:
    """The search itself: plies to the five against the longest defence, or 0."""
    plies = quick_win(b, player)
    if plies != 0:
        return max(plies, int64(0))
    key = b.key ^ b.salt ^ (player + 1) * BY_THREES
    if moves <= 0 or failed(b, key) >= moves:
        return int64(0)
    start = b.top
    push_threats(b, player, first_of(b, 1 - player, ONE_FIVE))
    for place in range(start, b.top):
        cell = b.stack[place]
        if not is_allowed(b, cell, player):
            continue
        if not may_go_on(b):
            break
        put_alone(b, cell, player)
        first = b.top
        if push_answers(b, player):
            plies = int64(3) if count_of(b, player, ONE_FIVE) > 0 else int64(5)
            for answer in range(first, b.top):
                reply = b.stack[answer]
                if plies == 0 or not is_allowed(b, reply, 1 - player):
                    continue
                put_alone(b, reply, 1 - player)
                found = threats_to_five(b, player, moves - 1)
                lift_stone(b)
                plies = max(plies, found + 2) if found > 0 else int64(0)
        b.top = first
        lift_stone(b)
        if plies > 0:
            note_end(b, cell)
        if plies > 0 or b.gave_up:
            break
    b.top = start
    if plies == 0 and b.gave_up == 0:
        remember_failure(b, key, moves)
    return plies


@kernel
def push_threats(b: Any, player: int, must: int) -> None:
    """Put the moves on the stack that threaten a win, crossing ones first."""
    for kind in (FOUR_AND_THREE, TWO_THREES, ONE_FOUR, ONE_THREE):
        push_class(b, player, kind, must)


@kernel
def push_answers(b: Any, player: int) -> bool:
    """Put all answers to the player's last stone on the stack; False if it threatens nothing."""
    if count_of(b, player, ONE_FIVE) > 0:
        b.stack[b.top] = first_of(b, player, ONE_FIVE)
        b.top += 1
        return True
    if not list_defences(b, 1 - player):
        return False
    for place in range(b.spoiler_count):
        b.stack[b.top] = b.spoilers[place]
        b.top += 1
    for kind in (ONE_FOUR, FOUR_AND_THREE, TWO_FOURS):
        push_class(b, 1 - player, kind, int64(0))
    return True


@kernel
def may_win_by_threats(b: Any, player: int) -> bool:
    """False if the player's points promise no win by fours and threes: a quick look."""
    crossing = count_of(b, player, FOUR_AND_THREE) + count_of(b, player, TWO_THREES)
    return crossing > 0 or count_of(b, player, ONE_FOUR) + count_of(b, player, ONE_THREE) > 2
