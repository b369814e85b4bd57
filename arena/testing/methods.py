"""Checks of a tuning method: `check_method`."""

from __future__ import annotations

import io
import os
import random
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from math import isclose
from typing import cast

from arena.errors import ConfigError
from arena.stats.elo import elo, expected_score
from arena.testing.running import Written, name_of, named_checks, names_of, run_checks, written
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


@dataclass(frozen=True, slots=True)
class PlayedStudy:
    """The trials of a study, the estimates that followed, and the advice at its end."""

    trials: list[Trial]
    estimates: list[float]
    advice: list[Advice]


@dataclass(frozen=True)
class MethodUnderTest:
    """A method, and a study by it."""

    written: Written

    @property
    def compares(self) -> bool:
        """True if its trials compare two points."""
        return bool(getattr(self.written.module, "COMPARES", False))

    @cached_property
    def study(self) -> PlayedStudy:
        """A study of four numbers."""
        return play(self.tuner(), NUMBERS)

    def tuner(self, space: Space = NUMBERS, plan: Plan = PLAN) -> Tuner:
        """A new tuner. Raises ConfigError if the method refuses the space."""
        return cast(Tuner, self.written.factory(space, plan, **self.written.values))

    def accepts(self, space: Space) -> bool:
        """True if the method does not refuse the space by a ConfigError."""
        try:
            self.tuner(space)
        except ConfigError:
            return False
        return True


def check_method(method: object, *, checks: Iterable[str] | None = None) -> None:
    """Put a method through the checks of `arena/tuning/method.py`, by default `METHOD_CHECKS`.

    It is the name of a method, with parameters if any, the path of a file, or a module. Raises
    ContractError, which names every check that fails.
    """
    run_checks(name_of(method), lambda: method_under_test(method), CHECKS, checks)


def method_under_test(wanted: object) -> MethodUnderTest:
    """The method, which has made a tuner. Raises ConfigError if the source is not a method."""
    found = MethodUnderTest(written("method", wanted))
    found.tuner()
    return found


def strength(space: Space, values: dict[str, float]) -> float:
    """Elo of a point: best where every parameter is at 0.7 of its range."""
    units = [axis.unit(values[axis.name]) for axis in space.axes if not axis.choices]
    return -300 * sum((unit - 0.7) ** 2 for unit in units)


def answer(space: Space, trial: Trial) -> TrialResult:
    """A result that depends on the trial and nothing else, luck included."""
    if len(trial.points) == 2 and trial.points[0] == trial.points[1]:
        return TrialResult(0.0, 0.5, 0)
    marks = [strength(space, cast(dict[str, float], point)) for point in trial.points]
    lead = marks[0] - (marks[1] if len(marks) == 2 else 0)
    wins = random.Random(str(trial)).choices([0, 1], [1, 10 ** (lead / 400)], k=8)
    score = (sum(wins) + 0.25) / 8.5
    found = elo(score)
    return TrialResult(found, expected_score(found), 4)


def play(tuner: Tuner, space: Space, lag: int = 3) -> PlayedStudy:
    """A whole study in which this many trials are under way at once."""
    running: list[Trial] = []
    study = PlayedStudy([], [], [])
    for _ in range(TRIALS):
        if len(running) == lag:
            trial = running.pop(0)
            study.estimates.append(tuner.tell(trial, answer(space, trial)))
        running.append(tuner.ask())
        study.trials.append(running[-1])
    study.estimates.extend(tuner.tell(trial, answer(space, trial)) for trial in running)
    study.advice.extend(tuner.recommend())
    return study


def repeats_its_study(tested: MethodUnderTest) -> Iterator[str]:
    """Told equal answers, a new tuner asks equal questions."""
    if play(tested.tuner(), NUMBERS) != tested.study:
        yield "told equal answers, it asks, estimates or recommends otherwise"


