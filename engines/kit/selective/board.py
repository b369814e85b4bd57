"""The shapes' board with the classes of all points, as sets of cells, and the points near stones.

A set of cells is WORDS words of 64 bits. All that `shapes.board` keeps is kept here too, apart from
its counts of shapes.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arena.jit import kernel

from .. import MAX_SIZE
from ..bits import lowest
from ..shapes.board import STONE_KEYS, flip_lines, own_half
from ..shapes.geometry import CELLS, MARGIN, STEPS, STRIDE, int64
from .classes import CLASSES, PLAYER_BITS

WORDS = CELLS // 64 + 1
NEAR_ROWS = 3
"""Rows and columns, each way, that a stone's neighbourhood reaches at most."""
SQUARE = {-3: 0, -2: 0b0111110, -1: 0b0111110, 0: 0b0111110, 1: 0b0111110, 2: 0b0111110, 3: 0}
STAR = {-3: 0b1001001, -2: 0, -1: 0, 0: 0b1000001, 1: 0, 2: 0, 3: 0b1001001}
NEARBY = np.array([SQUARE[row] | STAR[row] for row in range(-NEAR_ROWS, NEAR_ROWS + 1)])
"""A stone's neighbourhood, rows as bits: two cells in each direction and three in line."""

FIELDS = [
    ("threats_of", np.uint32, (256,)),  # of both players' codes: see `classes`
    ("class_of", np.uint8, (1 << PLAYER_BITS,)),  # of a player's threats in four directions
    ("threats", np.uint32, (CELLS,)),  # both players' in four directions
    ("classes", np.uint8, (2 * CELLS,)),  # by player * CELLS + cell
    ("class_sets", np.uint64, (2 * CLASSES * WORDS,)),  # empty cells by player and class
    ("class_counts", np.int64, (2 * CLASSES,)),
    ("near_sets", np.uint64, ((MAX_SIZE * MAX_SIZE + 1) * WORDS,)),  # by stones: cells near any
    ("first_word", np.int64),  # of the board's cells
    ("last_word", np.int64),
]


@kernel
def put_stone(b: Any, cell: int, player: int) -> None:
    """Put a stone of player 0 or 1 on an empty cell."""
    spread(b, cell)
    put_alone(b, cell, player)


@kernel
def put_alone(b: Any, cell: int, player: int) -> None:
    """Put a stone, but leave the points near stones as they were: nobody will ask for them."""
    b.moves[b.stones] = cell
    b.stones += 1
    b.total += own_half(b.values[cell], player)
    turn_classes(b, cell, -1)
    b.cells[cell] = player + 1
    turn_stone(b, cell, player)


@kernel
def lift_stone(b: Any) -> None:
    """Take back the stone that was put last: everything is as before."""
    b.stones -= 1
    cell = b.moves[b.stones]
    player = int64(b.cells[cell]) - 1
    turn_stone(b, cell, player)
    b.cells[cell] = 0
    turn_classes(b, cell, 1)
    b.total -= own_half(b.values[cell], player)


@kernel
def spread(b: Any, cell: int) -> None:
    """Add the cell's neighbourhood to the points near stones, for one stone more."""
    start = b.stones * WORDS
    for word in range(b.first_word, b.last_word + 1):
        b.near_sets[start + WORDS + word] = b.near_sets[start + word]
    for row in range(2 * NEAR_ROWS + 1):
        at = cell + (row - NEAR_ROWS) * STRIDE - NEAR_ROWS
        bits, shift = np.uint64(NEARBY[row]), np.uint64(at & 63)
        b.near_sets[start + WORDS + (at >> 6)] |= bits << shift
        if at & 63 > 57:
            b.near_sets[start + WORDS + (at >> 6) + 1] |= bits >> (np.uint64(64) - shift)


@kernel
def turn_classes(b: Any, cell: int, change: int) -> None:
    """Take an empty cell into the sets of its classes, or out of them."""
    bit = np.uint64(1) << np.uint64(cell & 63)
    for player in range(2):
        at = CLASSES * player + int64(b.classes[player * CELLS + cell])
        b.class_sets[at * WORDS + (cell >> 6)] ^= bit
        b.class_counts[at] += change


@kernel
def turn_stone(b: Any, cell: int, player: int) -> None:
    """Add a stone to all that is kept about other cells, or remove it, which is the same."""
    b.key ^= STONE_KEYS[player * CELLS + cell]
    total = b.total
    for direction in range(4):
        step = STEPS[direction]
        for distance in range(1, b.reach + 1):
            bits = (player + 1) << 4 * (distance - 1)
            total += turn_neighbour(b, cell + distance * step, direction, bits)
            total += turn_neighbour(b, cell - distance * step, direction, bits << 2)
    b.total = total
    if b.with_lines:
        flip_lines(b, cell, player)


@partial(kernel, inline="always")
def turn_neighbour(b: Any, cell: int, direction: int, bits: int) -> int:
    """Change a neighbour in the cell's key; returns the change of the total, if a stone's."""
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
    turned = b.threats_of[before] ^ b.threats_of[after]
    if turned != 0:
        reclass(b, cell, turned << np.uint32(3 * direction), stone == 0)
    low = int64(np.int32(change))
    return (low & -(stone & 1)) + ((change - low) & -(stone >> 1 & 1))


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
def survey(b: Any) -> None:
    """Find everything that is kept here beyond `shapes.board`, from the stones and their keys."""
    corner = b.size - 1
    b.first_word = (MARGIN * STRIDE + MARGIN) >> 6
    b.last_word = ((MARGIN + corner) * STRIDE + MARGIN + corner) >> 6
    for slot in range(b.class_sets.size):
        b.class_sets[slot] = 0
    for slot in range(b.class_counts.size):
        b.class_counts[slot] = 0
    for cell in range(CELLS):
        if b.cells[cell] == 4:
            continue
        threats = int64(0)
        for direction in range(4):
            codes = int64(b.shapes[b.keys[4 * cell + direction]])
            threats |= int64(b.threats_of[codes]) << 3 * direction
        b.threats[cell] = np.uint32(threats)
        b.classes[cell] = b.class_of[threats & (1 << PLAYER_BITS) - 1]
        b.classes[CELLS + cell] = b.class_of[threats >> PLAYER_BITS]
        if b.cells[cell] == 0:
            turn_classes(b, cell, 1)
    stones = b.stones
    for word in range(WORDS):
        b.near_sets[word] = 0
    for index in range(stones):
        b.stones = index
        spread(b, b.moves[index])
    b.stones = stones
