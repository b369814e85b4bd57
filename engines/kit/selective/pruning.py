"""A node of the search, from its first move to its last, and the pruning of moves and nodes.

The state of nodes is kept by ply, so that the recursive search passes few arguments. Pruning
searches late quiet moves less deep (reductions), leaves out others (counts, gaps, futility), and
ends nodes whose evaluation is far above beta (lead) or far below alpha (razor). Its margins are
hundredths of what a live three adds to the evaluation (`b.unit`) or, where moves are compared, to
the worth of a point (`b.point_unit`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bounds import INFINITY
from ..clock import visit
from ..shapes.board import count_of, first_of, half, point_value
from ..shapes.candidates import take_best
from ..shapes.forbidden import is_allowed
from ..shapes.geometry import CELLS, int64
from ..shapes.search import PLIES
from ..shapes.table import FOUR_AND_THREE, ONE_FIVE, ONE_FOUR, ONE_THREE
from ..threats.defences import is_threatened, list_defences
from ..threats.forced_wins import has_fours
from .history import TOP_HISTORY, note_cut
from .moves import list_closed, list_open, open_order, push_move
from .outcomes import (
    LARGEST,
    WIN,
    answers,
    doubted,
    forced_value,
    is_decided,
    settled_value,
    static_value,
)
from .positions import learn, position_key, recall

OPEN, ONE_ANSWER, CLOSED = range(3)
"""Kinds of nodes: any move may be good, one answers a five, some answer two fours at once."""

LOGARITHMS = np.log(np.maximum(np.arange(100), 1.0))

PRUNING_FIELDS = [
    ("breadth", np.int64),  # moves tried at most in any position
    ("count_base", np.int64),  # moves tried at depth 0, where no exact value is asked for
    ("count_step", np.int64),  # more of them for each ply of depth, in hundredths
    ("gap_base", np.int64),  # what their orders may be below the best one, at depth 0; 0: anything
    ("gap_step", np.int64),  # and more for each ply of depth
    ("gap_window", np.int64),  # at depth 0, where an exact value is asked for; 0: anything
    ("late_from", np.int64),  # moves before the first that is searched less deep
    ("late_base", np.int64),  # hundredths of a ply taken off
    ("late_factor", np.int64),  # and hundredths of log(depth) * log(moves before)
    ("late_window", np.int64),  # hundredths less where an exact value is asked for
    ("late_sinking", np.int64),  # hundredths more where the mover's evaluation has not risen
    ("late_threats", np.int64),  # hundredths less for a move that makes a threat
    ("late_history", np.int64),  # hundredths less for the greatest history
    ("late_gap", np.int64),  # hundredths more for each live three that its order is below the best
    (
        "unknown_depth",
        np.int64,
    ),  # from which a node without a move in the table is searched less deep
    ("lead_depth", np.int64),  # plies left up to which a node far above beta is cut
    ("lead", np.int64),  # margin for each ply
    ("razor_depth", np.int64),  # plies left up to which a node far below alpha is cut
    ("razor", np.int64),
    ("futility_depth", np.int64),  # plies left up to which moves that gain too little are left out
    ("futility", np.int64),
    ("late_fours", np.int64),  # plies that a four is searched less deep where two fours threaten
    ("late_spoilers", np.int64),  # moves before the first spoiler that is searched a ply less deep
    ("fours_below", np.int64),  # 1: where the evaluation reaches beta, fours are not looked for
    ("horizon", np.int64),  # plies beyond the leaves where two fours at once must be answered
    ("first_cutoffs", np.int64),
    ("evaluations", np.int64, (PLIES,)),  # of the positions on the way here
    ("node_kinds", np.int64, (PLIES,)),
    ("node_answers", np.int64, (PLIES,)),  # the only one, or 0
    ("node_hashed", np.int64, (PLIES,)),  # the table's move, if it is to be tried first
    ("node_starts", np.int64, (PLIES,)),  # of the list on the stack
    ("node_listed", np.int64, (PLIES,)),  # its length; -1: not listed yet
    ("node_tried", np.int64, (PLIES,)),
    ("node_passed", np.int64, (PLIES,)),  # moves that were not worth a search
]


@kernel
def enter(b: Any, player: int, depth: int, alpha: int, beta: int, ply: int) -> int:
    """Begin a node; returns its value if that needs no search of its moves, else -INFINITY."""
    if not visit(b):
        return int64(0)
    value = settled_value(b, player, ply)
    if value > -INFINITY:
        return value
    must = first_of(b, 1 - player, ONE_FIVE)
    closed = must == 0 and is_threatened(b, player)
    at_leaf = must == 0 and depth <= 0 and not (closed and depth > -b.horizon)
    key = position_key(b, player)
    if recall(b, key, ply) and ply > 0 and answers(b, depth, alpha, beta, at_leaf):
        return int64(b.found_value)
    value = b.evaluations[ply] = static_value(b, player)
    may_end = must == 0 and not closed and beta - alpha == 1
    ends_above = value >= beta if at_leaf else may_end and is_beyond(b, value, depth, beta)
    if b.fours_below == 0 or not ends_above:
        forced = found_win(b, player, key, depth, alpha, ply)
        if forced > -INFINITY:
            return forced
        if at_leaf:
            learn(b, key, ply, min(depth, int64(0)), value, value - 1, value + 1, int64(0))
    if at_leaf or ends_above or (may_end and too_far_below(b, value, depth, alpha)):
        return int64(value)
    if closed:  # only here: most nodes end before their moves are needed
        list_defences(b, player)
    begin_moves(b, player, depth, ply, must, closed)
    try_first(b, player, ply, int64(b.found_move))
    return int64(0) if b.stopped else -INFINITY


@kernel
def found_win(b: Any, player: int, key: int, depth: int, alpha: int, ply: int) -> int:
    """The value of a win by force, which the table then keeps; -INFINITY without.

    A position that the table had is not searched for one again, unless it was met as a leaf only.
    """
    is_new = b.found_kind == 0 or b.found_depth <= 0 < depth
    if ply == 0 or not is_new or count_of(b, 1 - player, ONE_FIVE) > 0:
        return -INFINITY
    value = forced_value(b, player, depth, ply)
    if value > -INFINITY:
        learn(b, key, ply, depth, value, alpha, value, b.four_line[b.stones])
    return int64(0) if b.stopped else value


@kernel
def try_first(b: Any, player: int, ply: int, cell: int) -> None:
    """Let the table's move be tried first, unless it is the only one; 0 stands for none."""
    if b.node_kinds[ply] != ONE_ANSWER and cell > 0 and b.cells[cell] == 0:
        b.node_hashed[ply] = cell if is_allowed(b, cell, player) else 0


