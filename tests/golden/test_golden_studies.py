"""Questions and advice of our own methods, told how strong each point is: kept as a file.

No rule says which question a method ought to ask next, but a change of it shows here. After one
that is meant to: `pytest tests/golden --golden-update`, and look at `arena bench` before it is
committed.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import astuple
from functools import partial
from pathlib import Path

import pytest

from arena.stats.elo import elo, expected_score
from arena.tuning.method import Advice, Plan, Trial, TrialResult, Tuner
from arena.tuning.methods import ascent, spsa
from arena.tuning.space import Axis, Space

HERE = Path(__file__).parent
SPACE = Space(
    (
        Axis("free", 0.4, 0.0, 2.0),
        Axis("wide", 100.0, 1.0, 10_000.0, log=True),
        Axis("whole", 3, 0.0, 9.0, is_whole=True, step=1.0),
        Axis("idle", 0.5),
    )
)
PAIRS = 10
PLAN = Plan(budget=800, games=2 * PAIRS, lag=3, seed=5)
"""Enough trials for the model to look for other maxima, too."""


def strength(values: dict[str, float]) -> float:
    """Elo of a point: best in the upper part of the range, and steeper below; `idle` is idle."""
    away = SPACE.units(values)[:3] - [0.7, 0.8, 0.55]
    return -sum(weight * x * x * (2 - x) for weight, x in zip([300, 150, 80], away, strict=True))


def answer(trial: Trial) -> TrialResult:
    """The most likely result."""
    plus, minus = map(strength, trial.points)
    score = round(4 * PAIRS * expected_score(plus - minus)) / (4 * PAIRS)
    return TrialResult(elo(score), score, 0 if trial.points[0] == trial.points[1] else PAIRS)


def study(tuner: Tuner) -> Iterator[list[float]]:
    """Each trial's points, once it is told also the Elo it is seen at, and what is advised."""
    running: deque[Trial] = deque()
    for _ in range(PLAN.trials):
        if len(running) == PLAN.lag:
            trial = running.popleft()
            yield [trial.number, tuner.tell(trial, answer(trial))]
        running.append(tuner.ask())
        yield [float(value) for point in running[-1].points for value in point.values()]
    for advice in tuner.recommend():
        yield numbers(advice)


def numbers(advice: Advice) -> list[float]:
    return [float(value) for value in astuple(advice)[1:] if value is not None]


@pytest.mark.parametrize(
    ("file", "method"),
    [
        ("study_ascent.json", ascent.tuner),
        ("study_spsa.json", spsa.tuner),
        ("study_spsa_of_one_width.json", partial(spsa.tuner, c=0.1)),
    ],
)
def test_a_study_is_the_same_as_ever(
    file: str, method: Callable[[Space, Plan], Tuner], request: pytest.FixtureRequest
) -> None:
    found = list(study(method(SPACE, PLAN)))
    if request.config.getoption("--golden-update"):
        rows = [[float(f"{number:.6g}") for number in row] for row in found]
        (HERE / file).write_text("[" + ",\n".join(map(str, rows)) + "]\n", encoding="utf-8")
    kept = json.loads((HERE / file).read_text(encoding="utf-8"))
    for row, expected in zip(found, kept, strict=True):
        assert row == pytest.approx(expected, rel=1e-4, abs=1e-6)
