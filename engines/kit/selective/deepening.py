"""Iterative deepening with an aspiration window: the whole search of a move in one call."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bounds import INFINITY
from ..clock import now
from ..shapes.board import count_of, first_of
from ..shapes.forbidden import is_allowed
from ..shapes.geometry import MARGIN, STRIDE, int64
from ..shapes.search import PLIES, end_line
from ..shapes.table import ONE_FIVE
from ..threats.defences import list_defences
from ..threats.forced_wins import win_by_fours, win_by_threats
from .history import age_history, forget_history
from .moves import find_near
from .outcomes import WIN, doubted, is_decided, is_proven, settled_value
from .positions import GENERATIONS, forget_positions
from .pruning import begin_moves, next_move
from .search import seek

DEEPENING_FIELDS = [
    ("window", np.int64),  # half of the first window, in hundredths of a unit; 0: no window
    ("window_depth", np.int64),  # the first depth that has one
    ("window_growth", np.int64),  # what its half is multiplied by where it was too narrow
    ("root_fours", np.int64),
    ("root_threats", np.int64),
    ("root_four_nodes", np.int64),
    ("root_share", np.int64),  # hundredths of all nodes that this may take beside them
    ("begun", np.int64),  # when thinking began
    ("share", np.int64),  # nanoseconds to use of a game clock; 0: up to the deadline
    ("steady_share", np.int64),  # hundredths of it, where the best move stays
    ("change_share", np.int64),  # hundredths more for each change of the best move
    ("change_decay", np.int64),  # hundredths of a change that count a depth later
    ("expected", np.int64, (PLIES,)),  # the play that the last finished depth expects
]


@kernel
def think_selectively(b: Any, player: int, deepest: int) -> int:
    """Search the position on the board; returns its value to the player.

    `b.root_move` is the move, 0 if there is none, and `b.expected` the expected play.
    `b.reached` is the last depth finished; 0 if a limit came before the first was.
    """
    find_near(b)
    b.root_player, b.top, b.reached = player, 0, 0
    b.root_move = b.root_value = b.line[0] = 0
    b.generation = (b.generation + 1) % GENERATIONS
    age_history(b)
    if b.stones == 0:
        return first_stone(b)
    value = first_depth(b, player)
    has_one_answer = count_of(b, 1 - player, ONE_FIVE) > 0
    if b.stopped or is_proven(value) or has_one_answer:
        return value
    return deepen_from(b, player, deepest, value)


@kernel
def first_stone(b: Any) -> int:
    """Choose the centre of an empty board, and count its one node."""
    b.root_move = (MARGIN + b.size // 2) * (STRIDE + 1)
    end_line(b, int64(0), b.root_move)
    keep_line(b, b.line, int64(0))
    b.nodes += 1
    b.reached = 1
    return 0


@kernel
def first_depth(b: Any, player: int) -> int:
    """Search to depth 1; where no move was searched, take the likeliest."""
    value = seek(b, player, int64(1), -INFINITY, INFINITY, int64(0))
    b.reached = 1 - b.stopped
    if b.root_move == 0:
        b.top = 0
        b.root_move, b.root_value = likely_move(b, player), value
        end_line(b, int64(0), b.root_move)
    keep_line(b, b.line, int64(0))
    return int64(doubted(b.root_value) if b.stopped else value)


@kernel
def deepen_from(b: Any, player: int, deepest: int, value: int) -> int:
    """Search from depth 2 on, each depth after a look for a forced win; returns the value.

    A loss that was found before all moves of a depth were tried is only believed.
    """
    changes, fours, threats = 0.0, int64(2), int64(2)
    for depth in range(2, deepest + 1):
        nodes = b.root_four_nodes + b.nodes * b.root_share // 100
        plies, fours = root_win(b, player, fours, b.root_fours, nodes, False)
        if plies == 0 and b.stopped == 0:
            nodes = b.nodes * b.root_share // 100
            plies, threats = root_win(b, player, threats, b.root_threats, nodes, True)
        if plies > 0:
            b.root_move = b.four_line[b.stones]
            keep_line(b, b.four_line, b.stones)
            return WIN - plies
        if b.stopped:
            break
        before = b.root_move
        found = aspire(b, player, depth, value)
        if b.stopped:
            break
        value = found
        b.reached = depth
        keep_line(b, b.line, int64(0))
        changes = changes * b.change_decay / 100 + (b.root_move != before)
        if is_proven(value) or is_time_used(b, changes):
            break
    return int64(doubted(b.root_value) if b.stopped else value)


@kernel
def likely_move(b: Any, player: int) -> int:
    """The move that a search would try first, or any that is allowed; 0 without."""
    settled_value(b, player, int64(0))
    if b.line[0] > 0 and is_allowed(b, b.line[0], player):
        return int64(b.line[0])
    must = first_of(b, 1 - player, ONE_FIVE)
    closed = must == 0 and list_defences(b, player)
    if must > 0 and not is_allowed(b, must, player):
        must = int64(0)
    begin_moves(b, player, int64(1), int64(0), must, closed)
    best = next_move(b, player, int64(1), int64(0), -INFINITY, -INFINITY, True)
    for row in range(MARGIN, MARGIN + b.size):
        for cell in range(row * STRIDE + MARGIN, row * STRIDE + MARGIN + b.size):
            if best == 0 and b.cells[cell] == 0 and is_allowed(b, cell, player):
                best = int64(cell)
    return int64(best)


@kernel
def root_win(
    b: Any, player: int, moves: int, most: int, nodes: int, with_threes: bool
) -> tuple[int, int]:
    """Plies of a forced win, or 0, and the number of moves to go on with at the next depth.

    The bound on moves grows from `moves` to `most`, within this many nodes in all.
    """
    while moves <= most and nodes > 0:
        before = b.forced_nodes
        kept, b.with_patterns = b.with_patterns, 0
        if with_threes:
            plies = win_by_threats(b, player, moves, nodes)
        else:
            plies = win_by_fours(b, player, moves, nodes)
        b.with_patterns = kept
        if plies > 0 or b.stopped or b.gave_up:
            return plies, moves
        nodes -= b.forced_nodes - before
        moves += 1
    return int64(0), moves


@kernel
def aspire(b: Any, player: int, depth: int, value: int) -> int:
    """Search to a depth, in a window around the last value that widens where it was too narrow."""
    half_window = max(b.window * b.unit // 100, int64(1))
    alpha, beta = value - half_window, value + half_window
    if b.window == 0 or depth < b.window_depth or is_decided(value):
        alpha, beta = -INFINITY, INFINITY
    while True:
        found = seek(b, player, int64(depth), alpha, beta, int64(0))
        if b.stopped or (alpha < found and found < beta):
            return found
        half_window *= b.window_growth
        if found <= alpha:
            alpha = -INFINITY if is_decided(found) else found - half_window
        else:
            beta = INFINITY if is_decided(found) else found + half_window


@kernel
def is_time_used(b: Any, changes: float) -> bool:
    """True if a game clock's share is used; it is the larger the more the best move changes."""
    if b.share == 0:
        return False
    return 100 * (now() - b.begun) > b.share * (b.steady_share + b.change_share * changes)


@kernel
def keep_line(b: Any, cells: Any, start: int) -> None:
    """Keep the cells from a place on, up to a 0, as the expected play."""
    step = 0
    while cells[start + step] > 0 and step < PLIES - 2:
        b.expected[step] = cells[start + step]
        step += 1
    b.expected[step] = 0


@kernel
def forget_all(b: Any) -> None:
    """Forget everything about earlier positions, for a new game."""
    forget_positions(b)
    forget_history(b)
