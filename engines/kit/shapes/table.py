"""Shapes of a point in one direction and of whole lines, and the grid that they stand on."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from arena.engine import Range
from arena.game import Move
from arena.jit import kernel

from .. import MAX_SIZE
from ..grid import Grid

Rule = Literal["freestyle", "standard", "renju"]

NOTHING = 0
RUSH_ONE, LIVE_ONE, RUSH_TWO, LIVE_TWO, RUSH_THREE, LIVE_THREE = range(1, 7)
RUSH_FOUR, LIVE_FOUR, FIVE = range(7, 10)
RANKS = 10  # a rush k ranks 2 k - 1, a live k 2 k, a five is a rush five: codes are ranks

EXACT = {"freestyle": (False, False), "standard": (True, True), "renju": (True, False)}
"""Flags of each rule, for the first player and the second: true if five means exactly five."""

WEIGHT, FIVE_WEIGHT = Range(1, 1_000_000, log=True), Range(1, 10_000_000, log=True)
"""The ranges of a shape's worth: all stones of a board together stay below 2 ** 32."""

KEYS = 1 << 20
"""Number of keys, which are ten neighbours of two bits: slot 2 k - 2 is the k-th cell back, slot
2 k - 1 the k-th ahead."""

QUIET_POINT, ONE_THREE, TWO_THREES, ONE_FOUR, FOUR_AND_THREE, TWO_FOURS, ONE_FIVE = range(7)
"""A stone there makes nothing, a live three, two of them, a rush four, one and a live three, two
ways to a five at once, or a five."""
CLASSES = 8  # room for the classes of a player in arrays
THREE_BITS, RUSH_BITS, LIVE_BITS, FIVE_BITS = range(1, 5)
PLAYER_BITS = 12

Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint8]

RANK_NAMES = (
    *("one", "rush_two", "live_two", "rush_three", "live_three"),
    *("rush_four", "live_four", "five"),
)
"""The engines' names of weights, in the order of `rank_weights`."""


def rank_weights(one: int, *others: int) -> tuple[int, ...]:
    """The weight of each rank; `others` are those of rush two, live two and so on up to five."""
    return (NOTHING, one, one, *others)


def reach(rule: Rule) -> int:
    """The number of cells each way that decide a point's shape."""
    return 5 if any(EXACT[rule]) else 4


@lru_cache
def shape_table(rule: Rule) -> Codes:
    """Both players' codes of each key, the first player's in the low four bits; KEYS entries.

    A key holds the neighbours' states (0 empty, 1, 2, 3 off the board) without the point's own.
    Without an exact five, the fifth cell each way does not matter: only the low 65 536 are filled.
    """
    keys, at = np.arange(1 << 4 * reach(rule), dtype=np.uint32), reach(rule)
    states = np.zeros((2 * at + 1, keys.size), np.uint8)
    for distance in range(1, at + 1):
        states[at - distance] = (keys >> 4 * (distance - 1)) & 3
        states[at + distance] = (keys >> 4 * (distance - 1) + 2) & 3
    table = np.zeros(KEYS, np.uint8)
    for player, exact in enumerate(EXACT[rule]):
        own, blocked = states == player + 1, (states == 2 - player) | (states == 3)
        own[at] = True
        table[: keys.size] |= _point_codes(own, blocked, exact) << 4 * player
    table.flags.writeable = False
    return table


def _point_codes(own: Flags, blocked: Flags, exact: bool) -> Codes:
    """The codes of many points at once, one a column, each the middle of its line.

    `own` and `blocked` are true, for each cell of the line, where it holds an own stone, and where
    an opponent's stone or the edge.
    """
    at = len(own) // 2
    codes = np.zeros(own.shape[1], np.uint8)
    completing = np.zeros(own.shape[1], np.uint16)
    for first in range(at - 4, at + 1):
        room = ~blocked[first : first + 5].any(0)
        if exact:
            room &= ~(own[first - 1] | own[first + 5])
        stones = own[first : first + 5].sum(0, dtype=np.uint8)
        np.maximum(codes, room * (2 * stones - 1), out=codes)
        four = room & (stones == 4)
        for cell in range(first, first + 5):
            completing |= (four & ~own[cell]).astype(np.uint16) << cell
    for first in range(at - 3, at + 1):
        room = ~(blocked[first - 1 : first + 5].any(0) | own[first - 1] | own[first + 4])
        if exact:
            room &= ~(own[first - 2] | own[first + 5])
        stones = own[first : first + 4].sum(0, dtype=np.uint8)
        np.maximum(codes, room * (2 * stones), out=codes)
    # Two rush fours through the point, completed by different cells, rank as a live four.
    double = (completing & (completing - 1)) > 0
    return np.maximum(codes, double * np.uint8(LIVE_FOUR))


