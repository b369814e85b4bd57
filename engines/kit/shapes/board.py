"""A board that keeps the shapes of all points and stones, and their worth, from move to move.

All state is one record, because kernels pass one record through recursion for 1.4 ns and twelve
arrays for 12.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arena.jit import kernel

from .. import MAX_SIZE
from ..grid import stone_keys
from .geometry import CELLS, STEPS, int64
from .lines import line_value
from .table import KEYS, RANKS

STONE_KEYS = stone_keys(CELLS)
OFF_BOARD = 4
LOW = 0xFFFFFFFF
"""The first player's half of a pair, two numbers that share 64 bits: half the additions."""

FIELDS = [
    ("size", np.int64),
    ("reach", np.int64),
    ("with_lines", np.int64),  # 1 if line values are kept
    ("with_counts", np.int64),  # 1 if shapes are counted
    ("exact", np.int64, (2,)),
    ("stones", np.int64),
    ("key", np.int64),  # Zobrist
    ("total", np.int64),  # pair: the worth of each player's stones
    ("line_total", np.int64),  # pair: the worth of each player's line shapes
    ("moves", np.int64, (MAX_SIZE * MAX_SIZE,)),
    ("cells", np.uint8, (CELLS,)),  # 0, 1, 2, OFF_BOARD
    ("keys", np.uint32, (4 * CELLS,)),  # neighbours by cell * 4 + direction
    ("values", np.int64, (CELLS,)),  # pair: the worth of a stone of each player here
    ("line_of", np.int64, (4 * CELLS,)),
    ("shift_of", np.int64, (4 * CELLS,)),  # twice the cell's place in its line
    ("lines", np.int64, (6 * MAX_SIZE,)),
    ("line_values", np.int64, (6 * MAX_SIZE,)),  # pairs
    ("counts", np.int64, (32,)),  # player * 16 + code: empty points' directions that have it
    ("rank_weights", np.int64, (RANKS,)),
    ("code_values", np.int64, (256,)),  # both players' codes -> pair of weights
    ("shapes", np.uint8, (KEYS,)),
]


@kernel
def play(b: Any, cell: int, player: int) -> None:
    """Put a stone of player 0 or 1 on an empty cell."""
    b.moves[b.stones] = cell
    b.stones += 1
    b.total += own_half(b.values[cell], player)
    count_point(b, cell, -1)
    b.cells[cell] = player + 1
    flip(b, cell, player)


@kernel
def undo(b: Any) -> None:
    """Take back the stone that was played last: everything is as before."""
    b.stones -= 1
    cell = b.moves[b.stones]
    player = int64(b.cells[cell]) - 1
    flip(b, cell, player)
    b.cells[cell] = 0
    count_point(b, cell, 1)
    b.total -= own_half(b.values[cell], player)


@kernel
def flip(b: Any, cell: int, player: int) -> None:
    """Add a stone to all that is kept about other cells, or remove it, which is the same."""
    b.key ^= STONE_KEYS[player * CELLS + cell]
    total = b.total
    for direction in range(4):
        step = STEPS[direction]
        for distance in range(1, b.reach + 1):
            bits = (player + 1) << 4 * (distance - 1)
            total += touch(b, cell + distance * step, direction, bits)
            total += touch(b, cell - distance * step, direction, bits << 2)
    b.total = total
    if b.with_lines:
        flip_lines(b, cell, player)


@partial(kernel, inline="always")
def touch(b: Any, cell: int, direction: int, bits: int) -> int:
    """Change a neighbour in the cell's key; returns the change of the total, if a stone's."""
    slot = 4 * cell + direction
    old = b.keys[slot]
    new = old ^ np.uint32(bits)
    b.keys[slot] = new
    change = b.code_values[b.shapes[new]] - b.code_values[b.shapes[old]]
    b.values[cell] += change
    stone = int64(b.cells[cell])
    if b.with_counts and stone == 0:
        count_codes(b, b.shapes[old], -1)
        count_codes(b, b.shapes[new], 1)
    low = int64(np.int32(change))
    return (low & -(stone & 1)) + ((change - low) & -(stone >> 1 & 1))


@kernel
def count_point(b: Any, cell: int, change: int) -> None:
    """Count an empty cell's shapes in, or out."""
    if b.with_counts and b.cells[cell] == 0:
        for direction in range(4):
            count_codes(b, b.shapes[b.keys[4 * cell + direction]], change)


@partial(kernel, inline="always")
def count_codes(b: Any, codes: int, change: int) -> None:
    """Count both players' codes in, or out."""
    b.counts[codes & 15] += change
    b.counts[16 + (codes >> 4)] += change


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
def own_half(pair: int, player: int) -> int:
    """The pair with the other player's number left out."""
    return pair & LOW if player == 0 else pair & ~LOW


@partial(kernel, inline="always")
def half(pair: int, player: int) -> int:
    """One player's number of a pair."""
    return pair & LOW if player == 0 else pair >> 32
