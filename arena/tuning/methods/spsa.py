"""SPSA as chess testers use it: a step towards the side that won, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from arena.engine import Range
from arena.tuning.method import Advice, Forecast, Plan, Trial, TrialResult, Tuner
from arena.tuning.model.design import FLAT
from arena.tuning.model.ensemble import forecast_of
from arena.tuning.model.posterior import Array
from arena.tuning.model.steps import Walk, end_of_path, games_of_step
from arena.tuning.space import Space

COMPARES = True
games = games_of_step
CALIBRATION = 5
"""Interval of the trials that are no step, but asked by a model to learn the parameters' scales:
sides that are equally far from the centre do not tell them."""
LOST = 10.0
"""Elo that each parameter of a side is to lose at the end, so that no parameter's noise hides
another's lead; but no farther than the model trusts by then."""


def tuner(
    space: Space,
    plan: Plan,
    *,
    c: Annotated[
        float | None,
        Range(1e-4, 0.5, log=True),
        "distance of the sides at the end; without it, learnt",
    ] = None,
    r: Annotated[float, Range(1e-5, 1, log=True), "step at the end, in squares of c"] = 0.005,
) -> Tuner:
    """Accept numbers only. c is a share of the ranges; without one, each parameter has its own,
    which a fifth of the trials is there to learn. It usually fails by too small c and r."""
    return SpsaTuner(space, plan, c, r)


class SpsaTuner:
    """The path of the centre so far, and the model that learns scales."""

    def __init__(self, space: Space, plan: Plan, c: float | None, r: float) -> None:
        self._c, self._r = c, r
        self._walk = Walk(space, plan, "spsa")
        self._next = 0  # The number of the next trial

    def ask(self) -> Trial:
        number, self._next = self._next, self._next + 1
        if self._c is None and number % CALIBRATION == 0:
            return self._walk.calibration(number)
        return self._walk.step(number, self._distances(), self._r)

    def repeat(self, trial: Trial) -> None:
        self._next = trial.number + 1
        self._walk.repeat(trial)

    def tell(self, trial: Trial, answer: TrialResult) -> float:
        return self._walk.tell(trial, answer)

    def error(self, trial: Trial) -> float:
        return self._walk.error(trial)

    def recommend(self) -> Sequence[Advice]:
        return self._walk.advice(self._walk.model.recommend(FLAT), self._end())

    def forecast(self) -> Forecast | None:
        return forecast_of(self._walk.model, self._end())

    def _end(self) -> Array:
        return end_of_path(self._walk.path or [self._walk.start])

    def _distances(self) -> Array:
        """Each parameter's distance of the sides from the centre at the end, as known by now."""
        model = self._walk.model
        if self._c is not None:
            return np.full(self._walk.start.shape, self._c)
        return np.asarray(np.minimum(LOST**0.5 / model.posterior.surface.scale, model.trusted))
