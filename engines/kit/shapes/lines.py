"""The shapes of a whole line: disjoint sets of stones, the greatest choice of them.

A line is an integer with two bits a cell (0 empty, 1, 2) and ones, the edge's 3, above its end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from .table import LIVE_FOUR, RANKS, RUSH_FOUR

LOW_BITS = 0x5555555555555555
"""The lower bit of each cell of a line."""
FIVE_CELLS, SIX_CELLS, FENCE = 0x155, 0x555, 0x401
LONGEST_SET = 7
"""Number of stones of a double four: XXX_X_XXX."""

CACHE_BITS = 14
CACHE_FACTOR = 0x1E3779B97F4A7C15
"""An odd number, with bits well mixed: the top bits of its product with a line choose the entry."""

LINE_FIELDS = [
    ("cached_lines", np.int64, (1 << CACHE_BITS,)),
    ("cached_values", np.int64, (1 << CACHE_BITS,)),
    ("before", np.int64, (26,)),  # stones before each cell of the line at hand
    ("ranks", np.int64, (26 * 8,)),  # by a set's first stone and size
    ("completing", np.int64, (26,)),  # by a rush four's first stone: the bit of its empty cell
    ("choice", np.int64, (26,)),  # the greatest choice among the first stones
]


@kernel
def line_value(b: Any, line: int) -> int:
    """The worth of both players' shapes on the line, the second player's 32 bits up.

    A cache of 16 384 lines answers nearly always: a move takes 13 ns, all four lines together.
    """
    entry = ((line * CACHE_FACTOR) >> (64 - CACHE_BITS)) & ((1 << CACHE_BITS) - 1)
    if b.cached_lines[entry] != line:
        b.cached_lines[entry] = line
        b.cached_values[entry] = resplit_value(b, line)
    return b.cached_values[entry]


@kernel
def resplit_value(b: Any, line: int) -> int:
    """The worth of both players' shapes on the line, found without the cache."""
    low, high = line & LOW_BITS, (line >> 1) & LOW_BITS
    value = 0
    for player in range(2):
        own, blocked = (low & ~high, high) if player == 0 else (high & ~low, low)
        counts = split(b, own, blocked, b.exact[player])
        for rank in range(1, RANKS):
            value += (b.rank_weights[rank] * (counts & 31)) << 32 * player
            counts >>= 5
    return value


@kernel
def split(b: Any, own: int, blocked: int, exact: bool) -> int:
    """The number of shapes of each rank in the greatest choice: five bits a rank, rank 1 lowest.

    `own` and `blocked` have one bit in two, cell 0 lowest, `blocked` set beyond the line's end.
    A set is a run of consecutive stones, so the greatest choice among the first n stones
    extends one among fewer; as numbers, the counts compare as the choices do.
    """
    if own == 0:
        return 0
    stones = find_sets(b, own, blocked, exact)
    b.choice[0] = 0
    for end in range(1, stones + 1):
        best = b.choice[end - 1]
        for size in range(1, min(LONGEST_SET, end) + 1):
            rank = b.ranks[(end - size) * 8 + size]
            if rank > 0:
                best = max(best, b.choice[end - size] + (1 << 5 * (rank - 1)))
        b.choice[end] = best
    return b.choice[stones]


@kernel
def find_sets(b: Any, own: int, blocked: int, exact: bool) -> int:
    """Rank every set in `b.ranks`, by its first stone and size; returns the number of stones."""
    stones = 0
    for cell in range(b.size):
        b.before[cell] = stones
        if (own >> 2 * cell) & 1:
            for slot in range(stones * 8, stones * 8 + 8):
                b.ranks[slot] = 0
            stones += 1
    b.before[b.size] = stones
    for cell in range(b.size - 4):
        rush_set(b, own, blocked, exact, cell)
    for cell in range(1, b.size - 4):
        live_set(b, own, blocked, exact, cell)
    for first in range(stones):
        if b.ranks[first * 8 + 4] == RUSH_FOUR:
            double_fours(b, first, stones)
    return stones


@kernel
def rush_set(b: Any, own: int, blocked: int, exact: bool, cell: int) -> None:
    """Rank the stones in the window of five from `cell` on."""
    held = (own >> 2 * cell) & FIVE_CELLS
    if held == 0 or (blocked >> 2 * cell) & FIVE_CELLS:
        return
    if exact and ((own >> 2 * cell + 10) & 1 or (cell > 0 and (own >> 2 * cell - 2) & 1)):
        return
    first = b.before[cell]
    size = b.before[cell + 5] - first
    b.ranks[first * 8 + size] = 2 * size - 1
    if size == 4:
        b.completing[first] = (FIVE_CELLS ^ held) << 2 * cell


@kernel
def live_set(b: Any, own: int, blocked: int, exact: bool, cell: int) -> None:
    """Rank the stones in the window of four from `cell` on, between two empty cells."""
    held = (own >> 2 * cell - 2) & SIX_CELLS
    if held == 0 or (blocked >> 2 * cell - 2) & SIX_CELLS or held & FENCE:
        return
    if exact and ((own >> 2 * cell + 10) & 1 or (cell > 1 and (own >> 2 * cell - 4) & 1)):
        return
    first = b.before[cell]
    size = b.before[cell + 4] - first
    b.ranks[first * 8 + size] = 2 * size


@kernel
def double_fours(b: Any, first: int, stones: int) -> None:
    """Rank the unions of a rush four with later ones that share a stone with it."""
    for other in range(first + 1, min(first + 4, stones)):
        slot = first * 8 + other - first + 4
        if (
            b.ranks[other * 8 + 4] == RUSH_FOUR
            and b.completing[first] != b.completing[other]
            and b.ranks[slot] < LIVE_FOUR
        ):
            b.ranks[slot] = LIVE_FOUR
