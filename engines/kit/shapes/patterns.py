"""Patterns: the shapes of an empty point in its four directions, and values by tables.

A pattern is a player's four ranks on a point, in any order: one of 715. Its marks sum up to a
number of its own, so that one addition keeps it where a direction changes. The evaluation is the
worth of the patterns of all empty points, each as the mover's or as the other side's, of the mask
of threats that stand on the board, and of being on the move. Moves are sorted by the worth of both
sides' patterns at their point. Worths are tables, which are data.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.jit import kernel

from .geometry import CELLS, int64, uint64
from .table import CLASSES, ONE_FIVE, ONE_THREE, RANKS, TWO_FOURS

DIRECTIONS = 4
MARKS = np.array([0, 1, 5, 21, 55, 153, 368, 856, 1424, 2603], np.uint32)
"""One number for each rank: any four of them, repeated or not, have a sum of their own (they are a
Sidon set of order 4, the first that a greedy search finds)."""
SUMS = DIRECTIONS * int(MARKS[-1]) + 1
PATTERN_BITS = np.uint64(16)
"""Room for a sum of marks: both players' share a number."""
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
WEIGHTS = 2 * PATTERNS + MASKS + 1
"""Weights of a mover: patterns as its own, patterns as the other side's, masks, and the move."""
MOVE_WEIGHTS = 2 * PATTERNS
"""Weights that sort moves: patterns of their point as the mover's own, and as the other side's."""


class Tables(NamedTuple):
    """The weights of patterns."""

    values: npt.NDArray[np.int64]
    """The weights that evaluate positions: WEIGHTS for both movers, or each. Those of patterns
    are within 16 bits, so that pairs stay apart."""
    moves: npt.NDArray[np.int64]
    """The weights that sort moves: MOVE_WEIGHTS."""


def set_tables(b: Any, tables: Tables) -> None:
    """Let an empty board keep patterns, with these weights."""
    set_values(b, tables.values)
    set_moves(b, tables.moves)
    b["with_patterns"] = 1


def set_points(b: Any, weights: Sequence[int]) -> None:
    """Set the worths of a stone's shapes, from those of ranks."""
    numbers = pattern_numbers()
    b["point_worths"][numbers >= 0] = by_rank(weights)[numbers[numbers >= 0]]


def set_values(b: Any, weights: npt.NDArray[np.int64]) -> None:
    """Set the worths by which positions are evaluated."""
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


def set_moves(b: Any, weights: npt.NDArray[np.int64]) -> None:
    """Set the worths by which moves are sorted."""
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
def threat_mask(b: Any, player: int) -> int:
    """The mask of the threats that the mover and the other side have on empty points."""
    mask, own, other = int64(0), CLASSES * player, CLASSES * (1 - player)
    for kind in range(ONE_THREE, TWO_FOURS):
        mask |= int64(b.class_counts[own + kind] > 0) << (kind - ONE_THREE)
    for kind in range(ONE_THREE, ONE_FIVE):
        mask |= int64(b.class_counts[other + kind] > 0) << (kind - ONE_THREE + 4)
    return mask


@kernel
def pattern_value(b: Any, player: int) -> int:
    """The value of the position to the player to move."""
    own, pair = b.pattern_totals[player], b.pattern_totals[1 - player]
    value = int64(np.int32(own)) + ((pair - int64(np.int32(pair))) >> 32)
    return int64(value + b.mask_worths[player * b.second_masks + threat_mask(b, player)])


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
    """The worth of a move, by which moves are sorted."""
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
    counts[2 * PATTERNS + threat_mask(b, player)] += 1
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
    found: npt.NDArray[np.int64] = np.array(weights, np.int64)[fours].sum(1)
    return found