@lru_cache
def threat_table() -> npt.NDArray[np.uint32]:
    """The threats of both players' codes in a direction: 256 entries, the first player's lowest."""
    by_code = np.zeros(16, np.uint32)
    by_code[[LIVE_THREE, RUSH_FOUR, LIVE_FOUR, FIVE]] = THREE_BITS, RUSH_BITS, LIVE_BITS, FIVE_BITS
    codes = np.arange(256)
    table: npt.NDArray[np.uint32] = by_code[codes & 15] | by_code[codes >> 4] << PLAYER_BITS
    table.flags.writeable = False
    return table


@lru_cache
def class_table() -> npt.NDArray[np.uint8]:
    """The class of each combination of a player's threats in four directions: 4 096 entries."""
    threats = np.arange(1 << PLAYER_BITS)
    by_direction = np.stack([threats >> 3 * direction & 7 for direction in range(4)])
    threes = (by_direction == THREE_BITS).sum(0)
    fours = (by_direction == RUSH_BITS).sum(0) + 2 * (by_direction == LIVE_BITS).sum(0)
    table = np.minimum(threes, TWO_THREES).astype(np.uint8)
    table[fours == 1] = np.where(threes[fours == 1] > 0, FOUR_AND_THREE, ONE_FOUR)
    table[fours > 1] = TWO_FOURS
    table[(by_direction == FIVE_BITS).any(0)] = ONE_FIVE
    table.flags.writeable = False
    return table


LOW_BITS = 0x5555555555555555  # the lower bit of each cell of a line
FIVE_CELLS, SIX_CELLS, FENCE = 0x155, 0x555, 0x401
LONGEST_SET = 7  # stones of a double four: XXX_X_XXX

CACHE_BITS = 14
CACHE_FACTOR = 0x1E3779B97F4A7C15  # odd, well mixed: top bits of a product choose the entry

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
        b.cached_values[entry] = _resplit_value(b, line)
    return b.cached_values[entry]


@kernel
def _resplit_value(b: Any, line: int) -> int:
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
    stones = _find_sets(b, own, blocked, exact)
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
def _find_sets(b: Any, own: int, blocked: int, exact: bool) -> int:
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
        _rush_set(b, own, blocked, exact, cell)
    for cell in range(1, b.size - 4):
        _live_set(b, own, blocked, exact, cell)
    for first in range(stones):
        if b.ranks[first * 8 + 4] == RUSH_FOUR:
            _double_fours(b, first, stones)
    return stones


@kernel
def _rush_set(b: Any, own: int, blocked: int, exact: bool, cell: int) -> None:
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
def _live_set(b: Any, own: int, blocked: int, exact: bool, cell: int) -> None:
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
def _double_fours(b: Any, first: int, stones: int) -> None:
    """Rank the unions of a rush four with later ones that share a stone with it."""
    for other in range(first + 1, min(first + 4, stones)):
        slot = first * 8 + other - first + 4
        if (
            b.ranks[other * 8 + 4] == RUSH_FOUR
            and b.completing[first] != b.completing[other]
            and b.ranks[slot] < LIVE_FOUR
        ):
            b.ranks[slot] = LIVE_FOUR


int64: Any = np.int64
"""The integer type of kernels. Calls of recursive kernels need it around literals: a bare one makes
numba compile a second version, and loading that from the cache ends the process."""
uint64: Any = np.uint64
"""The type of indices where signs would cost time; literals beside it need it, or become floats."""

MARGIN = 5  # rows and columns off the board on each side of it
STRIDE = MAX_SIZE + 2 * MARGIN
CELLS = STRIDE * STRIDE
STEPS = np.array([1, STRIDE, STRIDE + 1, STRIDE - 1])
OFFSETS = np.array([s * step for step in STEPS for k in range(1, 6) for s in (-k, k)])
"""The ways to a cell's neighbours, by direction * 10 + slot; slots as in the shape table's keys."""

GRID = Grid(STRIDE, first=MARGIN * STRIDE + MARGIN)
cell_of, move_of = GRID.cell_of, GRID.move_of


def moves_of(cells: Iterable[int], size: int) -> tuple[Move, ...]:
    """The moves of a line of play: of its cells up to the first 0."""
    return tuple(move_of(int(cell), size) for cell in takewhile(int, cells))


@kernel
def on_board(b: Any, cell: int) -> bool:
    row, column = cell // STRIDE - MARGIN, cell % STRIDE - MARGIN
    return 0 <= row < b.size and 0 <= column < b.size
