"""SPSA as chess testers use it: a step towards the side that won, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from arena.engine import Range
from arena.tuning.compared import FLAT, advice_of, least_of, sides_of, start_of, trial_of
from arena.tuning.space import Space
from arena.tuning.surrogate import Surrogate
from arena.tuning.surrogate import Trial as Sides
from arena.tuning.tuner import Advice, Answer, Plan, Trial, Tuner

COMPARES = True
ALPHA, GAMMA, WARM_UP = 0.602, 0.101, 0.1
"""How steps and sides shrink, and the share of the trials that dampens the first steps: Spall's
exponents, as fishtest has them."""
LAST = 0.2
"""Of the way, the last part, whose mean is recommended."""


def games(budget: int) -> int:
    """Of a trial: more steps beat surer ones, as long as keeping them costs little."""
    return max(4, budget // 2500 // 2 * 2)


def tuner(
    space: Space,
    plan: Plan,
    *,
    c: Annotated[float, Range(1e-4, 0.5, log=True), "distance of the sides at the end"] = 0.1,
    r: Annotated[float, Range(1e-5, 1, log=True), "step at the end, in squares of c"] = 0.01,
) -> Tuner:
    """Numbers only; c is a share of the ranges. Too small c and r are how it usually fails."""
    return Walk(space, plan, c, r)


class Walk:
    """Holds the way so far."""

    def __init__(self, space: Space, plan: Plan, c: float, r: float) -> None:
        self._space, self._plan, self._c, self._r = space, plan, c, r
        self._start = self._centre = start_of(space, "spsa")
        self._random = np.random.default_rng(plan.seed)
        self._model = Surrogate(self._start, plan.seed, least_of(space))
        self._signs: dict[int, np.ndarray] = {}
        self._way: list[np.ndarray] = []
        self._asked = 0

    def ask(self) -> Trial:
        """The centre, and one step to both sides in all parameters at once."""
        number, self._asked = self._asked, self._asked + 1
        signs = self._signs[number] = self._random.choice([-1.0, 1.0], len(self._start))
        away = signs * np.maximum(self._distance(number), least_of(self._space) / 2)
        plus, minus = np.clip(self._centre + away, 0, 1), np.clip(self._centre - away, 0, 1)
        return trial_of(self._space, number, Sides(self._centre, plus, minus), self._plan.seed)

    def tell(self, trial: Trial, answer: Answer) -> float:
        """A step towards the better side; Elo that the fitted model sees there over the default."""
        signs = self._signs.pop(trial.number)
        lead = (2 * answer.score - 1) * 2 * answer.pairs
        step = self._gain(trial.number) * self._distance(trial.number) * lead
        self._centre = np.clip(self._centre + step * signs, 0, 1)
        self._way.append(self._centre)
        if answer.pairs:
            self._model.note(sides_of(self._space, trial), answer.score, answer.pairs)
        known = self._model.posterior.surface
        return float(known.elo(self._space.units(trial.centre)) - known.elo(self._start))

    def recommend(self) -> Sequence[Advice]:
        """The mean of the last part of the way; how sure that is, says a model of all trials."""
        last = self._way[-max(1, round(LAST * len(self._way))) :]
        return advice_of(self._space, self._model.recommend(FLAT), np.mean(last, axis=0))

    def _distance(self, number: int) -> float:
        """Of the sides from the centre."""
        return float(self._c * (self._plan.trials / (number + 1)) ** GAMMA)

    def _gain(self, number: int) -> float:
        """What a point of the lead moves, in distances."""
        trials = self._plan.trials
        late = (WARM_UP * trials + trials) / (WARM_UP * trials + number + 1)
        return float(self._r * self._c**2 * late**ALPHA / self._distance(number) ** 2)
