"""The shapes of all points, kept from move to move, and patterns of an empty point by tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.jit import kernel

from .. import MAX_SIZE
from .table import (
    CELLS,
    CLASSES,
    KEYS,
    ONE_FIVE,
    ONE_THREE,
    PLAYER_BITS,
    RANKS,
    STEPS,
    TWO_FOURS,
    int64,
    threat_table,
    uint64,
)

DIRECTIONS = 4
MARKS = np.array([0, 1, 5, 21, 55, 153, 368, 856, 1424, 2603], np.uint32)
"""One number for each rank: any four of them, repeated or not, have a sum of their own (they are a
Sidon set of order 4, the first that a greedy search finds)."""
SUMS = DIRECTIONS * int(MARKS[-1]) + 1
PATTERN_BITS = np.uint64(16)  # room for a sum of marks: both players' share a number
FIRST_SUM = np.uint64((1 << PATTERN_BITS) - 1)
MASKS = 1 << 9
"""Combinations of the classes that a side has somewhere: four of the mover's, five of the other's.
With a five or two fours at once, the mover has won."""

PATTERN_FIELDS = [
    ("with_patterns", np.int64),  # 1 if they are kept; needs classes, and no totals
    ("pattern_totals", np.int64, (2,)),  # by player: pair, worths as the mover's and the other's
    ("second_worths", np.int64),  # where the second player's worths begin: SUMS, or 0 if equal
    ("second_masks", np.int64),  # the same of masks
    ("pattern_worths", np.int64, (2 * SUMS,)),  # pairs, as above, by sum of marks
    ("point_worths", np.int64, (SUMS,)),  # of a stone's shapes on a point, by sum of marks
    ("move_worths", np.int64, (2 * SUMS,)),  # of moves, by the mover's pattern; by the other side's
    ("mask_worths", np.int64, (2 * MASKS,)),  # to the mover, that of being on the move included
]


@lru_cache
def pattern_numbers() -> npt.NDArray[np.int64]:
    """The number of the pattern of each sum of marks, from 0 to 714; -1 of a sum that is none's."""
    numbers = np.full(SUMS, -1)
    fours = np.array([*combinations_with_replacement(range(RANKS), DIRECTIONS)])
    numbers[MARKS[fours].sum(1)] = np.arange(len(fours))
    numbers.flags.writeable = False
    return numbers


PATTERNS = int(pattern_numbers().max()) + 1
WEIGHTS = 2 * PATTERNS + MASKS + 1  # of patterns as the own and the other, masks, and the move
MOVE_WEIGHTS = 2 * PATTERNS  # of patterns of a point as the mover's own and the other side's


class Tables(NamedTuple):
    values: npt.NDArray[np.int64]
    """The weights that evaluate positions: WEIGHTS for both movers, or each. Those of patterns
    are within 16 bits, so that pairs stay apart."""
    moves: npt.NDArray[np.int64]  # the weights that sort moves: MOVE_WEIGHTS


def set_tables(b: Any, tables: Tables) -> None:
    _set_values(b, tables.values)
    _set_moves(b, tables.moves)
    b["with_patterns"] = 1


def set_points(b: Any, weights: Sequence[int]) -> None:
    numbers = pattern_numbers()
    b["point_worths"][numbers >= 0] = by_rank(weights)[numbers[numbers >= 0]]


def _set_values(b: Any, weights: npt.NDArray[np.int64]) -> None:
    numbers, sides = pattern_numbers(), weights.reshape(-1, WEIGHTS)
    is_pattern = numbers >= 0
    for player in range(len(sides)):
        own = sides[player, :PATTERNS]
        other = sides[player - 1, PATTERNS : 2 * PATTERNS]
        masks = sides[player, 2 * PATTERNS : -1] + sides[player, -1]
        worths = b["pattern_worths"][player * SUMS :][:SUMS]
        worths[is_pattern] = own[numbers[is_pattern]] + (other[numbers[is_pattern]] << 32)
        b["mask_worths"][player * MASKS :][:MASKS] = masks
    b["second_worths"], b["second_masks"] = SUMS * (len(sides) - 1), MASKS * (len(sides) - 1)


