"""Shapes of a point in one direction, from a five down to a lone stone, and classes of points.

A class is the threat that a stone on the point would make, by its shapes in all four directions.
Only shapes from a live three on make threats; they are numbered by three bits. A point's threats
are one number of 12 bits for each player, three for each direction. A greater class is the greater
threat. In renju, a class does not show if Black may play on the point.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from arena.engine import Range

Rule = Literal["freestyle", "standard", "renju"]

NOTHING = 0
RUSH_ONE, LIVE_ONE, RUSH_TWO, LIVE_TWO, RUSH_THREE, LIVE_THREE = range(1, 7)
RUSH_FOUR, LIVE_FOUR, FIVE = range(7, 10)
RANKS = 10
"""Number of ranks. A rush k ranks 2 k - 1, a live k 2 k, a five is a rush five: codes are ranks."""

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
CLASSES = 8
"""Room for the classes of a player in arrays."""
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
        table[: keys.size] |= point_codes(own, blocked, exact) << 4 * player
    table.flags.writeable = False
    return table


def point_codes(own: Flags, blocked: Flags, exact: bool) -> Codes:
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
