"""Tuners that measure one point at a time, against the opponents: Optuna's samplers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from arena.tuning.method import Advice, Trial, TrialResult
from arena.tuning.space import Axis, Space, Value, Values

if TYPE_CHECKING:
    import optuna

BEST = 0.1
"""Share of the trials whose mean is recommended: the best one alone owes too much to luck."""


MIDDLE_TENTHS = (0.1, 0.9)
"""Quantiles of the best tenth's values between which its spread is."""


@contextmanager
def quiet() -> Iterator[None]:
    """Silence Optuna's log, and its warnings to programmers: parts of it are experimental."""
    import optuna

    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        optuna.logging.set_verbosity(before)


class SamplerTuner:
    """A tuner that asks a sampler of Optuna, by a study in memory that remembers the answers."""

    def __init__(
        self,
        space: Space,
        make: Callable[[], optuna.samplers.BaseSampler],
        start: Sequence[Values] | None = None,
    ) -> None:
        """Ask a new sampler, after the points at the `start`: without any given, the default."""
        import optuna

        self._space = space
        with quiet():
            self._study = optuna.create_study(direction="maximize", sampler=make())
        self._distributions = {axis.name: axis.distribution() for axis in space.axes}
        self._asked: dict[int, optuna.Trial] = {}
        self._told: list[tuple[float, Values]] = []
        # The default is where users are now: the first trial tells what it is worth.
        self.enqueue([space.default] if start is None else start)

    def enqueue(self, points: Iterable[Values]) -> None:
        """Ask for these points next; the sampler chooses what one leaves out."""
        for point in points:
            self._study.enqueue_trial(point)

    def ask(self) -> Trial:
        """The trial that the sampler suggests next."""
        with quiet():
            trial = self._study.ask(self._distributions)
        self._asked[trial.number] = trial
        values: Values = dict(trial.params)
        return Trial(trial.number, values, (values,))

    def tell(self, trial: Trial, answer: TrialResult) -> float:
        """The trial's own Elo; against opponents, over what the default won, if it was tried."""
        with quiet():
            self._study.tell(self._asked.pop(trial.number), answer.elo)
        self._told.append((answer.elo, trial.points[0]))
        default = (elo for elo, point in self._told if point == self._space.default)
        return answer.elo - (0.0 if answer.meets_default else next(default, 0.0))

    def forecast(self) -> None:
        """Nothing: there is no model of strength."""

    def recommend(self) -> Sequence[Advice]:
        """The mean of the best tenth (of choices, the commonest), with its spread.

        That is no interval of the best value: the best tenth owes its place to luck, lies where
        the sampler looked, and its standard error holds the best value in a third to two thirds
        of studies.
        """
        ranked = sorted(self._told, key=lambda told: -told[0])
        best = [values for _, values in ranked[: max(1, round(BEST * len(ranked)))]]
        shares = self._importances()
        return [
            chosen(axis, best, shares[axis.name])
            if axis.choices
            else _averaged(axis, best, shares[axis.name])
            for axis in self._space.axes
        ]

    def _importances(self) -> dict[str, float]:
        """The parameters' importances (Optuna's PED-ANOVA); equal where too few trials tell."""
        import optuna

        names = [axis.name for axis in self._space.axes]
        with quiet():
            try:
                evaluator = optuna.importance.PedAnovaImportanceEvaluator()
                found = optuna.importance.get_param_importances(self._study, evaluator=evaluator)
            except (RuntimeError, ValueError):
                found = {}
        total = sum(found.values())
        return {name: found.get(name, 0.0) / total if total else 1 / len(names) for name in names}


class KeptTuner(SamplerTuner):
    """A tuner whose trials are known: it asks for the points that it is given, in turn."""

    def __init__(
        self, space: Space, points: Sequence[Values] = (), tested: Values | None = None
    ) -> None:
        """Recommend the point that is `tested`, if there is one."""
        import optuna

        super().__init__(space, optuna.samplers.RandomSampler, points)
        self._numbers: dict[int, int] = {}
        self._tested = tested

    def recommend(self) -> Sequence[Advice]:
        """As any sampler's, unless the user had another point tested."""
        if self._tested is None:
            return super().recommend()
        shares = self._importances()
        return [
            Advice(name, value, None, None, shares[name], None, None)
            for name, value in self._tested.items()
        ]

    def ask_for(self, number: int, values: Values) -> Trial:
        """The trial of this number, at this point."""
        self.enqueue([values])
        own = self.ask()
        self._numbers[number] = own.number
        return Trial(number, values, (values,))

    def tell(self, trial: Trial, answer: TrialResult) -> float:
        """As any sampler's."""
        return super().tell(
            replace(trial, number=self._numbers.pop(trial.number, trial.number)), answer
        )


def _averaged(axis: Axis, best: Sequence[Values], importance: float) -> Advice:
    """The mean in units, so that a logarithmic parameter has a geometric one."""
    units = np.array([axis.unit(values[axis.name]) for values in best])
    value = axis.value(float(units.mean()))
    low, high = (axis.number(float(end)) for end in np.quantile(units, MIDDLE_TENTHS))
    return Advice(axis.name, value, None, None, importance, None, None, low, high)


def chosen(axis: Axis, best: Sequence[Values], importance: float) -> Advice:
    """The commonest choice; of equals, the one of the better trials."""
    values: list[Value] = [found[axis.name] for found in best]
    commonest = max(values, key=values.count)
    return Advice(axis.name, commonest, None, None, importance, None, None)
