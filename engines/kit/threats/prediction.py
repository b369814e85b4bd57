"""Forced-move prediction: a point that wins, or one that takes the other side's win away."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bounds import INFINITY
from ..clock import visit
from ..shapes.board import play, undo
from ..shapes.forbidden import is_allowed
from ..shapes.geometry import MARGIN, STRIDE, int64
from .point_values import cell_in, list_points, worth
from .vcf import makes_four
from .vct import attack_wins, fives_at_hand

QUIET, WON, PARRIED, LOST = range(4)
VERDICTS = ("quiet", "won", "parried", "lost")
"""Names of what was found: nothing, an own win, one of the other side's with a move that spoils it,
or one that nothing spoils."""

FIELDS = [
    ("chosen", np.int64),  # the cell to play; 0 if all are forbidden
    ("predicted", np.int64),  # moves before the five that all was looked at for
    ("verdict", np.int64),
]


@kernel
def decide(b: Any, player: int, most: int) -> None:
    """Choose the player's move, looking for wins of up to `most` moves before the five.

    If nobody wins, it is the point that is worth most. The number of moves grows one at a time, so
    that a limit leaves the best answer known by then.
    """
    b.predicted, b.verdict, b.top = 0, QUIET, 0
    visit(b)
    best = list_points(b, player)
    points = b.top
    if points == 0:
        b.chosen, b.verdict = 0, LOST
        return
    b.chosen = cell_in(best)
    own, _ = fives_at_hand(b, player)
    must, second = fives_at_hand(b, 1 - player)
    if own > 0:
        b.chosen, b.verdict = own, WON
        b.line[0], b.line[1] = own, 0
        return
    if must > 0:
        b.verdict = LOST if second > 0 else PARRIED
        if is_allowed(b, must, player):
            b.chosen = must
        else:
            b.verdict = LOST
    for moves in range(1, most + 1):
        won = attack_wins(b, player, moves)
        if won:
            b.chosen, b.verdict = b.line[0], WON
        elif must == 0 and not b.stopped:
            take_away(b, player, moves, points)
        if b.stopped:
            return
        b.predicted = moves
        if b.verdict == WON or b.verdict == LOST:
            return


@kernel
def take_away(b: Any, player: int, moves: int, points: int) -> None:
    """Choose a move that spoils the other side's win in so many moves, if it has one.

    The point that it would play is tried first, then all others, the best first.
    """
    if not attack_wins(b, 1 - player, moves):
        return
    aim = b.line[0]
    if not is_allowed(b, aim, player):
        aim = b.chosen
    # What spoiled a quicker win delays this one, and a limit may come before anything better.
    delay = b.chosen if b.verdict == PARRIED else aim
    b.chosen, b.verdict = delay, PARRIED
    if spoils(b, aim, player, moves):
        b.chosen = aim
        return
    below = INFINITY
    for _ in range(points):
        best = int64(0)
        for place in range(points):
            if b.stack[place] < below:
                best = max(best, b.stack[place])
        below = best
        if spoils(b, cell_in(best), player, moves):
            b.chosen = cell_in(best)
            return
        if b.stopped:
            return
    b.verdict = LOST


@kernel
def spoils(b: Any, cell: int, player: int, moves: int) -> bool:
    """True if the other side wins no more in so many moves, the block of a four not counted."""
    blocked = makes_four(b, cell, player)
    play(b, cell, player)
    lost = attack_wins(b, 1 - player, moves + blocked)
    undo(b)
    return not lost and not b.stopped


@kernel
def balance_of_points(b: Any, player: int) -> int:
    """The best point's worth to the player, less the best point's to the other side."""
    own = other = 0
    for row in range(MARGIN, MARGIN + b.size):
        for cell in range(row * STRIDE + MARGIN, row * STRIDE + MARGIN + b.size):
            if b.cells[cell] == 0:
                own = max(own, worth(b, cell, player))
                other = max(other, worth(b, cell, 1 - player))
    return own - other
