"""Studies on landscapes: what a method recommends there, and by how much it is wrong."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import astuple
from typing import NamedTuple

import numpy as np

from arena.plugins import load
from arena.tuning.method import Advice, Plan, Trial, TrialResult, Tuner
from arena.tuning.model.posterior import Array
from benchmarks.landscapes import Landscape, space_of


class StudyEnd(NamedTuple):
    """A study's end: Elo lost, which intervals hold the best value, if it warns, and its gain."""

    loss: float
    held: tuple[bool | None, ...]
    """None for a parameter that has no best value, or whose advice has no interval."""
    is_doubtful: bool
    """True if the study says that its values should not be trusted."""
    gained: float
    """Elo over the default values, as games against these would show it."""
    forecast: tuple[float, float] | None
    """The gain that the study tells, and its standard error; None for a method that tells none."""
    seconds: float
    """CPU time, simulated games included."""


def simulated(landscape: Landscape, method: str, plan: Plan) -> StudyEnd:
    """The end of a study, `plan.lag` trials being under way at once."""
    began = time.process_time()
    tuner = finished(landscape, method, plan)
    found, forecast = tuner.recommend(), tuner.forecast()
    seconds = time.process_time() - began
    point = point_of(landscape, found)
    return StudyEnd(
        -landscape.elo(point),
        held(landscape, found),
        forecast is not None and forecast.is_doubtful,
        landscape.gain(point),
        astuple(forecast.gain) if forecast and forecast.gain else None,
        seconds,
    )


def tuned_loss(landscape: Landscape, method: str, plan: Plan) -> float:
    """True Elo lost at what a method recommends."""
    found = finished(landscape, method, plan).recommend()
    return -landscape.elo(point_of(landscape, found))


def point_of(landscape: Landscape, found: Sequence[Advice]) -> Array:
    """The point of the unit box that is advised."""
    return space_of(landscape).units({each.name: each.value for each in found})


def finished(landscape: Landscape, method: str, plan: Plan) -> Tuner:
    """The method, told all trials of a study."""
    tuner: Tuner = load.factory("method", method)(space_of(landscape), plan)
    under_way = deque[tuple[Trial, TrialResult]]()
    for _ in range(plan.trials):
        if len(under_way) == plan.lag:
            tuner.tell(*under_way.popleft())
        trial = tuner.ask()
        under_way.append((trial, landscape.answer(trial, plan.games // 2)))
    for told in under_way:
        tuner.tell(*told)
    return tuner


def held(landscape: Landscape, found: Sequence[Advice]) -> tuple[bool | None, ...]:
    """True for each interval that holds the best value; of several, the one next to the advice."""
    axes = space_of(landscape).axes
    point = np.array([axis.unit(each.value) for axis, each in zip(axes, found, strict=True)])
    truth = np.clip(landscape.shape.truth(point), 0, 1)
    return tuple(
        None
        if np.isnan(best) or each.low is None or each.high is None
        else bool(axis.unit(each.low) - 1e-9 <= best <= axis.unit(each.high) + 1e-9)
        for axis, each, best in zip(axes, found, truth, strict=True)
    )
