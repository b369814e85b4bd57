"""What every tuning method keeps, put to each file in arena/tuning/methods."""

from __future__ import annotations

import random
import warnings
from dataclasses import dataclass
from importlib.util import find_spec
from typing import cast

import pytest

from arena import ConfigError
from arena.plugins.load import factory, module, names
from arena.plugins.parameters import parameters
from arena.stats.elo import elo, expected_score
from arena.tuning.method import Advice, Answer, Plan, Trial, Tuner
from arena.tuning.space import Axis, Space

NUMBERS = Space(
    (
        Axis("free", 0.4, 0.0, 2.0),
        Axis("wide", 100.0, 1.0, 10_000.0, log=True),
        Axis("whole", 3, 0.0, 9.0, is_whole=True, step=1.0),
        Axis("even", 4, 2.0, 13.0, is_whole=True, step=2.0),
    )
)
CHOICES = Space((*NUMBERS.axes, Axis("style", "calm", choices=("calm", "wild", "odd"))))
PLAN = Plan(budget=240, games=8, lag=3, seed=5)
TRIALS = 30


@dataclass(frozen=True)
class Method:
    """A method with its defaults."""

    name: str
    compares: bool

    def tuner(self, space: Space = NUMBERS, plan: Plan = PLAN) -> Tuner:
        values = {each.name: each.default for each in parameters(factory("method", self.name))}
        return cast(Tuner, factory("method", self.name)(space, plan, **values))


INSTALLED = [name for name in names("method") if name != "gp" or find_spec("torch")]


METHODS = [
    Method(name, bool(getattr(module("method", name), "COMPARES", False))) for name in INSTALLED
]


@pytest.fixture(params=METHODS, ids=lambda method: method.name)
def method(request: pytest.FixtureRequest) -> Method:
    return cast(Method, request.param)


def those(methods: list[Method]) -> pytest.MarkDecorator:
    """These methods alone."""
    return pytest.mark.parametrize("method", methods, ids=lambda method: method.name)


CHOOSING = [each for each in METHODS if not each.compares and each.name != "cmaes"]
"""Methods that search among choices, too."""


def strength(space: Space, values: dict[str, float]) -> float:
    """Elo of a point: best where every parameter is at 0.7 of its range."""
    units = [axis.unit(values[axis.name]) for axis in space.axes if not axis.choices]
    return -300 * sum((unit - 0.7) ** 2 for unit in units)


def answer(space: Space, trial: Trial) -> Answer:
    """A result that depends on the trial and nothing else, luck included."""
    if len(trial.points) == 2 and trial.points[0] == trial.points[1]:
        return Answer(0.0, 0.5, 0)
    marks = [strength(space, cast(dict[str, float], point)) for point in trial.points]
    lead = marks[0] - (marks[1] if len(marks) == 2 else 0)
    wins = random.Random(str(trial)).choices([0, 1], [1, 10 ** (lead / 400)], k=8)
    score = (sum(wins) + 0.25) / 8.5
    found = elo(score)
    return Answer(found, expected_score(found), 4)


@dataclass
class Study:
    """What came of it."""

    trials: list[Trial]
    estimates: list[float]
    advice: list[Advice]


def play(tuner: Tuner, space: Space, lag: int = 3) -> Study:
    """A whole study in which so many trials are under way at once."""
    running: list[Trial] = []
    study = Study([], [], [])
    for _ in range(TRIALS):
        if len(running) == lag:
            trial = running.pop(0)
            study.estimates.append(tuner.tell(trial, answer(space, trial)))

        running.append(tuner.ask())
        study.trials.append(running[-1])
    study.estimates += [tuner.tell(trial, answer(space, trial)) for trial in running]
    study.advice = list(tuner.recommend())
    return study


def test_asked_and_told_the_same_it_says_the_same(method: Method) -> None:
    one, other = (play(method.tuner(), NUMBERS) for _ in range(2))
    assert one == other


def test_it_asks_in_turn(method: Method) -> None:
    trials = play(method.tuner(), NUMBERS).trials
    assert [trial.number for trial in trials] == list(range(TRIALS))
    assert {len(trial.points) for trial in trials} == {2 if method.compares else 1}


def test_it_asks_nothing_twice(method: Method) -> None:
    trials = play(method.tuner(), NUMBERS).trials
    assert len({str(trial.points) for trial in trials}) > TRIALS / 2


