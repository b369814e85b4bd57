"""The kernels that count the choices of many games, for `costs`.

They take a fifth of the time, but numba takes over half a second to load. So this module is
imported only where there are games enough to win it back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.jit import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


@kernel
def place_choices(
    places: Integers, counts: Integers, opened: Integers, seats: Integers, found: Integers
) -> None:
    """Write the place of the game, the ply and the player of each choice: see `placed`."""
    done = 0
    for i in range(len(places)):
        place = places[i]
        for ply in range(opened[place], opened[place] + counts[i]):
            found[0, done] = place
            found[1, done] = ply
            found[2, done] = seats[ply & 1, place]
            done += 1


@kernel
def add_choices(
    player: Integers,
    seconds: Floats,
    nodes: Floats,
    depths: Floats,
    is_searched: Booleans,
    sums: Floats,
) -> None:
    """Add each choice to the sums of its player, in turn, so that they are those of `sums_of`.

    The columns are `SUMS` in `costs.py`, in that order. Each player is the number of a row: one of
    -1, which `seats_of` gives to strangers, would be counted for the last row.
    """
    for i in range(len(player)):
        mine, depth = player[i], depths[i]
        sums[mine, 0] += 1.0
        sums[mine, 1] += seconds[i]
        sums[mine, 2] += nodes[i]
        sums[mine, 3] += seconds[i] * (nodes[i] > 0)
        sums[mine, 4] += is_searched[i]
        sums[mine, 5] += depth * is_searched[i]
        sums[mine, 6] += depth > 1
        sums[mine, 7] += depth * (depth > 1)
