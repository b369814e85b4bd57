"""Principal variation search: iterative deepening, nodes, and the pruning of moves and nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bounds import INFINITY
from ..clock import now, visit
from ..shapes.board import count_of, first_of, half, point_value, undo
from ..shapes.candidates import is_allowed, take_best
from ..shapes.search import PLIES, end_line, note_line
from ..shapes.table import (
    CELLS,
    FOUR_AND_THREE,
    MARGIN,
    ONE_FIVE,
    ONE_FOUR,
    ONE_THREE,
    STRIDE,
    int64,
)
from ..threats.forced_wins import (
    has_fours,
    is_threatened,
    list_defences,
    win_by_fours,
    win_by_threats,
)
from .moves import (
    TOP_HISTORY,
    age_history,
    find_near,
    forget_history,
    list_closed,
    list_open,
    note_cut,
    note_failed,
    open_order,
    push_move,
    put_stone,
)
from .positions import (
    GENERATIONS,
    LARGEST,
    WIN,
    answers,
    doubted,
    forced_value,
    forget_positions,
    is_decided,
    is_proven,
    learn,
    position_key,
    prefetch_position,
    recall,
    settled_value,
    static_value,
)

SELECTIVE_FIELDS = [("root_move", np.int64), ("root_value", np.int64)]


@kernel
def seek(b: Any, player: int, depth: int, alpha: int, beta: int, ply: int) -> int:
    """The position's value to the player to move (fail soft); of no use once `b.stopped` is set."""
    b.line[ply * PLIES] = 0
    value = _enter(b, player, depth, alpha, beta, ply)
    if value > -INFINITY:
        return value
    depth = depth_entered(b, depth, ply)
    lowest, best, best_move, with_window = alpha, -INFINITY, int64(0), beta - alpha > 1
    other = 1 - player
    while alpha < beta:
        cell = next_move(b, player, depth, ply, alpha, best, with_window)
        if cell == 0:
            break
        left = depth if b.node_kinds[ply] == ONE_ANSWER else depth - 1  # such answers are free
        off = plies_off(b, player, cell, depth, ply, best, with_window)
        prefetch_position(b, cell, player)
        put_stone(b, cell, player)
        if b.node_tried[ply] == 0:
            value = -seek(b, other, left, -beta, -alpha, ply + 1)
        else:
            # Later moves need only be shown to be no better: a null window, less deep at first.
            value = -seek(b, other, left - off, -alpha - 1, -alpha, ply + 1)
            if value > alpha and off > 0 and b.stopped == 0:
                value = -seek(b, other, left, -alpha - 1, -alpha, ply + 1)
            if value > alpha and value < beta and b.stopped == 0:
                value = -seek(b, other, left, -beta, -alpha, ply + 1)
        undo(b)
        if b.stopped:
            break
        b.node_tried[ply] += 1
        if value > best:
            best, best_move = value, cell
        _note_tried(b, player, cell, depth, ply, value, alpha, beta)
        alpha = max(alpha, value)
    return leave(b, player, depth, ply, best, best_move, lowest, beta)


@kernel
def _note_tried(
    b: Any, player: int, cell: int, depth: int, ply: int, value: int, alpha: int, beta: int
) -> None:
    if value > alpha:
        note_line(b, ply, cell)
        if ply == 0:
            b.root_move, b.root_value = cell, value
        if value >= beta:
            b.cutoffs += 1
            b.first_cutoffs += b.node_tried[ply] == 1
            if b.node_kinds[ply] == OPEN:
                note_cut(b, player, cell, ply, depth)
    elif b.node_kinds[ply] == OPEN:
        note_failed(b, player, cell, depth)


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
    ("unknown_depth", np.int64),  # from which a node without a table's move is searched less deep
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
def _enter(b: Any, player: int, depth: int, alpha: int, beta: int, ply: int) -> int:
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
    # A leaf may stand pat on its evaluation; inner nodes end only where it is far off the window.
    ends_above = value >= beta if at_leaf else may_end and _is_far_above(b, value, depth, beta)
    if b.fours_below == 0 or not ends_above:
        forced = _win_at_node(b, player, key, depth, alpha, ply)
        if forced > -INFINITY:
            return forced
        if at_leaf:
            learn(b, key, ply, min(depth, int64(0)), value, value - 1, value + 1, int64(0))
    if at_leaf or ends_above or (may_end and _is_far_below(b, value, depth, alpha)):
        return int64(value)
    if closed:  # only here: most nodes end before their moves are needed
        list_defences(b, player)
    begin_moves(b, player, depth, ply, must, closed)
    try_first(b, player, ply, int64(b.found_move))
    return int64(0) if b.stopped else -INFINITY