@kernel
def begin_moves(b: Any, player: int, depth: int, ply: int, must: int, closed: bool) -> None:
    """Record the node's kind, and that no move was tried."""
    kind = OPEN
    if must > 0:
        kind = ONE_ANSWER
    elif closed:
        kind = CLOSED
    b.node_kinds[ply], b.node_answers[ply], b.node_hashed[ply] = kind, must, 0
    b.node_starts[ply], b.node_listed[ply] = b.top, -1
    b.node_tried[ply] = b.node_passed[ply] = 0


@kernel
def depth_entered(b: Any, depth: int, ply: int) -> int:
    """The depth to which the moves of a node that was entered are searched.

    It is a ply less where moves would be tried in no good order, since the table has none to try
    first (internal iterative reduction). Without a table, that would be so everywhere.
    """
    may_reduce = b.unknown_depth > 0 and b.position_bits > 0 and ply > 0
    is_deep = may_reduce and depth >= b.unknown_depth
    is_unknown = b.node_kinds[ply] == OPEN and b.node_hashed[ply] == 0
    return int64(depth - (is_deep and is_unknown))


@kernel
def next_move(
    b: Any, player: int, depth: int, ply: int, alpha: int, best: int, with_window: bool
) -> int:
    """The next move to try; 0 if none is left, or those that are left are not worth it."""
    tried, start = b.node_tried[ply], b.node_starts[ply]
    # Of forced moves, the list is made at once, since later nodes find spoilers of their own.
    hashed = b.node_hashed[ply] if b.node_kinds[ply] == OPEN else 0
    if tried == 0 and hashed > 0:
        return int64(hashed)
    may_skip = may_skip_moves(b, ply, best)
    most = moves_at(b, depth, with_window) if may_skip else CELLS
    while tried + b.node_passed[ply] < most:
        if b.node_listed[ply] < 0:
            b.node_listed[ply] = list_moves(b, player, depth, ply)
            b.top = start + b.node_listed[ply]
        cell = take_best(b, player, start, b.node_listed[ply])
        if cell > 0 and cell == hashed:
            cell = take_best(b, player, start, b.node_listed[ply])
        if cell == 0 or not may_skip:
            return int64(cell)
        if not is_passed_over(b, player, cell, depth, alpha, ply, with_window):
            return int64(cell)
        b.node_passed[ply] += 1
    return int64(0)


@kernel
def may_skip_moves(b: Any, ply: int, best: int) -> bool:
    """True in an open position where a move was found that does not lose."""
    return b.node_kinds[ply] == OPEN and b.node_tried[ply] > 0 and best > -LARGEST


@kernel
def list_moves(b: Any, player: int, depth: int, ply: int) -> int:
    """Put the moves to try on the stack; returns their number."""
    if b.node_kinds[ply] == ONE_ANSWER:
        push_move(b, int64(0), b.node_answers[ply], int64(0))
        return int64(1)
    if b.node_kinds[ply] == OPEN:
        return list_open(b, player, ply)
    return list_closed(b, player, depth > 0, int64(b.node_hashed[ply]))


@kernel
def plies_left(b: Any, player: int, cell: int, depth: int, ply: int) -> int:
    """The depth after a move: the answer to a four costs nothing."""
    return depth if b.node_kinds[ply] == ONE_ANSWER else depth - 1


