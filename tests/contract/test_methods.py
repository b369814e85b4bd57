"""The contract of a tuning method (arena/tuning/method.py), for each in arena/tuning/methods."""

from __future__ import annotations

import random
import warnings
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from math import isclose
from typing import Any, cast

import pytest

from arena import ConfigError
from arena.plugins.load import factory, module, names
from arena.plugins.parameters import parameters
from arena.stats.elo import elo, expected_score
from arena.tuning.method import Advice, Plan, Trial, TrialResult, Tuner
from arena.tuning.space import Axis, Space

NUMBERS = Space(
    (
        Axis("free", 0.4, 0.0, 2.0),
        Axis("wide", 100.0, 1.0, 10_000.0, log=True),
        Axis("whole", 3, 0.0, 9.0, is_whole=True, step=1.0),
        Axis("even", 4, 2.0, 13.0, is_whole=True, step=2.0),
    )
)
STYLES = ("calm", "wild", "odd")
CHOICES = Space((*NUMBERS.axes, Axis("style", "calm", choices=STYLES)))
PLAN = Plan(budget=240, games=8, lag=3, seed=5)
TRIALS = 30
INSTALLED = [name for name in names("method") if name != "gp" or find_spec("torch")]
SLOW = {"ascent", "cmaes", "tpe"}
SEARCHES_CHOICES = {"gp", "qmc", "random", "tpe"}

each_method = pytest.mark.parametrize("name", INSTALLED)
each_study = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in INSTALLED]
)


@dataclass(frozen=True, slots=True)
class Study:
    trials: list[Trial]
    estimates: list[float]
    advice: list[Advice]


def make(name: str, space: Space = NUMBERS, plan: Plan = PLAN) -> Tuner:
    values = {each.name: each.default for each in parameters(factory("method", name))}
    return cast(Tuner, factory("method", name)(space, plan, **values))


def compares(name: str) -> bool:
    return bool(getattr(module("method", name), "COMPARES", False))


def answer(space: Space, trial: Trial) -> TrialResult:
    """A result that depends on the trial and nothing else, luck included.

    The best point is at 0.7 of every range.
    """
    if len(trial.points) == 2 and trial.points[0] == trial.points[1]:
        return TrialResult(0.0, 0.5, 0)
    marks = [
        -300 * sum((a.unit(point[a.name]) - 0.7) ** 2 for a in space.axes if not a.choices)
        for point in trial.points
    ]
    lead = marks[0] - (marks[1] if len(marks) == 2 else 0)
    wins = random.Random(str(trial)).choices([0, 1], [1, 10 ** (lead / 400)], k=8)
    found = elo((sum(wins) + 0.25) / 8.5)
    return TrialResult(found, expected_score(found), 4)


def play(tuner: Tuner, space: Space = NUMBERS) -> Study:
    running: list[Trial] = []
    study = Study([], [], [])
    for _ in range(TRIALS):
        if len(running) == PLAN.lag:
            trial = running.pop(0)
            study.estimates.append(tuner.tell(trial, answer(space, trial)))
        running.append(tuner.ask())
        study.trials.append(running[-1])
    study.estimates.extend(tuner.tell(trial, answer(space, trial)) for trial in running)
    study.advice.extend(tuner.recommend())
    return study


@cache
def study_of(name: str) -> Study:
    return play(make(name))


def check_value(axis: Axis, value: Any) -> None:
    """Fail unless a value is possible for a parameter, and of its type."""
    assert type(value) is (int if axis.is_whole else float)
    assert axis.has(float(value)), f"{axis.name} = {value}"


@each_study
def test_told_equal_answers_it_asks_estimates_and_recommends_the_same(name: str) -> None:
    assert play(make(name)) == study_of(name)


@each_study
def test_another_seed_is_another_study(name: str) -> None:
    other = play(make(name, plan=Plan(240, 8, 3, seed=6)))
    assert other.trials[1:] != study_of(name).trials[1:]


@each_study
def test_trials_are_numbered_from_0_and_most_are_new(name: str) -> None:
    trials = study_of(name).trials
    assert [trial.number for trial in trials] == list(range(TRIALS))
    assert len({str(trial.points) for trial in trials}) > TRIALS / 2


@each_study
def test_points_have_every_parameter_within_its_range_on_its_steps(name: str) -> None:
    for trial in study_of(name).trials:
        assert len(trial.points) == (2 if compares(name) else 1)
        for point in trial.points:
            assert list(point) == [axis.name for axis in NUMBERS.axes]
            for axis in NUMBERS.axes:
                check_value(axis, point[axis.name])
        for axis in NUMBERS.axes:
            assert axis.low <= trial.centre[axis.name] <= axis.high