def asks_in_turn(tested: MethodUnderTest) -> Iterator[str]:
    """Trials are numbered from 0, and have one point, or two if COMPARES is true."""
    trials = tested.study.trials
    if (numbers := [trial.number for trial in trials]) != list(range(TRIALS)):
        yield f"its trials are numbered {numbers[:5]}..., not 0, 1, 2"
    wanted = 2 if tested.compares else 1
    if (counts := {len(trial.points) for trial in trials}) != {wanted}:
        yield f"its trials have {sorted(counts)} points, not {wanted}: see COMPARES"


def asks_nothing_twice(tested: MethodUnderTest) -> Iterator[str]:
    """More than half of the points are new."""
    count = len({str(trial.points) for trial in tested.study.trials})
    if count <= TRIALS / 2:
        yield f"it asked for {count} points in {TRIALS} trials"


def follows_its_seed(tested: MethodUnderTest) -> Iterator[str]:
    """Another seed is another study."""
    other = play(tested.tuner(plan=Plan(240, 8, 3, seed=6)), NUMBERS)
    if tested.study.trials[1:] == other.trials[1:]:
        yield "another seed makes no other study"


def asks_for_possible_points(tested: MethodUnderTest) -> Iterator[str]:
    """Points have every parameter, within its range, on its steps, of its type."""
    for trial in tested.study.trials:
        for point in trial.points:
            if list(point) != [axis.name for axis in NUMBERS.axes]:
                yield f"trial {trial.number} has the parameters {list(point)}"
            for axis in NUMBERS.axes:
                yield from misfits(axis, point[axis.name], f"trial {trial.number}")
        for axis in NUMBERS.axes:
            if not axis.low <= trial.centre[axis.name] <= axis.high:
                yield f"the centre of trial {trial.number} is outside of {axis.name}"