@kernel
def plies_off(
    b: Any, player: int, cell: int, depth: int, ply: int, best: int, with_window: bool
) -> int:
    """The plies that a move is searched less deep at first."""
    if may_skip_moves(b, ply, best):
        return reduction_of(b, player, cell, depth, ply, with_window)
    if b.node_kinds[ply] != CLOSED or b.node_tried[ply] == 0:
        return int64(0)
    kind, most = int64(b.classes[2 * cell + player]), max(depth - 1, int64(0))
    if (kind == ONE_FOUR) | (kind == FOUR_AND_THREE):
        return int64(min(b.late_fours, most))
    is_late = b.late_spoilers > 0 and b.node_tried[ply] >= b.late_spoilers
    return int64(min(int64(is_late), most))


@kernel
def count_cut(b: Any, player: int, cell: int, ply: int, depth: int) -> None:
    """Count a cut-off, and remember the move that made it."""
    b.cutoffs += 1
    b.first_cutoffs += b.node_tried[ply] == 1
    if b.node_kinds[ply] == OPEN:
        note_cut(b, player, cell, ply, depth)


@kernel
def leave(
    b: Any, player: int, depth: int, ply: int, best: int, move: int, alpha: int, beta: int
) -> int:
    """End a node whose moves are done: its value, which the table keeps.

    A loss is proven only where every answer was tried: beyond the leaves, fours were not.
    """
    b.top = b.node_starts[ply]
    if b.stopped:
        return int64(0)
    kind = b.node_kinds[ply]
    if b.node_tried[ply] == 0:
        best = int64(0) if kind == OPEN else int64(ply + 4 - WIN)
    all_tried = kind == CLOSED and (depth > 0 or not has_fours(b, player))
    if kind != ONE_ANSWER and not all_tried:
        best = doubted(best)
    learn(b, position_key(b, player), ply, depth, best, alpha, beta, move)
    return best


@kernel
def moves_at(b: Any, depth: int, with_window: bool) -> int:
    """The number of moves tried at most in an open position."""
    if with_window or b.count_base == 0:
        return int64(b.breadth)
    return int64(min(b.breadth, b.count_base + b.count_step * depth // 100))


@kernel
def is_beyond(b: Any, value: int, depth: int, beta: int) -> bool:
    """True if the position is so good that its node may be cut."""
    return (
        depth <= b.lead_depth
        and not is_decided(beta)
        and value - b.lead * b.unit * depth // 100 >= beta
    )


@kernel
def too_far_below(b: Any, value: int, depth: int, alpha: int) -> bool:
    """True if the position is so bad that only a win by fours, looked for before, could help."""
    return (
        depth <= b.razor_depth
        and not is_decided(alpha)
        and value + b.razor * b.unit * depth // 100 <= alpha
    )


@kernel
def is_passed_over(
    b: Any, player: int, cell: int, depth: int, alpha: int, ply: int, with_window: bool
) -> bool:
    """True if a move is not worth a search."""
    kind = b.classes[2 * cell + player]
    if kind < ONE_THREE and falls_short(b, player, cell, depth, ply, with_window):
        return True
    return not with_window and kind < ONE_FOUR and futile(b, player, cell, depth, alpha, ply)


@kernel
def falls_short(b: Any, player: int, cell: int, depth: int, ply: int, with_window: bool) -> bool:
    """True if a move's order is too far below the node's best; at the root, none is."""
    base = b.gap_window if with_window else b.gap_base
    return ply > 0 and base > 0 and gap_of(b, player, cell, ply) > base + b.gap_step * depth


@kernel
def gap_of(b: Any, player: int, cell: int, ply: int) -> int:
    """The distance of a move's order below the node's best, in hundredths of a live three."""
    # History may have grown since the best was found.
    gap = max(b.node_orders[ply] - open_order(b, cell, player), int64(0))
    return int64(gap * 100 // b.point_unit)


@kernel
def futile(b: Any, player: int, cell: int, depth: int, alpha: int, ply: int) -> bool:
    """True if a move is not expected to lift the position's evaluation to alpha."""
    if depth > b.futility_depth or is_decided(alpha):
        return False
    pair = point_value(b, cell)
    gain = half(pair, player) + half(pair, 1 - player)
    return b.evaluations[ply] + gain + b.futility * b.unit * depth // 100 <= alpha


@kernel
def reduction_of(b: Any, player: int, cell: int, depth: int, ply: int, with_window: bool) -> int:
    """The plies that a late move is searched less deep."""
    tried = b.node_tried[ply]
    if depth < 2 or tried < b.late_from or b.late_factor == 0:
        return int64(0)
    steps = b.late_factor * LOGARITHMS[min(depth, 99)] * LOGARITHMS[min(tried + 1, 99)]
    hundredths = b.late_base + int64(steps)
    if with_window:
        hundredths -= b.late_window
    if ply > 1 and b.evaluations[ply] <= b.evaluations[ply - 2]:
        hundredths += b.late_sinking
    if b.classes[2 * cell + player] >= ONE_THREE:
        hundredths -= b.late_threats
    if b.late_gap > 0:
        hundredths += b.late_gap * gap_of(b, player, cell, ply) // 100
    hundredths -= b.late_history * b.history[player * CELLS + cell] // TOP_HISTORY
    return int64(min(max(hundredths // 100, 0), depth - 1))
