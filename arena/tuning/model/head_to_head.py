"""Trials that compare two points: from the unit box to values, and from a model to advice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.stats.elo import QUANTILE
from arena.tuning.method import Advice, Trial
from arena.tuning.model.design import Recommendation, Sides, Surrogate
from arena.tuning.model.surface import Array
from arena.tuning.space import Space

FLAT = 1.0
"""Elo that may be lost within the range that is called flat."""


def surrogate_of(space: Space, method: str, seed: int) -> Surrogate:
    """The model at its start, the default; ConfigError if some parameter is a choice."""
    space.check_numbers(method)
    least = np.array([axis.least for axis in space.axes])
    return Surrogate(space.units(space.default), seed, least)


def trial_of(
    space: Space, number: int, sides: Sides, seed: int, note: dict[str, list[float]] | None = None
) -> Trial:
    """The trial of both sides, rounded by one draw, so that they stay as far apart."""
    draw = float(np.random.default_rng([seed, number]).random())
    points = space.values(sides.plus, draw), space.values(sides.minus, draw)
    return Trial(number, space.numbers(sides.centre), points, note or {})


def sides_of(space: Space, trial: Trial) -> Sides:
    """The points of the unit box that were played."""
    plus, minus = map(space.units, trial.points)
    return Sides((plus + minus) / 2, plus, minus)


def advice_of(space: Space, known: Recommendation, point: Array) -> Sequence[Advice]:
    """The advice of a model that recommends this point, in the parameters' own values."""
    total = float(known.importance.sum()) or 1.0
    values = space.values(point)
    return [
        Advice(
            name=axis.name,
            value=values[axis.name],
            low=axis.number(point[i] - QUANTILE * known.standard_error[i]),
            high=axis.number(point[i] + QUANTILE * known.standard_error[i]),
            importance=float(known.importance[i]) / total,
            flat_low=axis.number(known.low[i]),
            flat_high=axis.number(known.high[i]),
        )
        for i, axis in enumerate(space.axes)
    ]
