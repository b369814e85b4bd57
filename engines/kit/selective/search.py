"""Principal variation search that looks deep where it matters, and proves what it claims.

A node is a position with a side to move. Depth is what is left of it: late quiet moves are searched
less deep, or not at all; the answer to a four costs nothing. A loss counts as proven only where
all answers were tried: the one to a four, or those to two fours at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel
from engines.kit.bounds import INFINITY, settles
from engines.kit.clock import visit
from engines.kit.selective.board import count_of, first_of, lift_stone, put_stone
from engines.kit.selective.classes import FOUR_AND_THREE, ONE_FIVE, ONE_FOUR, TWO_FOURS
from engines.kit.selective.defences import list_defences, list_line
from engines.kit.selective.fours import allowed_of, may_win_by_fours, win_by_fours
from engines.kit.selective.history import PLIES_DEEP, note_cut, note_failed
from engines.kit.selective.moves import list_closed, list_open, push_move
from engines.kit.selective.outcomes import (
    LARGEST,
    WIN,
    doubted,
    is_decided,
    is_proven,
    static_value,
)
from engines.kit.selective.positions import learn, position_key, recall
from engines.kit.selective.reductions import (
    futile,
    is_beyond,
    moves_at,
    reduction_of,
    too_far_below,
)
from engines.kit.selective.threes import may_win_by_threats, win_by_threats
from engines.kit.shapes.candidates import take_best
from engines.kit.shapes.forbidden import is_allowed
from engines.kit.shapes.geometry import CELLS, int64

FIELDS = [
    ("leaf_fours", np.int64),  # fours in a row looked for at leaves
    ("inner_fours", np.int64),  # and at inner nodes
    ("leaf_threats", np.int64),  # fours and threes in a row looked for at leaves
    ("inner_threats", np.int64),
    ("threat_nodes", np.int64),
    ("wary_fours", np.int64),  # and of the other side, before quiet moves are tried
    ("wary_depth", np.int64),  # least depth at which that is done
    ("four_nodes", np.int64),  # nodes of one such search
    ("four_extension", np.int64),  # 1: a four costs no depth
    ("late_fours", np.int64),  # plies that a four is searched less deep where two fours threaten
    ("horizon", np.int64),  # plies beyond the leaves where two fours at once must be answered
    ("first_cutoffs", np.int64),
    ("root_move", np.int64),
    ("root_value", np.int64),
    ("evaluations", np.int64, (PLIES_DEEP,)),  # of the positions on the way here
    ("plan", np.int64, (PLIES_DEEP * PLIES_DEEP,)),  # row ply: the expected play, 0 at its end
]


@kernel
def seek(b: Any, player: int, depth: int, alpha: int, beta: int, ply: int) -> int:
    """The position's value to the player to move (fail soft); of no use once `b.stopped` is set."""
    b.plan[ply * PLIES_DEEP] = 0
    if not visit(b):
        return int64(0)
    other, must = 1 - player, int64(0)
    if count_of(b, player, ONE_FIVE) > 0:
        note_last(b, ply, first_of(b, player, ONE_FIVE))
        return int64(WIN - ply - 1)
    rivals = count_of(b, other, ONE_FIVE)
    if rivals > 0:
        must = first_of(b, other, ONE_FIVE)
        if rivals > 1 or not is_allowed(b, must, player):
            note_last(b, ply, must)
            return int64(ply + 2 - WIN)
    else:
        winner = allowed_of(b, player, TWO_FOURS, int64(0))
        if winner > 0:
            note_last(b, ply, winner)
            return int64(WIN - ply - 3)
    if b.stones == b.size * b.size:
        return int64(0)
    if ply >= PLIES_DEEP - 2:
        return static_value(b, player)
    closed = must == 0 and list_defences(b, player)
    at_leaf = must == 0 and depth <= 0 and not (closed and depth > -b.horizon)
    key, hashed, lowest = position_key(b, player), int64(0), alpha
    with_window = beta - alpha > 1
    if recall(b, key, ply):
        hashed = b.found_move
        enough = b.found_depth >= depth or is_proven(b.found_value)
        if ply > 0 and enough and settles(b.found_kind, b.found_value, alpha, beta):
            if not with_window or is_proven(b.found_value) or at_leaf:
                return int64(b.found_value)
    fours = int64(0)
    if must == 0 and ply > 0 and b.found_kind == 0 and may_win_by_fours(b, player):
        fours = b.leaf_fours if depth <= 0 else b.inner_fours
    if fours > 0:
        plies = win_by_fours(b, player, fours, b.four_nodes)
        if b.stopped:
            return int64(0)
        if plies > 0:
            note_last(b, ply, b.four_line[b.stones])
            value = int64(WIN - ply - plies)
            learn(b, key, ply, depth, value, lowest, value, b.four_line[b.stones])
            return value
    if must == 0 and ply > 0 and b.found_kind == 0:
        threats = b.leaf_threats if depth <= 0 else b.inner_threats
        if threats > 0 and not closed and may_win_by_threats(b, player):
            plies = win_by_threats(b, player, threats, b.threat_nodes)
            if b.stopped:
                return int64(0)
            if plies > 0:
                note_last(b, ply, b.four_line[b.stones])
                value = int64(WIN - ply - plies)
                learn(b, key, ply, depth, value, lowest, value, b.four_line[b.stones])
                return value
    value = static_value(b, player)
    b.evaluations[ply] = value
    if at_leaf:
        learn(b, key, ply, min(depth, int64(0)), value, value - 1, value + 1, int64(0))
        return value
    is_open = must == 0 and not closed
    if is_open and not with_window:
        if is_beyond(b, value, depth, beta):
            return value
        if too_far_below(b, value, depth, alpha):
            return value
    wary = False
    if is_open and depth >= b.wary_depth and b.wary_fours > 0 and may_win_by_fours(b, other):
        wary = win_by_fours(b, other, b.wary_fours, b.four_nodes) > 0
        if b.stopped:
            return int64(0)
        if wary:
            list_line(b)
            is_open = False
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
                if is_open:
                    listed = list_open(b, player, ply)
                elif closed or wary:
                    listed = list_closed(b, player, depth > 0)
                else:
                    push_move(b, int64(0), must, int64(0))
                    listed = int64(1)
                b.top = start + listed
            cell = take_best(b, player, start, listed)
            if cell == 0:
                break
            if use_hashed and cell == hashed:
                continue
        kind = int64(b.classes[player * CELLS + cell])
        four = kind == ONE_FOUR or kind == FOUR_AND_THREE
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
                b.cutoffs += 1
                b.first_cutoffs += tried == 1
                if is_open:
                    note_cut(b, player, cell, ply, depth)
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
def has_fours(b: Any, player: int) -> bool:
    """True if the player can make a four."""
    return count_of(b, player, ONE_FOUR) + count_of(b, player, FOUR_AND_THREE) > 0


@kernel
def note_last(b: Any, ply: int, cell: int) -> None:
    """Write down a line of play of one move."""
    b.plan[ply * PLIES_DEEP], b.plan[ply * PLIES_DEEP + 1] = cell, 0


@kernel
def note_plan(b: Any, ply: int, cell: int) -> None:
    """Write down the expected play from here: this move, then what is expected after it."""
    here, there = ply * PLIES_DEEP, (ply + 1) * PLIES_DEEP
    b.plan[here] = cell
    step = 0
    while b.plan[there + step] > 0 and step < PLIES_DEEP - 2:
        b.plan[here + step + 1] = b.plan[there + step]
        step += 1
    b.plan[here + step + 1] = 0
