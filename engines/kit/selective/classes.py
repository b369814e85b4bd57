"""Classes of points: the threat that a stone there would make, from its shapes in four directions.

A point's codes are one number of 16 bits, four for each direction. Classes are ordered: a greater
one is the greater threat. In renju, a class tells nothing about whether Black may play there.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from engines.kit.shapes.table import FIVE, LIVE_FOUR, LIVE_THREE, RUSH_FOUR

QUIET_POINT, ONE_THREE, TWO_THREES, ONE_FOUR, FOUR_AND_THREE, TWO_FOURS, ONE_FIVE = range(7)
"""A stone there makes nothing, a live three, two of them, a rush four, one and a live three, two
ways to a five at once, or a five."""
CLASSES = 8
"""Room for the classes of a player in arrays."""


@lru_cache
def class_table() -> npt.NDArray[np.uint8]:
    """The class of each combination of four codes: 65 536 entries."""
    codes = np.arange(1 << 16)
    by_direction = np.stack([codes >> 4 * direction & 15 for direction in range(4)])
    threes = (by_direction == LIVE_THREE).sum(0)
    fours = (by_direction == RUSH_FOUR).sum(0) + 2 * (by_direction == LIVE_FOUR).sum(0)
    table = np.minimum(threes, TWO_THREES).astype(np.uint8)
    table[fours == 1] = np.where(threes[fours == 1] > 0, FOUR_AND_THREE, ONE_FOUR)
    table[fours > 1] = TWO_FOURS
    table[(by_direction == FIVE).any(0)] = ONE_FIVE
    table.flags.writeable = False
    return table
