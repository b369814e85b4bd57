"""The shapes of all points, kept from move to move, and all that depends on them.

A stone changes the keys of up to 40 points in line with it, and the codes of some twenty. `play`
lists those first, without branches, which would be guessed wrong too often; then it changes them.
The list stays, so that `undo` restores what was there and finds nothing anew. Of codes, only those
of empty cells are kept; those of stones, too, where totals are.

A set of cells is WORDS words of 64 bits.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.jit import kernel

from .. import MAX_SIZE
from .geometry import CELLS, STEPS, int64, uint64
from .patterns import FIRST_SUM, MARKS, PATTERN_BITS
from .table import CLASSES, KEYS, PLAYER_BITS, RANKS, threat_table

WORDS = CELLS // 64 + 1
MOST_STONES = MAX_SIZE * MAX_SIZE
NEAR = [(k, side, d) for k in range(1, 6) for side in (1, -1) for d in range(4)]
"""Cells in line with a stone, the nearest first: a shorter reach takes the first of them."""
MOST_CHANGES = len(NEAR) * MOST_STONES
"""More than the codes that all stones of a full board change."""
NEAR_SLOTS = np.array([4 * k * side * int(STEPS[d]) + d for k, side, d in NEAR]).astype(np.uint64)
"""The ways to their slots, which are 4 * cell + direction; unsigned, as sums of indices wrap."""
NEAR_BITS = np.array([1 << 4 * (k - 1) + (side < 0) * 2 for k, side, _ in NEAR], np.uint32)
"""A stone of the first player as bits of the keys there; one of the second adds twice that."""
THREATS_AT = PATTERN_BITS * uint64(2)
"""The place of both players' threats in marks, above the sums of both players' patterns."""
PLAYER_MASK = uint64((1 << PLAYER_BITS) - 1)
BYTE = uint64(255)

CODE_FIELDS = [
    ("reach", np.int64),
    ("with_classes", np.int64),  # 1 if classes are kept
    ("with_totals", np.int64),  # 1 if values and totals of stones are kept
    ("total", np.int64),  # pair: the worth of each player's stones
    ("cells", np.uint8, (CELLS,)),  # 0, 1, 2, OFF_BOARD
    ("keys", np.uint32, (4 * CELLS,)),  # neighbours, by slot: 4 * cell + direction
    ("codes", np.uint8, (4 * CELLS,)),  # both players' shapes, by slot
    ("values", np.int64, (CELLS,)),  # pair: the worth of a stone of each player here
    ("marks", np.uint64, (CELLS,)),  # of an empty cell: the sum of its codes' in MARKS_OF
    ("code_values", np.int64, (256,)),  # both players' codes -> pair of weights
    ("shapes", np.uint8, (KEYS,)),
    ("class_of", np.uint8, (1 << PLAYER_BITS,)),  # of a player's threats in four directions
    ("classes", np.uint8, (2 * CELLS,)),  # of empty cells, by 2 * cell + player
    ("class_sets", np.uint64, (2 * CLASSES * WORDS,)),  # empty cells by player and class
    ("class_counts", np.int64, (2 * CLASSES,)),
    ("changes", np.uint64),  # of codes, by all stones; then the number before each stone
    ("changes_before", np.uint64, (MOST_STONES,)),
    ("changed_codes", np.uint64, (MOST_CHANGES,)),  # slot, code before, code after
    ("changed_marks", np.uint64, (MOST_CHANGES,)),  # before
    ("changed_values", np.int64, (MOST_CHANGES,)),
    ("changed_threats", np.uint64, (len(NEAR),)),  # places of those that change threats, by a stone
    ("moved", np.uint64),  # changes of classes, as above
    ("moved_before", np.uint64, (MOST_STONES,)),
    ("moved_classes", np.uint64, (2 * MOST_CHANGES,)),  # place in `classes`, class before, after
]


def marks_table() -> npt.NDArray[np.uint64]:
    """The share of both players' codes in a point's marks: 256 entries for each direction."""
    of_rank = np.zeros(16, np.uint64)
    of_rank[:RANKS] = MARKS
    codes, threats = np.arange(256), threat_table().astype(np.uint64)
    patterns = of_rank[codes & 15] | of_rank[codes >> 4] << PATTERN_BITS
    shifts = THREATS_AT + np.arange(0, PLAYER_BITS, 3).astype(np.uint64)
    table: npt.NDArray[np.uint64] = patterns | threats << shifts[:, None]
    return table.ravel()


MARKS_OF = marks_table()


@kernel
def list_changes(b: Any, cell: int, player: int) -> None:
    """Add a stone to the keys of all cells in line with it, and list the codes that change."""
    changes, start, shift = b.changes, uint64(4 * cell), np.uint32(player)
    b.changes_before[uint64(b.stones)] = changes
    most = np.uint8(2 if b.with_totals else 0)  # the codes of stones count in totals only
    for place in range(8 * b.reach):
        slot = start + NEAR_SLOTS[place]
        key = b.keys[slot] ^ (NEAR_BITS[place] << shift)
        b.keys[slot] = key
        before, after = b.codes[slot], b.shapes[key]
        b.changed_codes[changes] = packed(slot, before, after)
        changes += uint64((before != after) & (b.cells[slot >> uint64(2)] <= most))
    b.changes = changes


@partial(kernel, inline="always")
def packed(place: int, before: int, after: int) -> int:
    """One number for a place and two bytes."""
    return place << uint64(16) | uint64(before) << uint64(8) | uint64(after)


@partial(kernel, inline="always")
def unpacked(entry: int) -> tuple[int, int, int]:
    """The place and the two bytes of a number."""
    return entry >> uint64(16), entry >> uint64(8) & BYTE, entry & BYTE


@partial(kernel, inline="always")
def make_changes(b: Any, with_totals: bool, with_patterns: bool) -> None:
    """Change the codes listed for the next stone, and all that depends on them."""
    total, first_total, second_total = b.total, b.pattern_totals[0], b.pattern_totals[1]
    worths, second, threats = b.pattern_worths, uint64(b.second_worths), uint64(0)
    for change in range(b.changes_before[uint64(b.stones)], b.changes):
        slot, before, after = unpacked(b.changed_codes[change])
        cell = slot >> uint64(2)
        old = b.marks[cell]
        b.codes[slot], b.changed_marks[change] = np.uint8(after), old
        if with_totals:
            b.changed_values[change] = b.values[cell]
            difference = b.code_values[after] - b.code_values[before]
            b.values[cell] += difference
            stone, low = int64(b.cells[cell]), int64(np.int32(difference))
            total += (low & -(stone & 1)) + ((difference - low) & -(stone >> 1))
            if stone != 0:
                continue
        direction = (slot & uint64(3)) << uint64(8)
        new = old + MARKS_OF[direction + after] - MARKS_OF[direction + before]
        b.marks[cell], b.changed_threats[threats] = new, change
        threats += uint64((old ^ new) >> THREATS_AT != 0)
        if with_patterns:
            first_total += worths[new & FIRST_SUM] - worths[old & FIRST_SUM]
            became, was = new >> PATTERN_BITS & FIRST_SUM, old >> PATTERN_BITS & FIRST_SUM
            second_total += worths[second + became] - worths[second + was]
    b.total = total
    b.pattern_totals[0], b.pattern_totals[1] = first_total, second_total
    make_classes(b, threats)


@partial(kernel, inline="always")
def make_classes(b: Any, threats: int) -> None:
    """Change the classes, if they are kept, of the cells whose threats change."""
    b.moved_before[uint64(b.stones)] = b.moved
    if b.with_classes:
        for place in range(threats):
            reclass(b, b.changed_threats[place])


@partial(kernel, inline="always")
def take_back(b: Any, with_totals: bool) -> None:
    """Restore the codes that the last stone changed, and all that depends on them.

    The stone is no longer counted, and totals are not restored.
    """
    first = b.changes_before[uint64(b.stones)]
    for change in range(first, b.changes):
        slot, before, _ = unpacked(b.changed_codes[change])
        b.codes[slot], b.marks[slot >> uint64(2)] = np.uint8(before), b.changed_marks[change]
        if with_totals:
            b.values[slot >> uint64(2)] = b.changed_values[change]
    b.changes = first
    first = b.moved_before[uint64(b.stones)]
    for change in range(first, b.moved):
        place, before, after = unpacked(b.moved_classes[change])
        move_class(b, place, after, before)
    b.moved = first


@kernel
def flip_keys(b: Any, cell: int, player: int) -> None:
    """Add a stone to the keys of all cells in line with it, or take it out, and nothing else."""
    start, shift = uint64(4 * cell), np.uint32(player)
    for place in range(8 * b.reach):
        b.keys[start + NEAR_SLOTS[place]] ^= NEAR_BITS[place] << shift


@partial(kernel, inline="always")
def reclass(b: Any, change: int) -> None:
    """Change the classes of an empty cell whose threats a change of its code has changed."""
    cell = b.changed_codes[change] >> uint64(18)
    old, new = b.changed_marks[change], b.marks[cell]
    for player in range(2):
        shift = THREATS_AT + uint64(PLAYER_BITS * player)
        threats = new >> shift & PLAYER_MASK
        if old >> shift & PLAYER_MASK == threats:
            continue
        place = cell << uint64(1) | uint64(player)
        before, after = b.classes[place], b.class_of[threats]
        if before != after:
            b.moved_classes[b.moved] = packed(place, before, after)
            b.moved += uint64(1)
            move_class(b, place, uint64(before), uint64(after))


@partial(kernel, inline="always")
def move_class(b: Any, place: int, before: int, after: int) -> None:
    """Change the class at this place of `classes`, and the sets with it."""
    b.classes[place] = np.uint8(after)
    cell, sets = place >> uint64(1), (place & uint64(1)) * uint64(CLASSES)
    bit, word = uint64(1) << (cell & uint64(63)), cell >> uint64(6)
    b.class_sets[(sets + before) * uint64(WORDS) + word] ^= bit
    b.class_sets[(sets + after) * uint64(WORDS) + word] ^= bit
    b.class_counts[sets + before] -= 1
    b.class_counts[sets + after] += 1


@kernel
def turn_sets(b: Any, cell: int, change: int) -> None:
    """Add an empty cell to the sets of its classes (change 1), or remove it from them (-1)."""
    bit = uint64(1) << uint64(cell & 63)
    for player in range(2):
        at = CLASSES * player + int64(b.classes[2 * cell + player])
        b.class_sets[at * WORDS + (cell >> 6)] ^= bit
        b.class_counts[at] += change
