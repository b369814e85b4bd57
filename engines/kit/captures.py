"""Two eat one inside a kernel: alpha-beta over the difference of pieces, on sets of 25 points.

A side's pieces are the low 25 bits of an int64, row by row. Values are seen by the side to move.
A side that cannot move, or has fewer than two pieces, has lost: LOSS, and better the later.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from .bits import lowest
from .bounds import INFINITY
from .clock import LIMITS, visit

SIZE = 5
AREA = SIZE * SIZE
BOARD = (1 << AREA) - 1
LOSS = -1_000

cells = np.arange(AREA)
ROW = 0b11111 << SIZE * (cells // SIZE)
COLUMN = 0b00001_00001_00001_00001_00001 << cells % SIZE
"""The points of each point's row and column."""
LEFT, RIGHT = int(COLUMN[0]), int(COLUMN[-1])
"""The columns at the edges, which no step sideways leaves."""

STATE = np.dtype([("move", np.int64), *LIMITS], align=True)


@kernel
def search(
    state: Any, ply: int, depth: int, own: int, other: int, lead: int, alpha: int, beta: int
) -> int:
    """The minimax value, or a bound on it outside alpha and beta; meaningless once stopped.

    `lead` is the mover's pieces less the other's. At the root, the first of the best moves in
    ascending order is left in `state.move`.
    """
    if not visit(state):
        return alpha
    if has_lost(own, other):
        return LOSS + ply
    if depth == 0:
        return lead
    best = -INFINITY
    pieces = np.uint64(own)
    while pieces:
        cell = lowest(pieces)
        pieces &= pieces - np.uint64(1)
        steps = np.uint64(beside(1 << cell) & ~(own | other))
        while steps:
            to = lowest(steps)
            steps &= steps - np.uint64(1)
            moved = own ^ (1 << cell) ^ (1 << to)
            row, column = captured(moved, other, ROW[to], 1), captured(moved, other, COLUMN[to], 5)
            gained = lead + (row != 0) + (column != 0)
            left = other & ~(row | column)
            value = -search(
                state, ply + 1, depth - 1, left, moved, -gained, -beta, -max(alpha, best)
            )
            if state.stopped:
                return alpha
            if value > best:
                best = value
                if ply == 0:
                    state.move = cell * AREA + to
                if best >= beta:
                    return best
    return best


@kernel
def beside(points: int) -> int:
    """The points one step from any of these."""
    sideways = (points & ~LEFT) >> 1 | (points & ~RIGHT) << 1
    return (points >> SIZE | points << SIZE | sideways) & BOARD


@kernel
def has_lost(own: int, other: int) -> bool:
    """True if the side to move has fewer than two pieces, or none that can move."""
    return own & (own - 1) == 0 or beside(own) & ~(own | other) == 0


@kernel
def captured(own: int, other: int, line: int, step: int) -> int:
    """The piece that the side that moved onto this line captures there, if any.

    Three pieces in all stand on the line, next to each other: two own and, at an end, an enemy.
    """
    own &= line
    other &= line
    pair = own & (own >> step)
    more = own & (own - 1)
    if pair == 0 or more & (more - 1) or other & (other - 1):
        return 0
    return other & (pair << 2 * step | pair >> step)
