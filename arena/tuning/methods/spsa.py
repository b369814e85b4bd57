"""SPSA as chess testers use it: a step towards the side that won, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from arena.engine import Range
from arena.tuning.method import Advice, Answer, Plan, Trial, Tuner
from arena.tuning.model.design import Surrogate
from arena.tuning.model.design import Trial as Sides
from arena.tuning.model.head_to_head import FLAT, advice_of, least_of, sides_of, start_of, trial_of
from arena.tuning.model.surface import Array
from arena.tuning.space import Space

COMPARES = True
ALPHA, GAMMA, WARM_UP = 0.602, 0.101, 0.1
"""How steps and sides shrink, and the share of the trials that dampens the first steps: Spall's
exponents, as fishtest has them."""
SOUNDING = 5
"""Every so many trials, one is no step, but what a model asks to learn the parameters' scales:
sides that are equally far from the centre do not tell them."""
LOST = 10.0
"""Elo that each parameter of a side is to lose at the end, so that no parameter's noise drowns
another's lead; but no farther than the model trusts by then."""
LAST = 0.2
"""Of the way, the last part, whose mean is recommended."""


def games(budget: int) -> int:
    """Of a trial: more steps beat surer ones, as long as keeping them costs little."""
    return max(4, budget // 2500 // 2 * 2)


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
    """Numbers only. c is a share of the ranges; without one, each parameter has its own, which a
    fifth of the trials is there to learn. Too small c and r are how it usually fails."""
    return Walk(space, plan, c, r)


class Walk:
    """Holds the way so far."""

    def __init__(self, space: Space, plan: Plan, c: float | None, r: float) -> None:
        self._space, self._plan, self._c, self._r = space, plan, c, r
        self._start = self._centre = start_of(space, "spsa")
        self._random = np.random.default_rng(plan.seed)
        self._model = Surrogate(self._start, plan.seed, least_of(space))
        self._steps: dict[int, Array] = {}
        """What a point of the lead will move, by trials under way."""
        self._way: list[Array] = []
        self._asked = 0

    def ask(self) -> Trial:
        """The centre, and one step to both sides in all parameters at once; or a sounding."""
        number, self._asked = self._asked, self._asked + 1
        sides = self._sounding() if self._is_sounding(number) else self._sides(number)
        return trial_of(self._space, number, sides, self._plan.seed)

    def _is_sounding(self, number: int) -> bool:
        """Whether a trial is there to learn scales."""
        return self._c is None and number % SOUNDING == 0

    def _sounding(self) -> Sides:
        """Two points that the model asks for; the centre stays where the way has come to."""
        return self._model.ask(self._plan.games // 2)._replace(centre=self._centre)

    def _sides(self, number: int) -> Sides:
        """Of a step, which waits for its result."""
        signs = self._random.choice([-1.0, 1.0], len(self._start))
        end, wider = self._distances(), (self._plan.trials / (number + 1)) ** GAMMA
        self._steps[number] = self._r * self._lateness(number) / wider * end * signs
        away = signs * np.maximum(wider * end, least_of(self._space) / 2)
        plus, minus = np.clip(self._centre + away, 0, 1), np.clip(self._centre - away, 0, 1)
        return Sides(self._centre, plus, minus)

    def tell(self, trial: Trial, answer: Answer) -> float:
        """A step towards the better side; Elo that the fitted model sees there over the default."""
        sides = sides_of(self._space, trial)
        if self._is_sounding(trial.number):
            self._model.tell(sides, answer.score, answer.pairs)
        else:
            lead = (2 * answer.score - 1) * 2 * answer.pairs
            step = lead * self._steps.pop(trial.number)
            self._centre = np.clip(self._centre + step, 0, 1)
            self._way.append(self._centre)
            if answer.pairs:
                self._model.note(sides, answer.score, answer.pairs)
        known = self._model.posterior.surface
        return float(known.elo(self._space.units(trial.centre)) - known.elo(self._start))

    def recommend(self) -> Sequence[Advice]:
        """The mean of the last part of the way; how sure that is, says a model of all trials."""
        last = self._way[-max(1, round(LAST * len(self._way))) :] or [self._start]
        return advice_of(self._space, self._model.recommend(FLAT), np.mean(last, axis=0))

    def _distances(self) -> Array:
        """Of the sides from the centre, each parameter's, at the end as it looks by now."""
        if self._c is not None:
            return np.full(self._start.shape, self._c)
        scales = self._model.posterior.surface.scale
        return np.asarray(np.minimum(LOST**0.5 / scales, self._model.trusted))

    def _lateness(self, number: int) -> float:
        """How much larger than the last one a step is."""
        trials = self._plan.trials
        late = (WARM_UP * trials + trials) / (WARM_UP * trials + number + 1)
        return float(late**ALPHA)