@kernel
def _win_at_node(b: Any, player: int, key: int, depth: int, alpha: int, ply: int) -> int:
    """The value of a win by force, which the table then keeps; -INFINITY without."""
    # The table's positions were searched for one, except leaves, where fewer fours are tried.
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
    """The depth of a node's moves: a ply less if the table has no move to try first."""
    # Internal iterative reduction: without such a move, the order is poor. Without a table, all
    # nodes would be reduced.
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
    may_skip = _may_skip_moves(b, ply, best)
    most = _most_moves(b, depth, with_window) if may_skip else CELLS
    while tried + b.node_passed[ply] < most:
        if b.node_listed[ply] < 0:
            b.node_listed[ply] = _list_moves(b, player, depth, ply)
            b.top = start + b.node_listed[ply]
        cell = take_best(b, player, start, b.node_listed[ply])
        if cell > 0 and cell == hashed:
            cell = take_best(b, player, start, b.node_listed[ply])
        if cell == 0 or not may_skip:
            return int64(cell)
        if not _is_passed_over(b, player, cell, depth, alpha, ply, with_window):
            return int64(cell)
        b.node_passed[ply] += 1
    return int64(0)


@kernel
def _may_skip_moves(b: Any, ply: int, best: int) -> bool:
    return b.node_kinds[ply] == OPEN and b.node_tried[ply] > 0 and best > -LARGEST


@kernel
def _list_moves(b: Any, player: int, depth: int, ply: int) -> int:
    if b.node_kinds[ply] == ONE_ANSWER:
        push_move(b, int64(0), b.node_answers[ply], int64(0))
        return int64(1)
    if b.node_kinds[ply] == OPEN:
        return list_open(b, player, ply)
    return list_closed(b, player, depth > 0, int64(b.node_hashed[ply]))


@kernel
def plies_off(
    b: Any, player: int, cell: int, depth: int, ply: int, best: int, with_window: bool
) -> int:
    """The plies that a move is searched less deep at first."""
    if _may_skip_moves(b, ply, best):
        return _reduction_of(b, player, cell, depth, ply, with_window)
    if b.node_kinds[ply] != CLOSED or b.node_tried[ply] == 0:
        return int64(0)
    kind, most = int64(b.classes[2 * cell + player]), max(depth - 1, int64(0))
    if (kind == ONE_FOUR) | (kind == FOUR_AND_THREE):
        return int64(min(b.late_fours, most))
    is_late = b.late_spoilers > 0 and b.node_tried[ply] >= b.late_spoilers
    return int64(min(int64(is_late), most))


@kernel
def leave(
    b: Any, player: int, depth: int, ply: int, best: int, move: int, alpha: int, beta: int
) -> int:
    """End a node whose moves are done: its value, which the table keeps."""
    b.top = b.node_starts[ply]
    if b.stopped:
        return int64(0)
    kind = b.node_kinds[ply]
    if b.node_tried[ply] == 0:
        best = int64(0) if kind == OPEN else int64(ply + 4 - WIN)
    # A loss is proven only where every answer was tried: beyond the leaves, fours were not.
    all_tried = kind == CLOSED and (depth > 0 or not has_fours(b, player))
    if kind != ONE_ANSWER and not all_tried:
        best = doubted(best)
    learn(b, position_key(b, player), ply, depth, best, alpha, beta, move)
    return best