def misfits(axis: Axis, value: object, place: str) -> Iterator[str]:
    """The fault of a number that is no value of a parameter."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not axis.has(float(cast(float, value))):
        yield f"{place} has {axis.name} = {value!r}, which is impossible"
    elif isinstance(value, int) != axis.is_whole:
        yield f"{place} has {axis.name} = {value!r}, which is of the wrong type"


def recommends_possible_values(tested: MethodUnderTest) -> Iterator[str]:
    """The advice has every parameter in order, a possible value, and ends in their order."""
    advice = tested.study.advice
    if [each.name for each in advice] != [axis.name for axis in NUMBERS.axes]:
        yield f"its advice is on {[each.name for each in advice]}"
        return
    for each, axis in zip(advice, NUMBERS.axes, strict=True):
        yield from misfits(axis, each.value, "its advice")
        interval, spread = (each.low, each.high), (each.spread_low, each.spread_high)
        ends, other = (spread, interval) if None in interval else (interval, spread)
        if None in ends or other != (None, None):
            yield f"its advice on {axis.name} needs low and high, or spread_low and spread_high"
        elif not is_within(axis, *ends):
            yield f"the interval {ends} of {axis.name} is outside its range, or turned round"
        flat = each.flat_low, each.flat_high
        if flat != (None, None) and (None in flat or not is_within(axis, *flat)):
            yield f"the flat range {flat} of {axis.name} is outside its range, or turned round"


def is_within(axis: Axis, low: float | None, high: float | None) -> bool:
    """True if two numbers lie in their order within the range of a parameter."""
    return low is not None and high is not None and axis.low <= low <= high <= axis.high


def shares_importance(tested: MethodUnderTest) -> Iterator[str]:
    """The importances are shares of 1, and some parameters matter more than others."""
    shares = [each.importance for each in tested.study.advice]
    if not isclose(sum(shares), 1, rel_tol=1e-6):
        yield f"the importances add up to {sum(shares):.6g}, not 1"
    if len(set(shares)) < 2:
        yield "all parameters are equally important"


def starts_from_the_default(tested: MethodUnderTest) -> Iterator[str]:
    """The first trial is of the default values, or around them."""
    first, default = tested.tuner().ask(), NUMBERS.default
    if tested.compares:
        is_there = all(
            isclose(first.centre[k], cast(float, v), rel_tol=1e-6) for k, v in default.items()
        )
    else:
        is_there = first.points == (default,)
    if not is_there:
        yield f"its first trial is {first.points}, not {default}"


def says_nothing(tested: MethodUnderTest) -> Iterator[str]:
    """It prints nothing and warns of nothing."""
    said: list[str] = []
    with warnings.catch_warnings(), caught(said):
        warnings.simplefilter("error")
        play(tested.tuner(), NUMBERS)
        if tested.accepts(CHOICES):
            play(tested.tuner(CHOICES), CHOICES)
    if text := "".join(said):
        yield f"it printed {text[:200]!r}"


@contextmanager
def caught(said: list[str]) -> Iterator[None]:
    """All that is printed meanwhile, through Python or past it."""
    text, kept = io.StringIO(), [os.dup(1), os.dup(2)]
    with tempfile.TemporaryFile("w+b") as file:
        try:
            with redirect_stdout(text), redirect_stderr(text):
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
                yield
        finally:
            for number, old in enumerate(kept, 1):
                os.dup2(old, number)
                os.close(old)
        file.seek(0)
        said += [text.getvalue(), file.read().decode(errors="replace")]


def searches_choices_or_refuses_them(tested: MethodUnderTest) -> Iterator[str]:
    """It tries all values of a choice, or refuses the parameter by a ConfigError that names it."""
    try:
        tuner = tested.tuner(CHOICES)
    except ConfigError as error:
        if "style" not in str(error):
            yield f"it refuses choices without the parameter's name: {error}"
        return
    study = play(tuner, CHOICES)
    tried = {trial.points[0]["style"] for trial in study.trials}
    if tried != set(STYLES):
        yield f"of the choices {STYLES} it tried {sorted(map(str, tried))}"
    if study.advice[-1].value not in STYLES or study.advice[-1].low is not None:
        yield f"its advice on a choice is {study.advice[-1]}"


def advises_after_one_trial(tested: MethodUnderTest) -> Iterator[str]:
    """A study of one trial has a recommendation."""
    tuner = tested.tuner(plan=Plan(8, 8, 1, seed=0))
    trial = tuner.ask()
    tuner.tell(trial, answer(NUMBERS, trial))
    for axis, each in zip(NUMBERS.axes, tuner.recommend(), strict=True):
        yield from misfits(axis, each.value, "after one trial, its advice")


def tunes_one_parameter_or_refuses(tested: MethodUnderTest) -> Iterator[str]:
    """One parameter is enough, unless it says by a ConfigError that it is not."""
    space = Space(NUMBERS.axes[:1])
    if tested.accepts(space) and len(play(tested.tuner(space), space).advice) != 1:
        yield "its advice on one parameter is not one"


def learns_nothing_from_equal_points(tested: MethodUnderTest) -> Iterator[str]:
    """If it compares points, answers about equal ones move it hardly from the default."""
    if not tested.compares:
        return
    tuner = tested.tuner()
    for _ in range(5):
        tuner.tell(tuner.ask(), TrialResult(0.0, 0.5, 0))
    default = NUMBERS.units(NUMBERS.default)
    advised = NUMBERS.units({each.name: each.value for each in tuner.recommend()})
    if max(abs(a - b) for a, b in zip(advised, default, strict=True)) > 0.2:
        yield "after trials of equal points, it recommends others than the default"


CHECKS = named_checks(
    asks_in_turn,
    repeats_its_study,
    asks_nothing_twice,
    follows_its_seed,
    asks_for_possible_points,
    recommends_possible_values,
    shares_importance,
    starts_from_the_default,
    says_nothing,
    searches_choices_or_refuses_them,
    advises_after_one_trial,
    tunes_one_parameter_or_refuses,
    learns_nothing_from_equal_points,
)
METHOD_CHECKS = names_of(CHECKS)
"""The names of the checks of a method, in the order in which they run."""
