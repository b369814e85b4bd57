"""The contract of a tuning method, put to each file in arena/tuning/methods."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from arena import ConfigError
from arena.plugins.load import factory, names
from arena.plugins.parameters import parameters
from arena.testing import check_method
from arena.testing.methods import CHOICES, NUMBERS, PLAN
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


def test_gp_says_how_to_install_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.tuning.methods.gp.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install torch$"):
        make("gp", NUMBERS)