@kernel
def _most_moves(b: Any, depth: int, with_window: bool) -> int:
    if with_window or b.count_base == 0:
        return int64(b.breadth)
    return int64(min(b.breadth, b.count_base + b.count_step * depth // 100))


@kernel
def _is_far_above(b: Any, value: int, depth: int, beta: int) -> bool:
    """True if the position is so good that its node may be cut (reverse futility pruning)."""
    return (
        depth <= b.lead_depth
        and not is_decided(beta)
        and value - b.lead * b.unit * depth // 100 >= beta
    )


@kernel
def _is_far_below(b: Any, value: int, depth: int, alpha: int) -> bool:
    """True if only a win by fours, looked for before, could still help (razoring)."""
    return (
        depth <= b.razor_depth
        and not is_decided(alpha)
        and value + b.razor * b.unit * depth // 100 <= alpha
    )


@kernel
def _is_passed_over(
    b: Any, player: int, cell: int, depth: int, alpha: int, ply: int, with_window: bool
) -> bool:
    kind = b.classes[2 * cell + player]
    if kind < ONE_THREE and _falls_short(b, player, cell, depth, ply, with_window):
        return True
    return not with_window and kind < ONE_FOUR and _futile(b, player, cell, depth, alpha, ply)


@kernel
def _falls_short(b: Any, player: int, cell: int, depth: int, ply: int, with_window: bool) -> bool:
    """True if a move's order is too far below the node's best; at the root, none is."""
    base = b.gap_window if with_window else b.gap_base
    return ply > 0 and base > 0 and _gap_of(b, player, cell, ply) > base + b.gap_step * depth


@kernel
def _gap_of(b: Any, player: int, cell: int, ply: int) -> int:
    """The distance of a move's order below the node's best, in hundredths of a live three."""
    # History may have grown since the best was found.
    gap = max(b.node_orders[ply] - open_order(b, cell, player), int64(0))
    return int64(gap * 100 // b.point_unit)


@kernel
def _futile(b: Any, player: int, cell: int, depth: int, alpha: int, ply: int) -> bool:
    """True if a move is not expected to lift the evaluation to alpha (futility pruning)."""
    if depth > b.futility_depth or is_decided(alpha):
        return False
    pair = point_value(b, cell)
    gain = half(pair, player) + half(pair, 1 - player)
    return b.evaluations[ply] + gain + b.futility * b.unit * depth // 100 <= alpha


@kernel
def _reduction_of(b: Any, player: int, cell: int, depth: int, ply: int, with_window: bool) -> int:
    """The plies that a late move is searched less deep (late move reductions)."""
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
        hundredths += b.late_gap * _gap_of(b, player, cell, ply) // 100
    hundredths -= b.late_history * b.history[player * CELLS + cell] // TOP_HISTORY
    return int64(min(max(hundredths // 100, 0), depth - 1))


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
        return _first_stone(b)
    value = _first_depth(b, player)
    has_one_answer = count_of(b, 1 - player, ONE_FIVE) > 0
    if b.stopped or is_proven(value) or has_one_answer:
        return value
    return _deepen_from(b, player, deepest, value)


@kernel
def _first_stone(b: Any) -> int:
    b.root_move = (MARGIN + b.size // 2) * (STRIDE + 1)
    end_line(b, int64(0), b.root_move)
    _keep_line(b, b.line, int64(0))
    b.nodes += 1
    b.reached = 1
    return 0


@kernel
def _first_depth(b: Any, player: int) -> int:
    """Search to depth 1; where no move was searched, take the likeliest."""
    value = seek(b, player, int64(1), -INFINITY, INFINITY, int64(0))
    b.reached = 1 - b.stopped
    if b.root_move == 0:
        b.top = 0
        b.root_move, b.root_value = _likely_move(b, player), value
        end_line(b, int64(0), b.root_move)
    _keep_line(b, b.line, int64(0))
    return int64(doubted(b.root_value) if b.stopped else value)


@kernel
def _deepen_from(b: Any, player: int, deepest: int, value: int) -> int:
    """Search from depth 2 on, each depth after a look for a forced win; returns the value."""
    changes, fours, threats = 0.0, int64(2), int64(2)
    for depth in range(2, deepest + 1):
        nodes = b.root_four_nodes + b.nodes * b.root_share // 100
        plies, fours = _root_win(b, player, fours, b.root_fours, nodes, False)
        if plies == 0 and b.stopped == 0:
            nodes = b.nodes * b.root_share // 100
            plies, threats = _root_win(b, player, threats, b.root_threats, nodes, True)
        if plies > 0:
            b.root_move = b.four_line[b.stones]
            _keep_line(b, b.four_line, b.stones)
            return WIN - plies
        if b.stopped:
            break
        before = b.root_move
        new_value = _aspire(b, player, depth, value)
        if b.stopped:
            break
        value = new_value
        b.reached = depth
        _keep_line(b, b.line, int64(0))
        changes = changes * b.change_decay / 100 + (b.root_move != before)
        if is_proven(value) or _is_time_used(b, changes):
            break
    # A loss found before all moves of a depth were tried is only believed.
    return int64(doubted(b.root_value) if b.stopped else value)


@kernel
def _likely_move(b: Any, player: int) -> int:
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
def _root_win(
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
def _aspire(b: Any, player: int, depth: int, value: int) -> int:
    """Search in an aspiration window around the last value, wider where it was too narrow."""
    half_window = max(b.window * b.unit // 100, int64(1))
    alpha, beta = value - half_window, value + half_window
    if b.window == 0 or depth < b.window_depth or is_decided(value):
        alpha, beta = -INFINITY, INFINITY
    while True:
        value = seek(b, player, int64(depth), alpha, beta, int64(0))
        if b.stopped or (alpha < value and value < beta):
            return value
        half_window *= b.window_growth
        if value <= alpha:
            alpha = -INFINITY if is_decided(value) else value - half_window
        else:
            beta = INFINITY if is_decided(value) else value + half_window


@kernel
def _is_time_used(b: Any, changes: float) -> bool:
    """True if a game clock's share is used; it is the larger the more the best move changes."""
    if b.share == 0:
        return False
    return 100 * (now() - b.begun) > b.share * (b.steady_share + b.change_share * changes)


@kernel
def _keep_line(b: Any, cells: Any, start: int) -> None:
    step = 0
    while cells[start + step] > 0 and step < PLIES - 2:
        b.expected[step] = cells[start + step]
        step += 1
    b.expected[step] = 0


@kernel
def forget_all(b: Any) -> None:
    forget_positions(b)
    forget_history(b)
