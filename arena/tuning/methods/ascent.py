"""Steps towards the side that won, as wide as a model allows; several models say where they led."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log

import numpy as np

from arena.tuning.method import Advice, Forecast, Plan, Trial, TrialResult, Tuner
from arena.tuning.model.design import FLAT
from arena.tuning.model.ensemble import Ensemble, ensemble_of, gain_of
from arena.tuning.model.posterior import Array, scores_of
from arena.tuning.model.steps import Walk, end_of_path, games_of_step
from arena.tuning.space import Space

COMPARES = True
games = games_of_step
WIDEST = 0.15  # Share of a range that a side lies from the centre at the end, at most
SIDE_LOSS = 12.0  # Elo that each parameter of a side is to lose at the end, where that is less far
SURELY = 1.5  # Standard errors by which a parameter must be steep for its sides to be nearer
UNEVEN = 2.0
"""Ratio of two parameters' scales, at the near ends of what they may be, that says that ranges are
misjudged."""
SCALE_TRIALS = 3
"""Interval of the trials that are there to learn scales where ranges are misjudged: steps by all
parameters at once tell little of each."""
FIRST_TRIALS = 0.03
"""Share of the trials, the first ones, that all learn scales: from sides that are far too wide
nothing is learnt, and the first steps are the longest."""
DEFAULT_TRIALS, DEFAULT_FROM = 5, 0.75
"""Interval of the trials of the centre against the default values, whose gain is what the test
looks for; and the share of the trials from which on they come: before, the centre is not yet near
the point that will be recommended."""
LAST_STEP = 0.015  # Step at the end for a point of lead, as a share of the distance of the sides


def tuner(space: Space, plan: Plan) -> Tuner:
    """Accept numbers only; trust no single model of strength."""
    return AscentTuner(space, plan)


class AscentTuner:
    """The path of the centre so far, and the models of all trials."""

    def __init__(self, space: Space, plan: Plan) -> None:
        self._plan = plan
        self._walk = Walk(space, plan, "ascent")
        self._known: Ensemble | None = None
        self._next = 0  # The number of the next trial

    def ask(self) -> Trial:
        number, self._next = self._next, self._next + 1
        if number % DEFAULT_TRIALS == 0 and number >= DEFAULT_FROM * self._plan.trials:
            return self._walk.against_default(number)
        if self._is_calibration(number):
            return self._walk.calibration(number)
        return self._walk.step(number, self._distances(), LAST_STEP)

    def _is_calibration(self, number: int) -> bool:
        if number < FIRST_TRIALS * self._plan.trials:
            return True
        log_scale, error = self._log_scales()
        steepest, flattest = (log_scale - error).max(), (log_scale + error).min()
        is_uneven = steepest - flattest > log(UNEVEN)
        return number % SCALE_TRIALS == SCALE_TRIALS - 1 and bool(is_uneven)

    def _log_scales(self) -> tuple[Array, Array]:
        known, d = self._walk.model.posterior, len(self._walk.start)
        error = np.sqrt(np.clip(np.diag(known.covariance)[d : 2 * d], 0, 2))
        return np.log(known.surface.scale), error

    def _distances(self) -> Array:
        """Each parameter's distance of the sides from the centre at the end, as known by now."""
        log_scale, error = self._log_scales()
        steepness = np.exp(log_scale - SURELY * error)
        return np.asarray(np.minimum(SIDE_LOSS**0.5 / steepness, WIDEST))

    def repeat(self, trial: Trial) -> None:
        self._next = trial.number + 1
        self._walk.repeat(trial)

    def tell(self, trial: Trial, answer: TrialResult) -> float:
        self._known = None
        return self._walk.tell(trial, answer)

    def error(self, trial: Trial) -> float:
        return self._walk.error(trial)

    def recommend(self) -> Sequence[Advice]:
        """A point between the path's end and the models' top, which err in different ways."""
        return self._walk.advice(self._walk.model.recommend(FLAT), self._point())

    def forecast(self) -> Forecast | None:
        ensemble, met = self._ensemble(), self._walk.met
        forecast = ensemble and ensemble.forecast(self._point())
        if ensemble is None or forecast is None or not met:
            return forecast
        return replace(forecast, gain=gain_of(ensemble, self._point(), scores_of(met)))

    def _point(self) -> Array:
        end = end_of_path([self._walk.start, *self._walk.path])
        ensemble = self._ensemble()
        return ensemble.towards_top(end) if ensemble else end

    def _ensemble(self) -> Ensemble | None:
        if self._known is None:
            self._known = ensemble_of(self._walk.model)
        return self._known
