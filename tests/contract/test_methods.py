"""The contract of a tuning method, put to each file in arena/tuning/methods."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import cast

import pytest

from arena import ConfigError
from arena.plugins.load import factory, names
from arena.plugins.parameters import parameters
from arena.testing import check_method
from arena.testing.methods import CHOICES, NUMBERS, PLAN, answer
from arena.tuning.method import Tuner
from arena.tuning.space import Space

INSTALLED = [name for name in names("method") if name != "gp" or find_spec("torch")]
SEARCHES_CHOICES = {"gp", "qmc", "random", "tpe"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in {"ascent", "cmaes", "tpe"} else ())
        for name in INSTALLED
    ],
)
def test_it_passes_the_checks_that_users_run_on_theirs(name: str) -> None:
    check_method(name)


def make(name: str, space: Space) -> object:
    """A tuner by a method with its defaults."""
    values = {each.name: each.default for each in parameters(factory("method", name))}
    return factory("method", name)(space, PLAN, **values)


@pytest.mark.parametrize("name", INSTALLED)
def test_choices_are_refused_by_name_by_those_methods_alone_that_cannot_search_them(
    name: str,
) -> None:
    if name in SEARCHES_CHOICES:
        assert make(name, CHOICES)
    else:
        with pytest.raises(ConfigError, match=f"{name} .* style"):
            make(name, CHOICES)


@pytest.mark.parametrize("name", INSTALLED)
def test_one_parameter_is_enough_for_all_but_cmaes(name: str) -> None:
    space = Space(NUMBERS.axes[:1])
    if name == "cmaes":
        with pytest.raises(ConfigError, match="two"):
            make(name, space)
    else:
        assert make(name, space)


@pytest.mark.parametrize("name", INSTALLED)
def test_it_goes_on_after_trials_that_it_did_not_ask_for_itself(name: str) -> None:
    asking = cast(Tuner, make(name, NUMBERS))
    asked, repeated = [asking.ask() for _ in range(3)], cast(Tuner, make(name, NUMBERS))
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


@pytest.mark.parametrize("name", INSTALLED)
def test_it_takes_any_trial_of_the_space(name: str) -> None:
    asking, repeated = cast(Tuner, make(name, NUMBERS)), cast(Tuner, make(name, NUMBERS))
    other = cast(Tuner, factory("method", name)(NUMBERS, replace(PLAN, seed=PLAN.seed + 1)))
    for number in range(12):
        wanted, trial = asking.ask(), other.ask()
        other.tell(trial, answer(NUMBERS, trial))
        trial = replace(wanted, points=trial.points, centre=trial.centre)
        asking.tell(trial, answer(NUMBERS, trial))
        repeated.repeat(trial)
        repeated.tell(trial, answer(NUMBERS, trial))
        assert trial.number == number
    assert [each.name for each in repeated.recommend()] == list(NUMBERS.default)
    assert repeated.ask().number == 12


def test_gp_says_how_to_install_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.tuning.methods.gp.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install torch$"):
        make("gp", NUMBERS)
