"""A board that keeps the shapes of all points and stones, and their worth, from move to move.

With `with_classes`, it also keeps the class of each point, and the set of empty points of each
class. A set of cells is WORDS words of 64 bits.

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
from .geometry import CELLS, STEPS, int64
from .lines import line_value
from .patterns import count_pattern, turn_pattern
from .table import CLASSES, KEYS, PLAYER_BITS, RANKS

WORDS = CELLS // 64 + 1
STONE_KEYS = stone_keys(CELLS)
OFF_BOARD = 4
LOW = 0xFFFFFFFF
"""The first player's half of a pair, two numbers that share 64 bits: half the additions."""

FIELDS = [
    ("size", np.int64),
    ("reach", np.int64),
    ("with_lines", np.int64),  # 1 if line values are kept
    ("with_classes", np.int64),  # 1 if classes are kept
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
    ("rank_weights", np.int64, (RANKS,)),
    ("code_values", np.int64, (256,)),  # both players' codes -> pair of weights
    ("shapes", np.uint8, (KEYS,)),
    ("threats_of", np.uint32, (256,)),  # of both players' codes: see `table`
    ("class_of", np.uint8, (1 << PLAYER_BITS,)),  # of a player's threats in four directions
    ("threats", np.uint32, (CELLS,)),  # both players' in four directions
    ("classes", np.uint8, (2 * CELLS,)),  # by player * CELLS + cell
    ("class_sets", np.uint64, (2 * CLASSES * WORDS,)),  # empty cells by player and class
    ("class_counts", np.int64, (2 * CLASSES,)),
    ("first_word", np.int64),  # of the board's cells in a set
    ("last_word", np.int64),
]


@kernel
def play(b: Any, cell: int, player: int) -> None:
    """Put a stone of player 0 or 1 on an empty cell."""
    b.moves[b.stones] = cell
    b.stones += 1
    b.total += own_half(b.values[cell], player)
    if b.with_classes:
        turn_classes(b, cell, -1)
    if b.with_patterns:
        count_pattern(b, cell, int64(-1))
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
    if b.with_classes:
        turn_classes(b, cell, 1)
    if b.with_patterns:
        count_pattern(b, cell, int64(1))
    b.total -= own_half(b.values[cell], player)


@kernel
def flip(b: Any, cell: int, player: int) -> None:
    """Add a stone to everything kept about other cells, or remove it: one step does both."""
    b.key ^= STONE_KEYS[player * CELLS + cell]
    # Two compiled loops: what keeps patterns costs nothing where they are not kept.
    if b.with_patterns:
        touch_neighbours(b, cell, player, True)
    else:
        touch_neighbours(b, cell, player, False)
    if b.with_lines:
        flip_lines(b, cell, player)


@partial(kernel, inline="always")
def touch_neighbours(b: Any, cell: int, player: int, with_patterns: bool) -> None:
    """Change the keys of all cells in line with a stone, and all that depends on them."""
    total, with_classes = b.total, b.with_classes != 0
    for direction in range(4):
        step = STEPS[direction]
        for distance in range(1, b.reach + 1):
            bits = (player + 1) << 4 * (distance - 1)
            ahead, back = cell + distance * step, cell - distance * step
            total += touch(b, ahead, direction, bits, with_classes, with_patterns)
            total += touch(b, back, direction, bits << 2, with_classes, with_patterns)
    b.total = total


@partial(kernel, inline="always")
def touch(
    b: Any, cell: int, direction: int, bits: int, with_classes: bool, with_patterns: bool
) -> int:
    """Change a neighbour in the cell's key; returns the change of the total if a stone is there."""
    slot = 4 * cell + direction
    old = b.keys[slot]
    new = old ^ np.uint32(bits)
    b.keys[slot] = new
    before, after = int64(b.shapes[old]), int64(b.shapes[new])
    if before == after:
        return 0
    change = b.code_values[after] - b.code_values[before]
    b.values[cell] += change
    stone = int64(b.cells[cell])
    if with_classes:
        turned = b.threats_of[before] ^ b.threats_of[after]
        if turned != 0:
            reclass(b, cell, turned << np.uint32(3 * direction), stone == 0)
    if with_patterns:
        turn_pattern(b, cell, before, after, stone == 0)
    low = int64(np.int32(change))
    return (low & -(stone & 1)) + ((change - low) & -(stone >> 1 & 1))


@kernel
def turn_classes(b: Any, cell: int, change: int) -> None:
    """Add an empty cell to the sets of its classes (change 1), or remove it from them (-1)."""
    bit = np.uint64(1) << np.uint64(cell & 63)
    for player in range(2):
        at = CLASSES * player + int64(b.classes[player * CELLS + cell])
        b.class_sets[at * WORDS + (cell >> 6)] ^= bit
        b.class_counts[at] += change


@kernel
def reclass(b: Any, cell: int, turned: int, is_empty: bool) -> None:
    """Change bits of a cell's threats, and its classes with them."""
    threats = int64(b.threats[cell]) ^ int64(turned)
    b.threats[cell] = np.uint32(threats)
    for player in range(2):
        slot = player * CELLS + cell
        old = int64(b.classes[slot])
        new = int64(b.class_of[threats >> PLAYER_BITS * player & (1 << PLAYER_BITS) - 1])
        if old != new:
            b.classes[slot] = np.uint8(new)
            if is_empty:
                bit = np.uint64(1) << np.uint64(cell & 63)
                old, new = CLASSES * player + old, CLASSES * player + new
                b.class_sets[old * WORDS + (cell >> 6)] ^= bit
                b.class_sets[new * WORDS + (cell >> 6)] ^= bit
                b.class_counts[old] -= 1
                b.class_counts[new] += 1


@kernel
def count_of(b: Any, player: int, kind: int) -> int:
    """The number of empty cells of a class."""
    return int64(b.class_counts[CLASSES * player + kind])


@kernel
def first_of(b: Any, player: int, kind: int) -> int:
    """The first empty cell of a class; 0 without."""
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
def own_half(pair: int, player: int) -> int:
    """The pair with the other player's number left out."""
    return pair & LOW if player == 0 else pair & ~LOW


@partial(kernel, inline="always")
def half(pair: int, player: int) -> int:
    """One player's number of a pair."""
    return pair & LOW if player == 0 else pair >> 32
