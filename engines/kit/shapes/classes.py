"""Classes of points: the threat that a stone there would make, from its shapes in four directions.

Of shapes, only those from a live three on make threats; they are numbered by three bits. A point's
threats are one number of 12 bits for each player, three for each direction. Classes are ordered: a
greater one is the greater threat. In renju, a class does not tell if Black may play there.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..shapes.table import FIVE, LIVE_FOUR, LIVE_THREE, RUSH_FOUR

QUIET_POINT, ONE_THREE, TWO_THREES, ONE_FOUR, FOUR_AND_THREE, TWO_FOURS, ONE_FIVE = range(7)
"""A stone there makes nothing, a live three, two of them, a rush four, one and a live three, two
ways to a five at once, or a five."""
CLASSES = 8
"""Room for the classes of a player in arrays."""
THREE_BITS, RUSH_BITS, LIVE_BITS, FIVE_BITS = range(1, 5)
PLAYER_BITS = 12


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
