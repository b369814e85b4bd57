"""Forced-move prediction: a point that wins, or one that takes the other side's win away."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bounds import INFINITY
from ..clock import visit
from ..shapes.board import count_of, first_of, play, undo
from ..shapes.candidates import candidate, take_best
from ..shapes.evaluation import code_at
from ..shapes.forbidden import is_allowed
from ..shapes.geometry import MARGIN, STRIDE, int64
from ..shapes.search import PLIES
from ..shapes.table import ONE_FIVE, ONE_FOUR, ONE_THREE, TWO_FOURS
from .forced_wins import (
    UNBOUNDED,
    copy_line,
    five_at_hand,
    may_go_on,
    plies_after,
    win_by_threats,
)
from .point_values import cell_in, list_points, worth

MOST_MOVES = (PLIES - 2) // 2
"""Number of moves before the five that a line of play has room for; the stack has room for more."""
QUIET, WON, PARRIED, LOST = range(4)
VERDICTS = ("quiet", "won", "parried", "lost")
"""Names of the results: no win, an own win, a win of the other side's with a move that spoils it,
or a win of the other side's that nothing spoils."""

PREDICTION_FIELDS = [
    ("chosen", np.int64),  # the cell to play; 0 if all are forbidden
    ("predicted", np.int64),  # moves before the five that all was looked at for
    ("verdict", np.int64),
]


@kernel
def decide(b: Any, player: int, most: int) -> None:
    """Choose the player's move, looking for wins of up to `most` moves before the five.

    If neither side wins, it is the point that is worth most. The number of moves grows one at a
    time, so that a limit leaves the best answer known by then.
    """
    b.predicted, b.verdict, b.top = 0, QUIET, 0
    visit(b)
    best = list_points(b, player)
    points = b.top
    if points == 0:
        b.chosen, b.verdict = 0, LOST
        return
    b.chosen = cell_in(best)
    if attacks(b, player, int64(0)):
        b.chosen, b.verdict = b.line[0], WON
        return
    must = first_of(b, 1 - player, ONE_FIVE)
    if must > 0:
        b.verdict = LOST if count_of(b, 1 - player, ONE_FIVE) > 1 else PARRIED
        if is_allowed(b, must, player):
            b.chosen = must
        else:
            b.verdict = LOST
    for moves in range(1, most + 1):
        if attacks(b, player, moves):
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
    """Choose a move that spoils the other side's win in this number of moves, if it has one.

    The point that it would play is tried first, then all others, the best first.
    """
    if not attacks(b, 1 - player, moves):
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
    """True if the other side no longer wins in this number of moves, the block of a four aside."""
    kind = b.classes[2 * cell + player]
    blocked = ONE_FOUR <= kind <= TWO_FOURS and is_allowed(b, cell, player)
    play(b, cell, player)
    plies = win_by_threats(b, 1 - player, int64(moves + blocked - 1), UNBOUNDED)
    undo(b)
    return plies == 0 and not b.stopped


@kernel
def attacks(b: Any, player: int, moves: int) -> bool:
    """True if the player, to move, makes five after at most this many moves (up to MOST_MOVES).

    Row 0 of `b.line` is then the longest defence. Of several first moves that win, it has the one
    with the greatest shapes. False with `b.stopped` means that a limit came first.
    """
    b.complete, b.gave_up, b.root = 1, 0, b.stones
    b.forced_end = b.forced_nodes + UNBOUNDED
    plies = five_at_hand(b, player)
    if plies != 0 or moves == 0:
        copy_line(b, plies)
        return plies > 0
    start = b.top
    listed = list_threats(b, player, moves)
    b.top = start + listed
    for _ in range(listed):
        cell = take_best(b, player, start, listed)
        if cell == 0 or not may_go_on(b):
            break
        plies = plies_after(b, player, cell, moves - 1)
        if plies > 0 or b.gave_up:
            break
    b.top = start
    return plies > 0


@kernel
def list_threats(b: Any, player: int, moves: int) -> int:
    """Put the moves on the stack that may win, sorted by their shapes; returns their number.

    Only the block of a four may, if the other side has one. With one move left, these are the moves
    that make two fours, or for White in renju a four; else also those that make a live three.
    """
    must, listed = first_of(b, 1 - player, ONE_FIVE), int64(0)
    least = ONE_THREE
    if moves == 1:
        least = ONE_FOUR if b.forbids and player == 1 else TWO_FOURS
    for row in range(MARGIN, MARGIN + b.size):
        for cell in range(row * STRIDE + MARGIN, row * STRIDE + MARGIN + b.size):
            if b.cells[cell] > 0 or (must > 0 and cell != must):
                continue
            if b.classes[2 * cell + player] >= least or (must > 0 and moves > 1):
                order = 0
                for direction in range(4):
                    order += 1 << code_at(b, cell, direction, player)
                b.stack[b.top + listed] = candidate(order, listed, cell)
                listed += 1
    return listed


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