@each_study
def test_the_advice_has_every_parameter_in_order_and_its_intervals(name: str) -> None:
    advice = study_of(name).advice
    assert [each.name for each in advice] == [axis.name for axis in NUMBERS.axes]
    for each, axis in zip(advice, NUMBERS.axes, strict=True):
        check_value(axis, each.value)
        interval, spread = (each.low, each.high), (each.spread_low, each.spread_high)
        flat = each.flat_low, each.flat_high
        given = [ends for ends in (interval, spread, flat) if ends != (None, None)]
        assert (interval in given) + (spread in given) == 1, "either, and not both"
        for low, high in cast(list[tuple[float, float]], given):
            assert axis.low <= low <= high <= axis.high, axis.name


@each_study
def test_importances_are_shares_of_1_that_differ(name: str) -> None:
    shares = [each.importance for each in study_of(name).advice]
    assert isclose(sum(shares), 1, rel_tol=1e-6)
    assert len(set(shares)) > 1


@each_method
def test_the_first_trial_is_of_the_default_values_or_around_them(name: str) -> None:
    first, default = make(name).ask(), NUMBERS.default
    if compares(name):
        assert first.centre == pytest.approx(default, rel=1e-6)
    else:
        assert first.points == (default,)


@each_study
def test_it_prints_and_warns_of_nothing(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play(make(name))
    assert capfd.readouterr() == ("", "")


@each_study
def test_all_choices_are_tried_or_refused(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    if name not in SEARCHES_CHOICES:
        with pytest.raises(ConfigError, match=f"{name} .* style"):
            make(name, CHOICES)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study = play(make(name, CHOICES), CHOICES)
    assert {trial.points[0]["style"] for trial in study.trials} == {*STYLES}
    assert study.advice[-1].value in STYLES
    assert study.advice[-1].low is None
    assert capfd.readouterr() == ("", "")


@each_study
def test_a_study_of_one_trial_has_a_recommendation(name: str) -> None:
    tuner = make(name, plan=Plan(8, 8, 1, seed=0))
    trial = tuner.ask()
    tuner.tell(trial, answer(NUMBERS, trial))
    for axis, each in zip(NUMBERS.axes, tuner.recommend(), strict=True):
        check_value(axis, each.value)


@each_study
def test_one_parameter_is_enough_for_all_but_cmaes(name: str) -> None:
    space = Space(NUMBERS.axes[:1])
    if name == "cmaes":
        with pytest.raises(ConfigError, match="two"):
            make(name, space)
    else:
        assert len(play(make(name, space), space).advice) == 1


@pytest.mark.parametrize("name", [name for name in INSTALLED if compares(name)])
def test_equal_points_teach_a_method_that_compares_nothing(name: str) -> None:
    tuner = make(name)
    for _ in range(5):
        tuner.tell(tuner.ask(), TrialResult(0.0, 0.5, 0))
    advised = NUMBERS.units({each.name: each.value for each in tuner.recommend()})
    assert advised == pytest.approx(NUMBERS.units(NUMBERS.default), abs=0.2)


@each_method
def test_it_goes_on_from_trials_of_before_as_if_it_had_just_asked_for_them(name: str) -> None:
    asking = make(name)
    asked, repeated = [asking.ask() for _ in range(3)], make(name)
    for trial in asked:
        repeated.repeat(trial)
    for number in range(12):
        told = answer(NUMBERS, asked[number])
        assert repeated.tell(asked[number], told) == asking.tell(asked[number], told)
        asked.append(asking.ask())
        if number == 11:
            assert repeated.ask() == asked[-1], "its random numbers are not where they would be"
        else:
            repeated.repeat(asked[-1])


@each_method
def test_it_takes_any_trial_of_the_space(name: str) -> None:
    """What it asks for next is what a tuner asks that was given the same trials by itself."""
    other = make(name, plan=replace(PLAN, seed=PLAN.seed + 1))
    one, another = make(name), make(name)
    for number in range(12):
        foreign = other.ask()
        assert foreign.number == number
        told = answer(NUMBERS, foreign)
        for tuner in (other, one, another):
            if tuner is not other:
                tuner.repeat(foreign)
            tuner.tell(foreign, told)
    assert one.ask() == another.ask()
    assert one.recommend() == another.recommend()
    for advice, axis in zip(one.recommend(), NUMBERS.axes, strict=True):
        check_value(axis, advice.value)


def test_gp_says_how_to_install_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.tuning.methods.gp.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install torch$"):
        make("gp")
