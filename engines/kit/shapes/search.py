"""Alpha-beta over sorted candidates, for every engine that scores shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bounds import INFINITY
from ..clock import visit
from .board import play, undo
from .candidates import candidates as list_candidates, take_best
from .evaluation import (
    is_known,
    makes_five,
    move_rank,
    position_value,
    remember,
    search_key,
    total_after,
)
from .table import FIVE, MARGIN, RUSH_FOUR, STRIDE, int64

PLIES = 96  # the longest line of play: no engine's depth and extensions may exceed it

SEARCH_FIELDS = [
    ("extension", np.int64),  # plies for a rush four
    ("extension_max", np.int64),  # in one line of play
    ("reached", np.int64),  # the depth searched: 1 where five was at hand
    ("cutoffs", np.int64),
    ("extensions", np.int64),
    ("line", np.int64, (PLIES * PLIES,)),  # row ply: the expected play from there, 0 at its end
]


@kernel
def think(b: Any, player: int, depth: int) -> int:
    """Search the position on the board to a depth; returns its value to the player.

    Row 0 of `b.line` becomes the expected play. `b.stopped` means that a limit came first: then
    neither counts. A five at hand is played at once: by value alone it could be put off for ever.
    """
    b.root_player = player
    b.top = 0
    value = _best_five(b, player)
    b.reached = depth if value == -INFINITY else 1
    if value > -INFINITY:
        return value
    return search(b, player, depth, -INFINITY, INFINITY, int64(0), int64(0))


@kernel
def _best_five(b: Any, player: int) -> int:
    """The value of the best move that makes a five, in row 0 of `b.line`; -INFINITY without."""
    best = -INFINITY
    for row in range(MARGIN, MARGIN + b.size):
        for cell in range(row * STRIDE + MARGIN, row * STRIDE + MARGIN + b.size):
            if b.cells[cell] == 0 and makes_five(b, cell, player):
                visit(b)
                value = position_value(b, total_after(b, cell, player), player)
                if value > best:
                    best = value
                    end_line(b, int64(0), cell)
    return best


@kernel
def search(b: Any, player: int, depth: int, alpha: int, beta: int, ply: int, extended: int) -> int:
    """The position's value to the player, exact between alpha and beta (fail soft).

    A node is a position after a move, whose totals are then known. Once `b.stopped` is set, the
    result is of no use.
    """
    b.line[ply * PLIES] = 0
    key, lowest = int64(0), alpha
    with_table = b.table_bits > 0 and ply > 1
    if with_table:
        key = search_key(b, depth, extended)
        if is_known(b, key, alpha, beta):
            return b.known
    start = b.top
    count = list_candidates(b, player)
    if count == 0:
        return position_value(b, b.line_total if b.with_lines else b.total, player)
    listed = b.listed
    b.top = start + listed
    best = -INFINITY
    for _ in range(count):
        cell = take_best(b, player, start, listed)
        if cell == 0 or not visit(b):
            break
        rank = move_rank(b, cell, player)
        extra = _extra_plies(b, rank, extended)
        left = depth - 1 + extra
        b.line[(ply + 1) * PLIES] = 0
        if left == 0 or rank == FIVE:
            value = position_value(b, total_after(b, cell, player), player)
        else:
            play(b, cell, player)
            value = -search(b, 1 - player, left, -beta, -alpha, ply + 1, extended + extra)
            undo(b)
            if b.stopped:
                break
        best = max(best, value)
        if value > alpha:
            alpha = value
            note_line(b, ply, cell)
            if alpha >= beta:
                b.cutoffs += 1
                break
    b.top = start
    if with_table and not b.stopped:
        remember(b, key, best, lowest, beta)
    return best


@kernel
def _extra_plies(b: Any, rank: int, extended: int) -> int:
    if rank != RUSH_FOUR or extended + b.extension > b.extension_max:
        return 0
    b.extensions += 1
    return b.extension


@kernel
def end_line(b: Any, ply: int, cell: int) -> None:
    b.line[ply * PLIES], b.line[ply * PLIES + 1] = cell, 0


@kernel
def note_line(b: Any, ply: int, cell: int) -> None:
    """Write down the expected play from here: this move, then the play expected after it."""
    here, there = ply * PLIES, (ply + 1) * PLIES
    b.line[here] = cell
    step = 0
    while b.line[there + step] > 0 and step < PLIES - 2:
        b.line[here + step + 1] = b.line[there + step]
        step += 1
    b.line[here + step + 1] = 0
