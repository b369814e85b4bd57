"""Shapes of a point in one direction: five, live and rush four, and so on down to a lone stone."""

from __future__ import annotations

from collections.abc import Iterable
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
"""A rush k ranks 2 k - 1, a live k ranks 2 k, a five is a rush five: codes are ranks."""

EXACT = {"freestyle": (False, False), "standard": (True, True), "renju": (True, False)}
"""Whether exactly five is meant, for the first player and for the second."""

WEIGHT, FIVE_WEIGHT = Range(1, 1_000_000, log=True), Range(1, 10_000_000, log=True)
"""What a shape may be worth: all stones of a board together stay below 2 ** 32."""

KEYS = 1 << 20
"""Ten neighbours of two bits: slot 2 k - 2 is the k-th cell back, slot 2 k - 1 the k-th ahead."""

Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint8]


def reach(rule: Rule) -> int:
    """How many cells each way decide a point's shape."""
    return 5 if any(EXACT[rule]) else 4


@lru_cache
def shape_table(rule: Rule) -> Codes:
    """Key -> both players' codes, the first player's in the low four bits; KEYS entries.

    A key holds the neighbours' states (0 empty, 1, 2, 3 off the board) without the point's own.
    Without an exact five the fifth cell each way is no matter: only the low 65 536 are filled.
    """
    keys = np.arange(1 << 4 * reach(rule), dtype=np.uint32)
    slots = {}
    for step in range(1, reach(rule) + 1):
        slots[-step] = (keys >> 4 * (step - 1)) & 3
        slots[step] = (keys >> 4 * (step - 1) + 2) & 3
    table = np.zeros(KEYS, np.uint8)
    for player, exact in enumerate(EXACT[rule]):
        own: dict[int, Flags] = {at: state == player + 1 for at, state in slots.items()}
        blocked: dict[int, Flags] = {
            at: (state == 2 - player) | (state == 3) for at, state in slots.items()
        }
        own[0], blocked[0] = np.ones_like(keys, bool), np.zeros_like(keys, bool)
        table[: keys.size] |= point_codes(own, blocked, exact) << 4 * player
    table.flags.writeable = False
    return table


def point_codes(own: dict[int, Flags], blocked: dict[int, Flags], exact: bool) -> Codes:
    """The codes of many points at once, each with an own stone at 0.

    `own` and `blocked` say, for each cell from -reach to reach, where it holds an own stone,
    and where an opponent's stone or the edge.
    """
    size = own[0].size
    codes = np.zeros(size, np.uint8)
    completing = np.zeros(size, np.uint16)
    for first in range(-4, 1):
        cells = range(first, first + 5)
        room = ~any_of(blocked[at] for at in cells)
        if exact:
            room &= ~(own[first - 1] | own[first + 5])
        stones = count(own[at] for at in cells)
        np.maximum(codes, room * (2 * stones - 1), out=codes)
        four = room & (stones == 4)
        for at in cells:
            completing |= (four & ~own[at]).astype(np.uint16) << (at + 4)
    for first in range(-3, 1):
        fence = (first - 1, first + 4)
        room = ~any_of(blocked[at] for at in range(first - 1, first + 5))
        room &= ~(own[fence[0]] | own[fence[1]])
        if exact:
            room &= ~(own[first - 2] | own[first + 5])
        stones = count(own[at] for at in range(first, first + 4))
        np.maximum(codes, room * (2 * stones), out=codes)
    # Two rush fours through the point, completed by different cells, rank as a live four.
    double = (completing & (completing - 1)) > 0
    return np.maximum(codes, double * np.uint8(LIVE_FOUR))


def any_of(flags: Iterable[Flags]) -> Flags:
    """Where any of them holds."""
    return np.logical_or.reduce(list(flags))


def count(flags: Iterable[Flags]) -> Codes:
    """How many of them hold."""
    return np.add.reduce(list(flags), dtype=np.uint8)
