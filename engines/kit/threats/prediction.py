"""Forced-move prediction, and the worth of an empty point to both sides."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bounds import INFINITY
from ..clock import visit
from ..shapes.board import count_of, first_of, half, play, undo
from ..shapes.candidates import CELL_BITS, PLACE, candidate, is_allowed, is_forbidden, take_best
from ..shapes.evaluation import code_at
from ..shapes.search import PLIES
from ..shapes.table import (
    LIVE_FOUR,
    LIVE_THREE,
    LIVE_TWO,
    MARGIN,
    OFFSETS,
    ONE_FIVE,
    ONE_FOUR,
    ONE_THREE,
    RUSH_FOUR,
    STEPS,
    STRIDE,
    TWO_FOURS,
    int64,
)
from .forced_wins import UNBOUNDED, copy_line, five_at_hand, may_go_on, plies_after, win_by_threats

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
    best = _list_points(b, player)
    points = b.top
    if points == 0:
        b.chosen, b.verdict = 0, LOST
        return
    b.chosen = _cell_in(best)
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
            _take_away(b, player, moves, points)
        if b.stopped:
            return
        b.predicted = moves
        if b.verdict == WON or b.verdict == LOST:
            return


@kernel
def _take_away(b: Any, player: int, moves: int, points: int) -> None:
    """Choose a move that spoils the other side's win in this number of moves, if it has one."""
    if not attacks(b, 1 - player, moves):
        return
    aim = b.line[0]
    if not is_allowed(b, aim, player):
        aim = b.chosen
    # What spoiled a quicker win delays this one, and a limit may come before anything better.
    delay = b.chosen if b.verdict == PARRIED else aim
    b.chosen, b.verdict = delay, PARRIED
    # The other side's own point comes first, then all others, the best first.
    if _spoils(b, aim, player, moves):
        b.chosen = aim
        return
    below = INFINITY
    for _ in range(points):
        best = int64(0)
        for place in range(points):
            if b.stack[place] < below:
                best = max(best, b.stack[place])
        below = best
        if _spoils(b, _cell_in(best), player, moves):
            b.chosen = _cell_in(best)
            return
        if b.stopped:
            return
    b.verdict = LOST


@kernel
def _spoils(b: Any, cell: int, player: int, moves: int) -> bool:
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
    listed = _list_threats(b, player, moves)
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
def _list_threats(b: Any, player: int, moves: int) -> int:
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
                own = max(own, _worth(b, cell, player))
                other = max(other, _worth(b, cell, 1 - player))
    return own - other


POTENTIAL_BITS, CENTRE_BITS = 7, 6

POINT_VALUE_FIELDS = [
    ("double_three", np.int64),  # added where two live threes cross
    ("three_and_four", np.int64),
    ("double_four", np.int64),
    ("aim", np.int64),  # added for each of White's lines with a point forbidden to Black
    ("other_share", np.int64),  # hundredths of the other side's worth that count
]


@kernel
def _worth(b: Any, cell: int, player: int) -> int:
    """The sum of the player's codes at an empty cell, and of the bonus for two that cross."""
    if not is_allowed(b, cell, player):
        return 0
    value = half(b.values[cell], player)
    fours = threes = 0
    for direction in range(4):
        code = code_at(b, cell, direction, player)
        if b.forbids and player == 1 and code >= LIVE_TWO and _is_aimed(b, cell, direction):
            value += b.aim
        fours += (code == RUSH_FOUR) | (code == LIVE_FOUR)
        threes += code == LIVE_THREE
    if fours > 1:
        return value + b.double_four
    if fours + threes > 1:
        return value + (b.three_and_four if fours else b.double_three)
    return value


@kernel
def _is_aimed(b: Any, cell: int, direction: int) -> bool:
    """True if White's line here meets a point forbidden to Black before it meets a black stone."""
    # Four cells each way: as far as the line's fives, or their blocks, could be.
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
def _potential(b: Any, cell: int) -> int:
    """The sum over both sides' stones in line with the cell: 5 - k for one k cells away, k < 5."""
    value = 0
    for direction in range(4):
        for slot in range(8):
            state = b.cells[cell + OFFSETS[10 * direction + slot]]
            if state == 1 or state == 2:
                value += 4 - slot // 2
    return value


@kernel
def _point_number(b: Any, cell: int, player: int) -> int:
    """A number that is greater the sooner the player should go there; `_cell_in` reads the cell.

    Worth decides, then potential, then nearness to the centre, then the order of the rows.
    """
    value = 100 * _worth(b, cell, player) + b.other_share * _worth(b, cell, 1 - player)
    row, column = cell // STRIDE - MARGIN, cell % STRIDE - MARGIN
    last = b.size - 1
    off_centre = max(abs(2 * row - last), abs(2 * column - last))
    number = value << POTENTIAL_BITS | _potential(b, cell)
    number = number << CENTRE_BITS | (b.size - off_centre)
    return number << CELL_BITS | (PLACE - cell)


@kernel
def _cell_in(number: int) -> int:
    return PLACE - (number & PLACE)


@kernel
def _list_points(b: Any, player: int) -> int:
    """Put the numbers of all allowed points on the stack; returns the greatest, 0 without."""
    best = 0
    for row in range(MARGIN, MARGIN + b.size):
        for cell in range(row * STRIDE + MARGIN, row * STRIDE + MARGIN + b.size):
            if b.cells[cell] == 0 and is_allowed(b, cell, player):
                number = _point_number(b, cell, player)
                b.stack[b.top] = number
                b.top += 1
                best = max(best, number)
    return best