def _set_moves(b: Any, weights: npt.NDArray[np.int64]) -> None:
    numbers = pattern_numbers()
    is_pattern = numbers >= 0
    for side in range(2):
        own = weights[side * PATTERNS :][:PATTERNS]
        b["move_worths"][side * SUMS :][:SUMS][is_pattern] = own[numbers[is_pattern]]


@kernel
def clear_patterns(b: Any) -> None:
    """Count the patterns of all points of a board whose marks and cells are set."""
    b.pattern_totals[0] = b.pattern_totals[1] = 0
    for cell in range(CELLS):
        if b.cells[cell] == 0:
            count_pattern(b, cell, int64(1))


@kernel
def count_pattern(b: Any, cell: int, sign: int) -> None:
    """Add an empty point's patterns to the totals (sign 1), or take them off (-1)."""
    first, second = sums_at(b, cell)
    b.pattern_totals[0] += sign * b.pattern_worths[first]
    b.pattern_totals[1] += sign * b.pattern_worths[np.uint64(b.second_worths) + second]


@kernel
def _threat_mask(b: Any, player: int) -> int:
    mask, own, other = int64(0), CLASSES * player, CLASSES * (1 - player)
    for kind in range(ONE_THREE, TWO_FOURS):
        mask |= int64(b.class_counts[own + kind] > 0) << (kind - ONE_THREE)
    for kind in range(ONE_THREE, ONE_FIVE):
        mask |= int64(b.class_counts[other + kind] > 0) << (kind - ONE_THREE + 4)
    return mask


@kernel
def pattern_value(b: Any, player: int) -> int:
    own, pair = b.pattern_totals[player], b.pattern_totals[1 - player]
    value = int64(np.int32(own)) + ((pair - int64(np.int32(pair))) >> 32)
    return int64(value + b.mask_worths[player * b.second_masks + _threat_mask(b, player)])


@partial(kernel, inline="always")
def sums_at(b: Any, cell: int) -> tuple[int, int]:
    """The sums of marks of a point: of the first player's pattern, and of the second's."""
    marks = b.marks[uint64(cell)]
    return marks & FIRST_SUM, marks >> PATTERN_BITS & FIRST_SUM


@partial(kernel, inline="always")
def patterns_at(b: Any, cell: int, player: int) -> tuple[int, int]:
    """The sums of marks of a point: of the player's pattern, and of the other side's."""
    first, second = sums_at(b, cell)
    return (first, second) if player == 0 else (second, first)


@partial(kernel, inline="always")
def move_worth(b: Any, cell: int, player: int) -> int:
    own, other = patterns_at(b, cell, player)
    return int64(b.move_worths[own] + b.move_worths[np.uint64(SUMS) + other])


@kernel
def count_weights(b: Any, player: int, counts: Any) -> None:
    """Count, in zeroed numbers of WEIGHTS, how often each weight of a mover is in its value."""
    for cell in range(CELLS):
        if b.cells[cell] == 0:
            own, other = patterns_at(b, cell, player)
            counts[NUMBERS[own]] += 1
            counts[PATTERNS + NUMBERS[other]] += 1
    counts[2 * PATTERNS + _threat_mask(b, player)] += 1
    counts[WEIGHTS - 1] += 1


NUMBERS = pattern_numbers()


def hand_made(
    own: Sequence[int], other: Sequence[int], threats: Sequence[int]
) -> npt.NDArray[np.int64]:
    """Weights that are sums: of ranks over directions, for the mover's patterns and the other
    side's, and of the bits of a mask. Being on the move is worth nothing."""
    bits = np.arange(MASKS)[:, None] >> np.arange(len(threats)) & 1
    return np.concatenate([by_rank(own), by_rank(other), bits @ np.array(threats, np.int64), [0]])


def by_rank(weights: Sequence[int]) -> npt.NDArray[np.int64]:
    """The weight of each pattern that sums those of its ranks."""
    fours = np.array([*combinations_with_replacement(range(RANKS), DIRECTIONS)])
    sums: npt.NDArray[np.int64] = np.array(weights, np.int64)[fours].sum(1)
    return sums


