"""Steps along a path of centres, as SPSA takes them: sizes, sides, and the end of the path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arena.tuning.method import Advice, Plan, Trial, TrialResult
from arena.tuning.model.design import (
    Recommendation,
    Sides,
    advice_of,
    sides_of,
    surrogate_of,
    trial_of,
)
from arena.tuning.model.posterior import Array, TrialScore
from arena.tuning.space import Space

ALPHA, GAMMA, WARM_UP = 0.602, 0.101, 0.1
"""Exponents by which steps and sides shrink, and the share of the trials that dampens the first
steps: Spall's, as fishtest has them."""
STEP, PLUS, MINUS, MEETS_DEFAULT = "step", "plus", "minus", "meets_default"
"""Notes of trials: of a step, how far it goes for a point of lead; of one that the model asked for,
both sides before they were rounded; and of one against the default that it is that."""
LAST = 0.2  # Share of the path, its last part, whose mean is its end


def games_of_step(budget: int) -> int:
    """Games of a trial: more steps beat surer ones, as long as storing them costs little."""
    return max(4, budget // 2500 // 2 * 2)


def end_of_path(path: Sequence[Array]) -> Array:
    return np.asarray(np.mean(path[-max(1, round(LAST * len(path))) :], axis=0))


class Walk:
    """The centre and its path so far, the steps under way, and the model of all trials."""

    def __init__(self, space: Space, plan: Plan, method: str) -> None:
        self._space, self._plan = space, plan
        self.model = surrogate_of(space, method, plan.seed)
        self.start = self.centre = self.model.prior.start
        self.path: list[Array] = []  # The centre after each step
        self._random = np.random.default_rng(plan.seed)
        self.met: list[TrialScore] = []  # The trials against the default, the centre's points first

    def calibration(self, number: int) -> Trial:
        sides = self.model.ask(self._plan.games // 2)._replace(centre=self.centre)
        note = {PLUS: sides.plus.tolist(), MINUS: sides.minus.tolist()}
        return trial_of(self._space, number, sides, self._plan.seed, note)

    def step(self, number: int, distances: Array, last_step: float) -> Trial:
        """A trial of both sides of the centre, in all parameters at once.

        `distances` are those of the sides at the end, and `last_step` is the step at the end for a
        point of lead, as a share of these. The step waits for the trial's result.
        """
        signs, trials = self._signs(), self._plan.trials
        wider = float((trials / (number + 1)) ** GAMMA)  # than the sides of the last trial
        longer = float(((WARM_UP * trials + trials) / (WARM_UP * trials + number + 1)) ** ALPHA)
        step = last_step * longer
        note = {STEP: (step / wider * distances * signs).tolist()}
        away = signs * np.maximum(wider * distances, self.model.least / 2)
        plus, minus = np.clip(self.centre + away, 0, 1), np.clip(self.centre - away, 0, 1)
        sides = Sides(self.centre, plus, minus)
        return trial_of(self._space, number, sides, self._plan.seed, note)

    def _signs(self) -> Array:
        return self._random.choice([-1.0, 1.0], len(self.start))

    def against_default(self, number: int) -> Trial:
        sides = Sides(self.centre, self.centre, self.start)
        trial = trial_of(self._space, number, sides, self._plan.seed, {MEETS_DEFAULT: []})
        return replace(trial, points=(trial.points[0], self._space.default))

    def repeat(self, trial: Trial) -> None:
        note = trial.note
        if STEP in note:
            self._signs()
        elif PLUS in note and MINUS in note:
            sides = Sides(self.centre, np.array(note[PLUS]), np.array(note[MINUS]))
            self.model.repeat(sides, self._plan.games // 2)

    def tell(self, trial: Trial, answer: TrialResult) -> float:
        """Step towards the better side; return the centre's Elo over the default, by the model."""
        sides, note = sides_of(self._space, trial), trial.note
        if MEETS_DEFAULT in note:
            if answer.pairs:
                self.met.append((sides.plus, sides.minus, answer.score, answer.pairs))
        elif PLUS in note and MINUS in note:
            self.model.tell(sides, answer.score, answer.pairs)
        else:
            lead = (2 * answer.score - 1) * 2 * answer.pairs
            self.centre = np.clip(self.centre + lead * np.array(note.get(STEP, 0.0)), 0, 1)
            self.path.append(self.centre)
            if answer.pairs:
                self.model.note(sides, answer.score, answer.pairs)
        return self.model.gain(self._space.units(trial.centre))

    def error(self, trial: Trial) -> float:
        return self.model.gain_error(self._space.units(trial.centre))

    def advice(self, known: Recommendation, point: Array) -> Sequence[Advice]:
        """Intervals are wider by as much as the model's own point differs: one is wrong."""
        error = np.hypot(known.standard_error, point - known.point)
        return advice_of(self._space, known._replace(standard_error=error), point)
