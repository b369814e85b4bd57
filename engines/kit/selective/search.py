"""Principal variation search that looks deep where it matters, and proves what it claims.

A node is a position with a side to move. Depth is what is left of it: late quiet moves are searched
less deep, or not at all; the answer to a four costs nothing. A loss counts as proven only where
all answers were tried: the one to a four, or those to two fours at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel
from engines.kit.bounds import INFINITY
from engines.kit.clock import visit
from engines.kit.selective.board import count_of, first_of, lift_stone, put_stone
from engines.kit.selective.classes import FOUR_AND_THREE, ONE_FIVE, ONE_FOUR
from engines.kit.selective.defences import list_defences
from engines.kit.selective.history import PLIES_DEEP, note_cut, note_failed
from engines.kit.selective.moves import list_closed, list_open, push_move
from engines.kit.selective.outcomes import LARGEST, WIN, doubted, static_value
from engines.kit.selective.plan import note_plan
from engines.kit.selective.positions import learn, position_key, recall
from engines.kit.selective.reductions import (
    futile,
    is_beyond,
    moves_at,
    reduction_of,
    too_far_below,
)
from engines.kit.selective.settling import answers, forced_value, is_in_danger, settled_value
from engines.kit.shapes.candidates import take_best
from engines.kit.shapes.forbidden import is_allowed
from engines.kit.shapes.geometry import CELLS, int64

FIELDS = [
    ("wary_depth", np.int64),  # least depth at which that is done
    ("four_extension", np.int64),  # 1: a four costs no depth
    ("late_fours", np.int64),  # plies that a four is searched less deep where two fours threaten
    ("horizon", np.int64),  # plies beyond the leaves where two fours at once must be answered
    ("first_cutoffs", np.int64),
    ("root_move", np.int64),
    ("root_value", np.int64),
    ("evaluations", np.int64, (PLIES_DEEP,)),  # of the positions on the way here
]


@kernel
def seek(b: Any, player: int, depth: int, alpha: int, beta: int, ply: int) -> int:
    """The position's value to the player to move (fail soft); of no use once `b.stopped` is set."""
    b.plan[ply * PLIES_DEEP] = 0
    if not visit(b):
        return int64(0)
    value = settled_value(b, player, ply)
    if value > -INFINITY:
        return value
    other, must = 1 - player, first_of(b, 1 - player, ONE_FIVE)
    closed = must == 0 and list_defences(b, player)
    at_leaf = must == 0 and depth <= 0 and not (closed and depth > -b.horizon)
    key, lowest = position_key(b, player), alpha
    with_window = beta - alpha > 1
    if recall(b, key, ply) and ply > 0 and answers(b, depth, alpha, beta, at_leaf):
        return int64(b.found_value)
    hashed = b.found_move
    if must == 0 and ply > 0 and b.found_kind == 0:
        value = forced_value(b, player, depth, ply, closed)
        if b.stopped:
            return int64(0)
        if value > -INFINITY:
            learn(b, key, ply, depth, value, lowest, value, b.four_line[b.stones])
            return value
    value = static_value(b, player)
    b.evaluations[ply] = value
    if at_leaf:
        learn(b, key, ply, min(depth, int64(0)), value, value - 1, value + 1, int64(0))
        return value
    is_open = must == 0 and not closed
    may_end = is_open and not with_window
    if may_end and (is_beyond(b, value, depth, beta) or too_far_below(b, value, depth, alpha)):
        return value
    wary = is_open and depth >= b.wary_depth and is_in_danger(b, player)
    if b.stopped:
        return int64(0)
    is_open &= not wary
    improving = ply < 2 or value > b.evaluations[ply - 2]
    start = b.top
    listed, best, best_move, tried = int64(-1), -INFINITY, int64(0), int64(0)
    most = moves_at(b, depth, with_window)
    use_hashed = is_open and hashed > 0 and b.cells[hashed] == 0 and is_allowed(b, hashed, player)
    while True:
        if tried == 0 and use_hashed:
            cell = hashed
        else:
            if listed < 0:
                listed = list_moves(b, player, depth, ply, must, is_open)
                b.top = start + listed
            cell = take_best(b, player, start, listed)
            if cell == 0:
                break
            if use_hashed and cell == hashed:
                continue
        kind = int64(b.classes[player * CELLS + cell])
        four = (kind == ONE_FOUR) | (kind == FOUR_AND_THREE)
        reduction = int64(0)
        if is_open and tried > 0 and best > -LARGEST:
            if tried >= most:
                break
            if not with_window and futile(b, value, cell, player, depth, alpha):
                break
            reduction = reduction_of(b, player, cell, depth, tried, with_window, improving)
        elif closed and four and tried > 0:
            reduction = min(b.late_fours, max(depth - 1, int64(0)))
        left = depth - 1
        if must > 0 or (four and b.four_extension > 0 and depth > 0):
            left = depth
        put_stone(b, cell, player)
        if tried == 0:
            found = -seek(b, other, left, -beta, -alpha, ply + 1)
        else:
            found = -seek(b, other, left - reduction, -alpha - 1, -alpha, ply + 1)
            if found > alpha and reduction > 0 and b.stopped == 0:
                found = -seek(b, other, left, -alpha - 1, -alpha, ply + 1)
            if found > alpha and found < beta and b.stopped == 0:
                found = -seek(b, other, left, -beta, -alpha, ply + 1)
        lift_stone(b)
        if b.stopped:
            break
        tried += 1
        if found > best:
            best, best_move = found, cell
        if found > alpha:
            alpha = found
            note_plan(b, ply, cell)
            if ply == 0:
                b.root_move, b.root_value = cell, found
            if alpha >= beta:
                b.first_cutoffs += tried == 1
                count_cut(b, player, cell, ply, depth, is_open)
                break
        elif is_open:
            note_failed(b, player, cell, depth)
    b.top = start
    if b.stopped:
        return int64(0)
    all_tried = must > 0 or (closed and (depth > 0 or not has_fours(b, player)))
    if tried == 0:
        best = int64(ply + 4 - WIN) if closed or wary else int64(0)
    if not all_tried:
        best = doubted(best)
    learn(b, key, ply, depth, best, lowest, beta, best_move)
    return best


@kernel
def list_moves(b: Any, player: int, depth: int, ply: int, must: int, is_open: bool) -> int:
    """Put the moves to try on the stack; returns their number."""
    if must > 0:
        push_move(b, int64(0), must, int64(0))
        return int64(1)
    return list_open(b, player, ply) if is_open else list_closed(b, player, depth > 0)


@kernel
def count_cut(b: Any, player: int, cell: int, ply: int, depth: int, is_open: bool) -> None:
    """Count a cut-off, and remember the move that made it."""
    b.cutoffs += 1
    if is_open:
        note_cut(b, player, cell, ply, depth)


@kernel
def has_fours(b: Any, player: int) -> bool:
    """True if the player can make a four."""
    return count_of(b, player, ONE_FOUR) + count_of(b, player, FOUR_AND_THREE) > 0