def test_another_seed_is_another_study(method: Method) -> None:
    one = play(method.tuner(), NUMBERS)
    other = play(method.tuner(plan=Plan(240, 8, 3, seed=6)), NUMBERS)
    assert one.trials[1:] != other.trials[1:]


def test_what_is_played_is_possible(method: Method) -> None:
    for trial in play(method.tuner(), NUMBERS).trials:
        for point in trial.points:
            assert list(point) == [axis.name for axis in NUMBERS.axes]
            for axis in NUMBERS.axes:
                assert axis.has(float(point[axis.name])), (axis, point)
                assert isinstance(point[axis.name], int) == axis.is_whole
        for axis in NUMBERS.axes:
            assert axis.low <= trial.centre[axis.name] <= axis.high


def test_it_recommends_what_is_possible(method: Method) -> None:
    advice = play(method.tuner(), NUMBERS).advice
    assert [each.name for each in advice] == [axis.name for axis in NUMBERS.axes]
    assert sum(each.importance for each in advice) == pytest.approx(1)
    assert len({each.importance for each in advice}) > 1, "some matter more than others"
    for each, axis in zip(advice, NUMBERS.axes, strict=True):
        assert axis.has(float(each.value))
        assert isinstance(each.value, int) == axis.is_whole
        interval, spread = (each.low, each.high), (each.spread_low, each.spread_high)
        low, high = spread if None in interval else interval
        assert (spread, interval)[None in interval] == (None, None), "one of both"
        assert low is not None
        assert high is not None
        assert axis.low <= low <= high <= axis.high
        assert (each.flat_low is None) == (each.flat_high is None)
        if each.flat_low is not None and each.flat_high is not None:
            assert axis.low <= each.flat_low <= each.flat_high <= axis.high


def test_it_starts_from_the_default(method: Method) -> None:
    first = method.tuner().ask()
    if method.compares:
        assert first.centre == pytest.approx(NUMBERS.default)
    else:
        assert first.points == (NUMBERS.default,)


def test_it_says_nothing_and_warns_of_nothing(
    method: Method, capfd: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play(method.tuner(), NUMBERS)
        if method in CHOOSING:
            play(method.tuner(CHOICES), CHOICES)
    assert capfd.readouterr() == ("", "")


@those(CHOOSING)
def test_choices_are_searched(method: Method) -> None:
    study = play(method.tuner(CHOICES), CHOICES)
    assert {trial.points[0]["style"] for trial in study.trials} == {"calm", "wild", "odd"}
    assert study.advice[-1].value in ("calm", "wild", "odd")
    assert study.advice[-1].low is None


@those([each for each in METHODS if each not in CHOOSING])
def test_choices_are_refused_by_name(method: Method) -> None:
    with pytest.raises(ConfigError, match=f"{method.name} .* style"):
        method.tuner(CHOICES)


def test_a_study_of_one_trial_has_a_recommendation(method: Method) -> None:
    tuner = method.tuner(plan=Plan(8, 8, 1, seed=0))
    trial = tuner.ask()
    tuner.tell(trial, answer(NUMBERS, trial))
    assert [
        axis.has(float(a.value)) for axis, a in zip(NUMBERS.axes, tuner.recommend(), strict=True)
    ]


@those([each for each in METHODS if each.name != "cmaes"])
def test_one_parameter_is_enough(method: Method) -> None:
    space = Space(NUMBERS.axes[:1])
    assert len(play(method.tuner(space), space).advice) == 1


def test_cmaes_needs_two_parameters() -> None:
    with pytest.raises(ConfigError, match="two"):
        Method("cmaes", False).tuner(Space(NUMBERS.axes[:1]))


@those([each for each in METHODS if each.compares])
def test_points_that_are_the_same_are_no_news(method: Method) -> None:
    tuner = method.tuner()
    for _ in range(5):
        tuner.tell(tuner.ask(), Answer(0.0, 0.5, 0))
    default = NUMBERS.units(NUMBERS.default)
    told = {each.name: each.value for each in tuner.recommend()}
    assert NUMBERS.units(told) == pytest.approx(default, abs=0.2)


def test_gp_says_how_to_install_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.tuning.methods.gp.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install torch$"):
        Method("gp", False).tuner()
