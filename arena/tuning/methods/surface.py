"""A model of strength, fitted to points that played each other, that picks which two meet next."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.tuning.method import Advice, Forecast, Plan, Trial, TrialResult, Tuner
from arena.tuning.model.design import Sides
from arena.tuning.model.ensemble import forecast_of
from arena.tuning.model.head_to_head import FLAT, advice_of, sides_of, surrogate_of, trial_of
from arena.tuning.model.steps import MINUS, PLUS
from arena.tuning.space import Space

COMPARES = True


def games(budget: int) -> int:
    """Games of a trial: 500 trials between 4 000 and 20 000 games, so that fits take seconds."""
    return 2 * min(max(round(budget / 1000), 4), 20)


def tuner(space: Space, plan: Plan) -> Tuner:
    """Accept numbers only; learn the right width of each parameter's steps, and its skew."""
    return SurfaceTuner(space, plan)


class SurfaceTuner:
    """A tuner that asks and fits a model of strength."""

    def __init__(self, space: Space, plan: Plan) -> None:
        self._space, self._plan = space, plan
        self._model = surrogate_of(space, "surface", plan.seed)
        self._asked = 0

    def ask(self) -> Trial:
        """The two points whose meeting would teach most about where the best one is."""
        self._asked += 1
        sides = self._model.ask(self._plan.games // 2)
        note = {PLUS: sides.plus.tolist(), MINUS: sides.minus.tolist()}
        return trial_of(self._space, self._asked - 1, sides, self._plan.seed, note)

    def repeat(self, trial: Trial) -> None:
        """Go on as if this trial had been asked for now."""
        self._asked = trial.number + 1
        plus, minus = np.array(trial.note[PLUS]), np.array(trial.note[MINUS])
        self._model.repeat(Sides((plus + minus) / 2, plus, minus), self._plan.games // 2)

    def tell(self, trial: Trial, answer: TrialResult) -> float:
        """Fit the answer; return the Elo of the trial's centre over the default, by the model."""
        self._model.tell(sides_of(self._space, trial), answer.score, answer.pairs)
        return self._model.gain(self._space.units(trial.centre))

    def error(self, trial: Trial) -> float:
        """The standard error of that Elo, if strength is like the model."""
        return self._model.gain_error(self._space.units(trial.centre))

    def recommend(self) -> Sequence[Advice]:
        """The top of the model."""
        known = self._model.recommend(FLAT)
        return advice_of(self._space, known, known.point)

    def forecast(self) -> Forecast | None:
        """The shapes of strength that the trials speak for, and how well these predicted."""
        return forecast_of(self._model, self._model.recommend(FLAT).point)
