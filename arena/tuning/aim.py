"""The aim of a study with several conditions: the mean of their gains, or the least of them.

The least gain is no number that two points can play for: the weakest condition may
differ between them. Its smooth form is -T log mean exp(-gain / T), whose slope is that of
the gains' mean with shares exp(-gain / T). So where the least gain is wanted, each trial tells
the tuner this mean, by the gains that are known around its centre: to first order, the difference
of two points in the smooth form. The gains come from models of their own, one for each condition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

import numpy as np

from arena.tuning.method import Trial, TrialResult, Tuner
from arena.tuning.scores import Scores, Weights, answer_to, by_label, weighed

Aim = Literal["mean", "worst"]
SOFTNESS = 25.0
"""T, in Elo: a condition that gains this much more than the worst one has a third of its share."""


class Aggregate(Protocol):
    """A way to make one answer of the games of a trial."""

    def answer(self, trial: Trial, labels: Sequence[str], scores: Scores) -> TrialResult:
        """The answer to a trial whose openings had these conditions, and were played so far."""
        ...


class Mean:
    """All pairs have equal weight: every trial has as many under each condition."""

    def answer(self, trial: Trial, labels: Sequence[str], scores: Scores) -> TrialResult:
        """The answer of all pairs."""
        return answer_to(len(trial.points), scores)


class Worst:
    """The conditions weigh the more, the less is gained under them; holds a model of each."""

    def __init__(self, models: Mapping[str, Tuner]) -> None:
        self._models = models

    def answer(self, trial: Trial, labels: Sequence[str], scores: Scores) -> TrialResult:
        """The answer with the shares that the conditions have around this trial's centre."""
        points = len(trial.points)
        own = {label: answer_to(points, each) for label, each in by_label(labels, scores).items()}
        gains = {label: self._gain(trial, label, each) for label, each in own.items()}
        return weighed(points, own, _shares_of(gains))

    def _gain(self, trial: Trial, label: str, answer: TrialResult) -> float:
        """The gain under one condition: of a point alone, what it won; else, of the centre."""
        if len(trial.points) == 1:
            return answer.elo
        model = self._models[label]
        model.ask()  # a tuner is told of no more trials than it asked for
        return model.tell(trial, answer)


def _shares_of(gains: Mapping[str, float]) -> Weights:
    """The share of each condition, by what is gained under it."""
    if not gains:
        return {}
    least = min(gains.values())
    found = {label: float(np.exp((least - gain) / SOFTNESS)) for label, gain in gains.items()}
    total = sum(found.values())
    return {label: each / total for label, each in found.items()}
