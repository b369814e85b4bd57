"""The contract of an engine, put to each file in engines/, and what only ours must keep."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from arena import load_engine, load_game
from arena.errors import ConfigError
from arena.plugins import load
from arena.plugins.build import known_rules, rules_of_game
from arena.plugins.catalogue import document_of
from arena.plugins.load import Named, factory, names, playable_games
from arena.plugins.parameters import parameters
from arena.testing import check_engine

BRAIN = [sys.executable, str(Path(__file__).parents[1] / "data" / "brain_first.py")]
NEEDS: dict[str, dict[str, object]] = {"gomocup": {"command": BRAIN}}
"""Parameters without which an engine plays nothing."""


@pytest.mark.parametrize("name", names("engine"))
def test_it_passes_the_checks_that_users_run_on_theirs(name: str) -> None:
    check_engine(Named(name, NEEDS.get(name, {})))


def test_it_plays_a_game_that_there_is() -> None:
    for name in names("engine"):
        assert {*names("game"), "*"} & set(playable_games(name)), name


def test_the_rules_that_it_says_it_knows_are_those_of_its_games() -> None:
    for name in names("engine"):
        for game in playable_games(name):
            assert game not in ("*", "gomoku") or known_rules(name, "gomoku"), name


UNKNOWN = [
    (engine, rule)
    for engine in names("engine")
    for rule in rules_of_game("gomoku")
    if {"gomoku", "*"} & set(playable_games(engine)) and rule not in known_rules(engine, "gomoku")
]


@pytest.mark.parametrize(("name", "rule"), UNKNOWN, ids="-".join)
def test_it_refuses_gomoku_by_a_rule_that_it_does_not_know(name: str, rule: str) -> None:
    game, wanted = load_game(f"gomoku:size=7,rule={rule}"), Named(name, NEEDS.get(name, {}))
    with pytest.raises(ConfigError, match=f"{name} cannot play gomoku by the rule {rule}"):
        load_engine(wanted, game)


def test_it_says_which_source_document_it_is_from() -> None:
    for name in names("engine"):
        assert re.match(r"source documents? 00\d|none of ", document_of("engine", name)), name


def test_every_parameter_has_bounds_and_a_phrase() -> None:
    for name in names("engine"):
        for parameter in parameters(factory("engine", name)):
            assert parameter.about, f"{name}: {parameter.name}"
            is_bounded = bool(parameter.range or parameter.choices or name in NEEDS)
            assert is_bounded or parameter.type in (str, bool), f"{name}: {parameter.name}"


def test_a_level_for_people_is_one_of_its_levels_and_none_is_the_default() -> None:
    for name in names("engine"):
        if (level := getattr(load.module("engine", name), "LEVEL", None)) is not None:
            (found,) = (p for p in parameters(factory("engine", name)) if p.name == "level")
            assert found.range
            assert found.range.low == found.default == 0 < level <= found.range.high
