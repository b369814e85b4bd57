"""A board that keeps the shapes of all points, and their worth, from move to move.

With `with_totals`, it also keeps the worth of stones; with `with_classes`, the class of each empty
point, and the set of points of each class; with `with_patterns`, totals of patterns.

All state is one record, because kernels pass one record through recursion for 1.4 ns and twelve
arrays for 12.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arena.jit import kernel

from .. import MAX_SIZE
from ..bits import lowest
from ..grid import stone_keys
from .codes import MOST_STONES, WORDS, flip_keys, list_changes, make_changes, take_back, turn_sets
from .geometry import CELLS, int64
from .lines import line_value
from .patterns import count_pattern, sums_at
from .table import CLASSES, RANKS

STONE_KEYS = stone_keys(CELLS)
OFF_BOARD = 4
LOW = 0xFFFFFFFF
"""The first player's half of a pair, two numbers that share 64 bits: half the additions."""

BOARD_FIELDS = [
    ("size", np.int64),
    ("with_lines", np.int64),  # 1 if line values are kept
    ("exact", np.int64, (2,)),
    ("stones", np.int64),
    ("key", np.int64),  # Zobrist
    ("line_total", np.int64),  # pair: the worth of each player's line shapes
    ("moves", np.int64, (MOST_STONES,)),
    ("totals_before", np.int64, (3 * MOST_STONES,)),  # by the stones before one
    ("line_of", np.int64, (4 * CELLS,)),
    ("shift_of", np.int64, (4 * CELLS,)),  # twice the cell's place in its line
    ("lines", np.int64, (6 * MAX_SIZE,)),
    ("line_values", np.int64, (6 * MAX_SIZE,)),  # pairs
    ("rank_weights", np.int64, (RANKS,)),
    ("first_word", np.int64),  # of the board's cells in a set
    ("last_word", np.int64),
]


@kernel
def play(b: Any, cell: int, player: int) -> None:
    """Put a stone of player 0 or 1 on an empty cell."""
    keep_totals(b)
    b.moves[b.stones] = cell
    b.key ^= STONE_KEYS[player * CELLS + cell]
    if b.with_totals:
        b.total += own_half(b.values[cell], player)
    if b.with_classes:
        turn_sets(b, cell, -1)
    if b.with_patterns:
        count_pattern(b, cell, int64(-1))
    b.cells[cell] = player + 1
    list_changes(b, cell, player)
    # Three compiled loops: totals cost nothing where they are not kept.
    if b.with_totals:
        make_changes(b, True, False)
    elif b.with_patterns:
        make_changes(b, False, True)
    else:
        make_changes(b, False, False)
    b.stones += 1
    if b.with_lines:
        flip_lines(b, cell, player)


@kernel
def undo(b: Any) -> None:
    """Take back the stone that was played last: everything is as before."""
    b.stones -= 1
    cell = b.moves[b.stones]
    player = int64(b.cells[cell]) - 1
    b.key ^= STONE_KEYS[player * CELLS + cell]
    b.cells[cell] = 0
    flip_keys(b, cell, player)
    if b.with_totals:
        take_back(b, True)
    else:
        take_back(b, False)
    if b.with_classes:
        turn_sets(b, cell, 1)
    restore_totals(b)
    if b.with_lines:
        flip_lines(b, cell, player)


@partial(kernel, inline="always")
def keep_totals(b: Any) -> None:
    """Keep the totals from before the next stone."""
    at = 3 * b.stones
    b.totals_before[at] = b.total
    b.totals_before[at + 1], b.totals_before[at + 2] = b.pattern_totals[0], b.pattern_totals[1]


@partial(kernel, inline="always")
def restore_totals(b: Any) -> None:
    """Restore the totals from before the last stone, which is no longer counted."""
    at = 3 * b.stones
    b.total = b.totals_before[at]
    b.pattern_totals[0], b.pattern_totals[1] = b.totals_before[at + 1], b.totals_before[at + 2]


@partial(kernel, inline="always")
def key_after(b: Any, cell: int, player: int) -> int:
    """The position's key after a stone on the cell."""
    return b.key ^ STONE_KEYS[player * CELLS + cell]


@kernel
def count_of(b: Any, player: int, kind: int) -> int:
    """The number of empty cells of a class."""
    return int64(b.class_counts[CLASSES * player + kind])


@kernel
def first_of(b: Any, player: int, kind: int) -> int:
    """The first empty cell of a class; 0 without."""
    if count_of(b, player, kind) == 0:
        return int64(0)
    start = (CLASSES * player + kind) * WORDS
    for word in range(b.first_word, b.last_word + 1):
        if b.class_sets[start + word] != 0:
            return (word << 6) + lowest(b.class_sets[start + word])
    return int64(0)


@kernel
def flip_lines(b: Any, cell: int, player: int) -> None:
    """Add or remove a stone in its four lines."""
    for direction in range(4):
        line = b.line_of[4 * cell + direction]
        b.lines[line] ^= (player + 1) << b.shift_of[4 * cell + direction]
        value = line_value(b, b.lines[line])
        b.line_total += value - b.line_values[line]
        b.line_values[line] = value


@partial(kernel, inline="always")
def point_value(b: Any, cell: int) -> int:
    """The pair of the worths of a stone of each player on an empty point."""
    if b.with_totals:
        return int64(b.values[cell])
    first, second = sums_at(b, cell)
    return int64(b.point_worths[first] + (b.point_worths[second] << 32))


@partial(kernel, inline="always")
def own_half(pair: int, player: int) -> int:
    """The pair with the other player's number left out."""
    return pair & LOW if player == 0 else pair & ~LOW


@partial(kernel, inline="always")
def half(pair: int, player: int) -> int:
    """One player's number of a pair."""
    return pair & LOW if player == 0 else pair >> 32
