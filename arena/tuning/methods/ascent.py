"""Steps towards the side that won, as wide as a model allows; several models say where they led."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np

from arena.tuning.method import Advice, Answer, Forecast, Plan, Trial, Tuner
from arena.tuning.model.design import Sides
from arena.tuning.model.ensemble import Ensemble, ensemble_of
from arena.tuning.model.head_to_head import FLAT, advice_of, sides_of, surrogate_of, trial_of
from arena.tuning.model.steps import (
    end_of_path,
    games_of_step,
    side_ratio,
    sides_around,
    step_ratio,
)
from arena.tuning.model.surface import Array
from arena.tuning.space import Space

COMPARES = True
WIDEST = 0.15
"""Share of a range that a side lies from the centre at the end, at most."""
SIDE_LOSS = 12.0
"""Elo that each parameter of a side is to lose at the end, where that is less far."""
SURELY = 1.5
"""Standard errors by which a parameter must be steep for its sides to be nearer."""
UNEVEN = 2.0
"""Ratio of two parameters' scales, at the near ends of what they may be, that says that ranges are
misjudged."""
SCALE_TRIALS = 3
"""Interval of the trials that are there to learn scales where ranges are misjudged: steps by all
parameters at once tell little of each."""
FIRST_TRIALS = 0.03
"""Share of the trials, the first ones, that all learn scales: from sides that are far too wide
nothing is learnt, and the first steps are the longest."""
LAST_STEP = 0.015
"""Step at the end for a point of lead, as a share of the distance of the sides."""


def games(budget: int) -> int:
    """Games of a trial: many steps."""
    return games_of_step(budget)


def tuner(space: Space, plan: Plan) -> Tuner:
    """Accept numbers only; trust no single model of strength."""
    return AscentTuner(space, plan)


class AscentTuner:
    """The path of the centre so far, and the models of all trials."""

    def __init__(self, space: Space, plan: Plan) -> None:
        self._space, self._plan = space, plan
        self._model = surrogate_of(space, "ascent", plan.seed)
        self._centre = self._model.prior.start
        self._random = np.random.default_rng(plan.seed)
        self._steps: dict[int, Array] = {}
        """The step for each point of lead, by the numbers of trials under way."""
        self._path = [self._centre]
        self._known: Ensemble | None = None
        self._asked = 0

    def ask(self) -> Trial:
        """A trial of both sides of the centre, in all parameters at once."""
        number, self._asked = self._asked, self._asked + 1
        sides = self._calibration() if self._is_calibration(number) else self._sides(number)
        return trial_of(self._space, number, sides, self._plan.seed)

    def _is_calibration(self, number: int) -> bool:
        """True if a trial is there to learn scales."""
        if number < FIRST_TRIALS * self._plan.trials:
            return True
        log_scale, error = self._log_scales()
        steepest, flattest = (log_scale - error).max(), (log_scale + error).min()
        is_uneven = steepest - flattest > log(UNEVEN)
        return number % SCALE_TRIALS == SCALE_TRIALS - 1 and bool(is_uneven)

    def _log_scales(self) -> tuple[Array, Array]:
        """The logarithms of the parameters' scales as known by now, and their errors."""
        known, d = self._model.posterior, len(self._centre)
        error = np.sqrt(np.clip(np.diag(known.covariance)[d : 2 * d], 0, 2))
        return np.log(known.surface.scale), error

    def _calibration(self) -> Sides:
        """The two points that the model asks for; the centre is where the path has come to."""
        return self._model.ask(self._plan.games // 2)._replace(centre=self._centre)

    def _sides(self, number: int) -> Sides:
        """The sides of a trial, whose step waits for its result."""
        signs = self._random.choice([-1.0, 1.0], len(self._centre))
        end, wider = self._distances(), side_ratio(number, self._plan.trials)
        step = LAST_STEP * step_ratio(number, self._plan.trials)
        self._steps[number] = step / wider * end * signs
        away = signs * np.maximum(wider * end, self._model.least / 2)
        return sides_around(self._centre, away)

    def _distances(self) -> Array:
        """Each parameter's distance of the sides from the centre at the end, as known by now."""
        log_scale, error = self._log_scales()
        steepness = np.exp(log_scale - SURELY * error)
        return np.asarray(np.minimum(SIDE_LOSS**0.5 / steepness, WIDEST))

    def tell(self, trial: Trial, answer: Answer) -> float:
        """Step towards the better side; return the centre's Elo over the default, by the model."""
        self._known, sides = None, sides_of(self._space, trial)
        if trial.number not in self._steps:
            self._model.tell(sides, answer.score, answer.pairs)
        else:
            lead = (2 * answer.score - 1) * 2 * answer.pairs
            self._centre = np.clip(self._centre + lead * self._steps.pop(trial.number), 0, 1)
            self._path.append(self._centre)
            if answer.pairs:
                self._model.note(sides, answer.score, answer.pairs)
        return self._model.gain(self._space.units(trial.centre))

    def recommend(self) -> Sequence[Advice]:
        """A point between the path's end and the models' top, which err in different ways.

        Intervals are those of the model, and wider by as much as all differ.
        """
        known, point = self._model.recommend(FLAT), self._point()
        error = np.hypot(known.standard_error, point - known.point)
        return advice_of(self._space, known._replace(standard_error=error), point)

    def forecast(self) -> Forecast | None:
        """The shapes of strength that the trials speak for, and how well these predicted."""
        ensemble = self._ensemble()
        return ensemble and ensemble.forecast(self._point())

    def _point(self) -> Array:
        """The point that is recommended."""
        end, ensemble = end_of_path(self._path), self._ensemble()
        return ensemble.towards_top(end) if ensemble else end

    def _ensemble(self) -> Ensemble | None:
        """The models of all that was told, fitted once."""
        if self._known is None:
            self._known = ensemble_of(self._model)
        return self._known
