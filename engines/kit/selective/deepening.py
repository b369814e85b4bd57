"""Iterative deepening with an aspiration window: the whole search of a move in one call."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel
from engines.kit.bounds import INFINITY
from engines.kit.clock import NEVER, now
from engines.kit.selective.board import count_of, survey
from engines.kit.selective.classes import ONE_FIVE
from engines.kit.selective.fours import win_by_fours
from engines.kit.selective.history import age_history, forget_history
from engines.kit.selective.moves import list_open
from engines.kit.selective.outcomes import WIN, is_decided, is_proven
from engines.kit.selective.plan import note_last
from engines.kit.selective.positions import GENERATIONS, forget_positions
from engines.kit.selective.search import seek
from engines.kit.selective.threes import win_by_threats
from engines.kit.shapes.candidates import take_best
from engines.kit.shapes.forbidden import is_allowed
from engines.kit.shapes.geometry import MARGIN, STRIDE, int64
from engines.kit.shapes.search import PLIES

FIELDS = [
    ("window", np.int64),  # half of the first window, in hundredths of a unit; 0: no window
    ("root_fours", np.int64),
    ("root_threats", np.int64),
    ("root_four_nodes", np.int64),
    ("root_share", np.int64),  # hundredths of all nodes that this may take beside them
    ("begun", np.int64),  # when thinking began
    ("share", np.int64),  # nanoseconds to use of a game clock; 0: up to the deadline
]


@kernel
def think_selectively(b: Any, player: int, deepest: int) -> int:
    """Search the position on the board; returns its value to the player.

    `b.root_move` is the move, 0 on a full board, and row 0 of `b.plan` the expected play.
    `b.reached` is the last depth finished.
    """
    survey(b)
    b.root_player, b.top, b.reached = player, 0, 0
    b.root_move = b.root_value = b.plan[0] = 0
    b.generation = (b.generation + 1) % GENERATIONS
    age_history(b)
    if b.stones == 0:
        note_last(b, int64(0), (MARGIN + b.size // 2) * (STRIDE + 1))
        b.root_move = b.plan[0]
        visit_empty(b)
        return 0
    b.next_check = NEVER
    value = seek(b, player, int64(1), -INFINITY, INFINITY, int64(0))
    if b.root_move == 0:
        b.root_move, b.root_value = move_without_search(b, player), value
        note_last(b, int64(0), b.root_move)
    b.reached = 1
    line_of_play(b)
    b.next_check = 0
    if is_proven(value) or has_one_answer(b, player):
        return value
    changes, fours, threats = 0.0, int64(2), int64(2)
    for depth in range(2, deepest + 1):
        plies, fours = root_win(b, player, fours)
        if plies == 0 and b.stopped == 0:
            plies, threats = root_threat_win(b, player, threats)
        if plies > 0:
            b.root_move = b.four_line[b.stones]
            fours_plan(b)
            return WIN - plies
        if b.stopped:
            break
        before = b.root_move
        value = aspire(b, player, depth, value)
        if b.stopped:
            break
        b.reached = depth
        line_of_play(b)
        changes = changes * 0.5 + (b.root_move != before)
        if is_proven(value) or is_time_used(b, changes):
            break
    return b.root_value


@kernel
def visit_empty(b: Any) -> None:
    """Count the one node of an empty board."""
    b.nodes += 1
    b.reached = 1
    b.line[0], b.line[1] = b.root_move, 0


@kernel
def move_without_search(b: Any, player: int) -> int:
    """The move where all is decided already: it wins at once, or is as good as any; 0 without."""
    if b.plan[0] > 0 and is_allowed(b, b.plan[0], player):
        return int64(b.plan[0])
    best = take_best(b, player, b.top, list_open(b, player, int64(0)))
    for row in range(MARGIN, MARGIN + b.size):
        for cell in range(row * STRIDE + MARGIN, row * STRIDE + MARGIN + b.size):
            if best == 0 and b.cells[cell] == 0 and is_allowed(b, cell, player):
                best = int64(cell)
    return int64(best)


@kernel
def has_one_answer(b: Any, player: int) -> bool:
    """True if the other side has a five at hand: its cell is the only answer."""
    return count_of(b, 1 - player, ONE_FIVE) > 0


@kernel
def root_win(b: Any, player: int, fours: int) -> tuple[int, int]:
    """Plies of a win by fours, or 0; more and more of them, from `fours` on, within their nodes.

    Also returns how many fours to go on with at the next depth.
    """
    end = b.root_four_nodes + b.nodes * b.root_share // 100
    while fours <= b.root_fours and end > 0:
        before = b.forced_nodes
        plies = win_by_fours(b, player, fours, end)
        if plies > 0 or b.stopped or b.gave_up:
            return plies, fours
        end -= b.forced_nodes - before
        fours += 1
    return int64(0), fours


@kernel
def root_threat_win(b: Any, player: int, threats: int) -> tuple[int, int]:
    """The same by fours and threes, within a share of the nodes so far."""
    end = b.nodes * b.root_share // 100
    while threats <= b.root_threats and end > 0:
        before = b.forced_nodes
        plies = win_by_threats(b, player, threats, end)
        if plies > 0 or b.stopped or b.gave_up:
            return plies, threats
        end -= b.forced_nodes - before
        threats += 1
    return int64(0), threats


@kernel
def aspire(b: Any, player: int, depth: int, value: int) -> int:
    """Search to a depth, in a window around the last value that widens where it was too narrow."""
    half_window = max(b.window * b.unit // 100, int64(1))
    alpha, beta = value - half_window, value + half_window
    if b.window == 0 or depth < 4 or is_decided(value):
        alpha, beta = -INFINITY, INFINITY
    while True:
        found = seek(b, player, int64(depth), alpha, beta, int64(0))
        if b.stopped or (alpha < found and found < beta):
            return found
        half_window *= 4
        if found <= alpha:
            alpha = -INFINITY if is_decided(found) else found - half_window
        else:
            beta = INFINITY if is_decided(found) else found + half_window


@kernel
def is_time_used(b: Any, changes: float) -> bool:
    """True if a game clock's share is used; it is the larger the more the best move changes."""
    if b.share == 0:
        return False
    return now() - b.begun > b.share * (0.4 + 0.5 * min(changes, 2.0))


@kernel
def line_of_play(b: Any) -> None:
    """Keep the expected play of a finished depth in row 0 of `b.line`."""
    keep_line(b, b.plan, int64(0))


@kernel
def fours_plan(b: Any) -> None:
    """Keep a win by fours as the expected play."""
    keep_line(b, b.four_line, b.stones)


@kernel
def keep_line(b: Any, cells: Any, start: int) -> None:
    """Keep the cells from a place on, up to a 0, as the expected play."""
    step = 0
    while cells[start + step] > 0 and step < PLIES - 2:
        b.line[step] = cells[start + step]
        step += 1
    b.line[step] = 0


@kernel
def forget_all(b: Any) -> None:
    """Forget everything about earlier positions, for a new game."""
    forget_positions(b)
    forget_history(b)
