"""Principal variation search that looks deep where it matters, and proves what it claims.

A node is a position with a side to move. Depth is the number of plies left: late quiet moves are
searched less deep, or not at all; the answer to a four costs nothing. A loss counts as proven only
where all answers were tried: the one to a four, or those to two fours at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bounds import INFINITY
from ..shapes.board import undo
from ..shapes.geometry import int64
from ..shapes.search import PLIES, note_line
from .history import note_failed
from .moves import put_stone
from .positions import prefetch_position
from .pruning import (
    OPEN,
    count_cut,
    depth_entered,
    enter,
    leave,
    next_move,
    plies_left,
    plies_off,
)

SELECTIVE_FIELDS = [
    ("root_move", np.int64),
    ("root_value", np.int64),
]


@kernel
def seek(b: Any, player: int, depth: int, alpha: int, beta: int, ply: int) -> int:
    """The position's value to the player to move (fail soft); of no use once `b.stopped` is set."""
    b.line[ply * PLIES] = 0
    value = enter(b, player, depth, alpha, beta, ply)
    if value > -INFINITY:
        return value
    depth = depth_entered(b, depth, ply)
    lowest, best, best_move, with_window = alpha, -INFINITY, int64(0), beta - alpha > 1
    other = 1 - player
    while alpha < beta:
        cell = next_move(b, player, depth, ply, alpha, best, with_window)
        if cell == 0:
            break
        left = plies_left(b, player, cell, depth, ply)
        off = plies_off(b, player, cell, depth, ply, best, with_window)
        prefetch_position(b, cell, player)
        put_stone(b, cell, player)
        if b.node_tried[ply] == 0:
            value = -seek(b, other, left, -beta, -alpha, ply + 1)
        else:
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
        note_tried(b, player, cell, depth, ply, value, alpha, beta)
        alpha = max(alpha, value)
    return leave(b, player, depth, ply, best, best_move, lowest, beta)


@kernel
def note_tried(
    b: Any, player: int, cell: int, depth: int, ply: int, value: int, alpha: int, beta: int
) -> None:
    """Record the result of a move: a better line of play, a cut-off, or a failure."""
    if value > alpha:
        note_line(b, ply, cell)
        if ply == 0:
            b.root_move, b.root_value = cell, value
        if value >= beta:
            count_cut(b, player, cell, ply, depth)
    elif b.node_kinds[ply] == OPEN:
        note_failed(b, player, cell, depth)