WORDS = CELLS // 64 + 1
MOST_STONES = MAX_SIZE * MAX_SIZE
NEAR = [(k, side, d) for k in range(1, 6) for side in (1, -1) for d in range(4)]
"""Cells in line with a stone, the nearest first: a shorter reach takes the first of them."""
MOST_CHANGES = len(NEAR) * MOST_STONES  # more than the codes that all stones of a full board change
NEAR_SLOTS = np.array([4 * k * side * int(STEPS[d]) + d for k, side, d in NEAR]).astype(np.uint64)
"""The ways to their slots, which are 4 * cell + direction; unsigned, as sums of indices wrap."""
NEAR_BITS = np.array([1 << 4 * (k - 1) + (side < 0) * 2 for k, side, _ in NEAR], np.uint32)
"""A stone of the first player as bits of the keys there; one of the second adds twice that."""
THREATS_AT = PATTERN_BITS * uint64(2)  # in marks: above the sums of patterns
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


def _marks_table() -> npt.NDArray[np.uint64]:
    """The share of both players' codes in a point's marks: 256 entries for each direction."""
    of_rank = np.zeros(16, np.uint64)
    of_rank[:RANKS] = MARKS
    codes, threats = np.arange(256), threat_table().astype(np.uint64)
    patterns = of_rank[codes & 15] | of_rank[codes >> 4] << PATTERN_BITS
    shifts = THREATS_AT + np.arange(0, PLAYER_BITS, 3).astype(np.uint64)
    table: npt.NDArray[np.uint64] = patterns | threats << shifts[:, None]
    return table.ravel()


MARKS_OF = _marks_table()


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
def _unpacked(entry: int) -> tuple[int, int, int]:
    return entry >> uint64(16), entry >> uint64(8) & BYTE, entry & BYTE


@partial(kernel, inline="always")
def make_changes(b: Any, with_totals: bool, with_patterns: bool) -> None:
    """Change the codes listed for the next stone, and all that depends on them."""
    total, first_total, second_total = b.total, b.pattern_totals[0], b.pattern_totals[1]
    worths, second, threats = b.pattern_worths, uint64(b.second_worths), uint64(0)
    for change in range(b.changes_before[uint64(b.stones)], b.changes):
        slot, before, after = _unpacked(b.changed_codes[change])
        cell = slot >> uint64(2)
        old = b.marks[cell]
        b.codes[slot], b.changed_marks[change] = np.uint8(after), old
        if with_totals:
            b.changed_values[change] = b.values[cell]
            difference = b.code_values[after] - b.code_values[before]
            b.values[cell] += difference
            # The halves of both players, each by a mask of all bits or none: no branch is missed.
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
    b.moved_before[uint64(b.stones)] = b.moved
    if b.with_classes:
        for place in range(threats):
            _reclass(b, b.changed_threats[place])


@partial(kernel, inline="always")
def take_back(b: Any, with_totals: bool) -> None:
    """Restore what the last stone changed, which is no longer counted; totals are not restored."""
    first = b.changes_before[uint64(b.stones)]
    for change in range(first, b.changes):
        slot, before, _ = _unpacked(b.changed_codes[change])
        b.codes[slot], b.marks[slot >> uint64(2)] = np.uint8(before), b.changed_marks[change]
        if with_totals:
            b.values[slot >> uint64(2)] = b.changed_values[change]
    b.changes = first
    first = b.moved_before[uint64(b.stones)]
    for change in range(first, b.moved):
        place, before, after = _unpacked(b.moved_classes[change])
        _move_class(b, place, after, before)
    b.moved = first


@kernel
def flip_keys(b: Any, cell: int, player: int) -> None:
    """Add a stone to the keys of all cells in line with it, or take it out, and nothing else."""
    start, shift = uint64(4 * cell), np.uint32(player)
    for place in range(8 * b.reach):
        b.keys[start + NEAR_SLOTS[place]] ^= NEAR_BITS[place] << shift


@partial(kernel, inline="always")
def _reclass(b: Any, change: int) -> None:
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
            _move_class(b, place, uint64(before), uint64(after))


@partial(kernel, inline="always")
def _move_class(b: Any, place: int, before: int, after: int) -> None:
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
