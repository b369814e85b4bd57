"""The walk to the top: its sides, when it stops to learn scales, and what it says without games."""

from __future__ import annotations

from collections import deque
from math import ceil

import numpy as np
import pytest

from arena.tuning.method import Plan, Trial, TrialResult
from arena.tuning.methods.ascent import (
    DEFAULT_TRIALS,
    FIRST_TRIALS,
    SCALE_TRIALS,
    WIDEST,
    AscentTuner,
)
from arena.tuning.space import Axis, Space
from benchmarks.landscapes import Landscape, space_of

PLAN = Plan(budget=1200, games=4, lag=4, seed=2)


def walked(landscape: Landscape, plan: Plan = PLAN) -> tuple[AscentTuner, list[Trial]]:
    """A tuner after a whole study, and its trials."""
    tuner, asked = AscentTuner(space_of(landscape), plan), []
    under_way: deque[Trial] = deque()
    for _ in range(plan.trials):
        if len(under_way) == plan.lag:
            trial = under_way.popleft()
            tuner.tell(trial, landscape.answer(trial, plan.games // 2))
        asked.append(tuner.ask())
        under_way.append(asked[-1])
    for trial in under_way:
        tuner.tell(trial, landscape.answer(trial, plan.games // 2))
    return tuner, asked


def learning(space: Space, trials: list[Trial]) -> list[int]:
    """The numbers of trials whose sides are not on both sides of the centre, equally far, nor are
    against the default."""
    found = []
    for trial in trials:
        if trial.points[1] == space.default:
            continue
        plus, minus = map(space.units, trial.points)
        inside = (np.abs(np.array([plus, minus]) - 0.5) < 0.499).all()
        if inside and not np.allclose((plus + minus) / 2, space.units(trial.centre), atol=1e-9):
            found.append(trial.number)
    return found


def first_trials(plan: Plan) -> int:
    """The number of trials that all learn scales."""
    return ceil(FIRST_TRIALS * plan.trials)


def test_with_one_parameter_all_but_the_first_trials_are_steps() -> None:
    landscape = Landscape(1, 3)
    _, trials = walked(landscape)
    assert set(learning(space_of(landscape), trials)) <= set(range(first_trials(PLAN)))


@pytest.mark.slow
def test_where_ranges_are_misjudged_each_third_trial_learns_scales() -> None:
    landscape = Landscape(6, 1, "skew and misjudged")
    plan = Plan(4000, 4, 4, 1)
    _, trials = walked(landscape, plan)
    found = learning(space_of(landscape), trials)
    late = [number for number in found if number >= first_trials(plan)]
    assert len(found) - len(late) > first_trials(plan) / 2
    assert len(late) > 50
    assert {number % SCALE_TRIALS for number in late} == {SCALE_TRIALS - 1}


@pytest.mark.slow
def test_no_side_is_further_away_than_the_widest() -> None:
    landscape = Landscape(3, 5)
    tuner, trials = walked(landscape)
    first = (PLAN.trials / 1) ** 0.101
    for trial in trials:
        plus, minus = map(space_of(landscape).units, trial.points)
        assert (np.abs(plus - minus) <= 2 * WIDEST * first + 1e-9).all()
    (advice, *_) = tuner.recommend()
    assert advice.low is not None
    assert advice.low <= float(advice.value)


def test_trials_that_were_not_played_move_nothing() -> None:
    space = Space((Axis("p", 0.3), Axis("q", 0.6)))
    tuner = AscentTuner(space, Plan(40, 4, 1, 0))
    for _ in range(10):
        tuner.tell(tuner.ask(), TrialResult(0.0, 0.5, 0))
    assert [each.value for each in tuner.recommend()] == pytest.approx([0.3, 0.6])
    assert tuner.forecast() is None


@pytest.mark.slow
def test_in_the_last_quarter_each_fifth_trial_meets_the_default() -> None:
    landscape = Landscape(6, 1, "steps")
    space = space_of(landscape)
    trials = walked(landscape, Plan(4000, 4, 4, 1))[1]
    quarter = int(0.75 * len(trials))
    found = [trial.number for trial in trials[quarter:] if trial.points[1] == space.default]
    first = next(number for number in range(quarter, len(trials)) if number % DEFAULT_TRIALS == 0)
    assert found == list(range(first, len(trials), DEFAULT_TRIALS))
    for number in found:
        point = space.units(trials[number].points[0])
        assert np.abs(point - space.units(trials[number].centre)).max() <= 1 / 7


@pytest.mark.slow
def test_the_forecast_is_of_the_gain_over_the_default() -> None:
    landscape = Landscape(3, 1, "favoured start")
    tuner, _ = walked(landscape, Plan(4000, 4, 4, 1))
    point = space_of(landscape).units({each.name: each.value for each in tuner.recommend()})
    forecast, strength = tuner.forecast(), landscape.elo(point) - landscape.elo(np.full(3, 0.5))
    assert forecast is not None
    assert forecast.gain is not None
    low, high = forecast.gain.interval
    assert low < landscape.gain(point) < high < strength


@pytest.mark.slow
def test_a_study_told_again_asks_the_same() -> None:
    landscape, again = Landscape(6, 1, "skew and misjudged"), Landscape(6, 1, "skew and misjudged")
    assert walked(landscape)[1] == walked(again)[1]
