"""Steps along a path of centres, as SPSA takes them: sizes, sides, and the end of the path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.tuning.model.design import Sides
from arena.tuning.model.surface import Array

ALPHA, GAMMA, WARM_UP = 0.602, 0.101, 0.1
"""Exponents by which steps and sides shrink, and the share of the trials that dampens the first
steps: Spall's, as fishtest has them."""
LAST = 0.2
"""Share of the path, its last part, whose mean is its end."""


def games_of_step(budget: int) -> int:
    """Games of a trial: more steps beat surer ones, as long as storing them costs little."""
    return max(4, budget // 2500 // 2 * 2)


def sides_around(centre: Array, away: Array) -> Sides:
    """Both sides of a centre, within the box."""
    return Sides(centre, np.clip(centre + away, 0, 1), np.clip(centre - away, 0, 1))


def side_ratio(number: int, trials: int) -> float:
    """The ratio of the distance of a trial's sides to that of the last trial's."""
    return float((trials / (number + 1)) ** GAMMA)


def step_ratio(number: int, trials: int) -> float:
    """The ratio of a trial's step to the last one, for sides at the same distance."""
    late = (WARM_UP * trials + trials) / (WARM_UP * trials + number + 1)
    return float(late**ALPHA)


def end_of_path(path: Sequence[Array]) -> Array:
    """The mean of the last part of a path."""
    return np.asarray(np.mean(path[-max(1, round(LAST * len(path))) :], axis=0))
