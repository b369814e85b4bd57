"""SPSA as chess testers use it: a step towards the side that won, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from arena.engine import Range
from arena.tuning.method import Advice, Answer, Forecast, Plan, Trial, Tuner
from arena.tuning.model.design import Sides
from arena.tuning.model.ensemble import forecast_of
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
CALIBRATION = 5
"""Interval of the trials that are no step, but asked by a model to learn the parameters' scales:
sides that are equally far from the centre do not tell them."""
LOST = 10.0
"""Elo that each parameter of a side is to lose at the end, so that no parameter's noise hides
another's lead; but no farther than the model trusts by then."""


def games(budget: int) -> int:
    """Games of a trial: many steps."""
    return games_of_step(budget)


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
        self._space, self._plan, self._c, self._r = space, plan, c, r
        self._model = surrogate_of(space, "spsa", plan.seed)
        self._start = self._centre = self._model.prior.start
        self._random = np.random.default_rng(plan.seed)
        self._steps: dict[int, Array] = {}
        """The step for each point of lead, by the numbers of trials under way."""
        self._path: list[Array] = []
        self._asked = 0

    def ask(self) -> Trial:
        """A trial with one step to both sides in all parameters at once, or one to learn scales."""
        number, self._asked = self._asked, self._asked + 1
        sides = self._calibration() if self._is_calibration(number) else self._sides(number)
        return trial_of(self._space, number, sides, self._plan.seed)

    def _is_calibration(self, number: int) -> bool:
        """True if a trial is there to learn scales."""
        return self._c is None and number % CALIBRATION == 0

    def _calibration(self) -> Sides:
        """The two points that the model asks for; the centre is where the path has come to."""
        return self._model.ask(self._plan.games // 2)._replace(centre=self._centre)

    def _sides(self, number: int) -> Sides:
        """The sides of a step, which waits for its result."""
        signs = self._random.choice([-1.0, 1.0], len(self._start))
        end, wider = self._distances(), side_ratio(number, self._plan.trials)
        step = self._r * step_ratio(number, self._plan.trials)
        self._steps[number] = step / wider * end * signs
        away = signs * np.maximum(wider * end, self._model.least / 2)
        return sides_around(self._centre, away)

    def tell(self, trial: Trial, answer: Answer) -> float:
        """Step towards the better side; return the centre's Elo over the default, by the model."""
        sides = sides_of(self._space, trial)
        if self._is_calibration(trial.number):
            self._model.tell(sides, answer.score, answer.pairs)
        else:
            lead = (2 * answer.score - 1) * 2 * answer.pairs
            step = lead * self._steps.pop(trial.number)
            self._centre = np.clip(self._centre + step, 0, 1)
            self._path.append(self._centre)
            if answer.pairs:
                self._model.note(sides, answer.score, answer.pairs)
        return self._model.gain(self._space.units(trial.centre))

    def recommend(self) -> Sequence[Advice]:
        """The mean of the last part of the path, with intervals from a model of all trials.

        Both look for the same point: as far as they differ, one of them is wrong.
        """
        point, known = self._end(), self._model.recommend(FLAT)
        error = np.hypot(known.standard_error, point - known.point)
        return advice_of(self._space, known._replace(standard_error=error), point)

    def forecast(self) -> Forecast | None:
        """The shapes of strength that the trials speak for, and how well these predicted."""
        return forecast_of(self._model, self._end())

    def _end(self) -> Array:
        """The mean of the last part of the path."""
        return end_of_path(self._path or [self._start])

    def _distances(self) -> Array:
        """Each parameter's distance of the sides from the centre at the end, as known by now."""
        if self._c is not None:
            return np.full(self._start.shape, self._c)
        scales = self._model.posterior.surface.scale
        return np.asarray(np.minimum(LOST**0.5 / scales, self._model.trusted))
