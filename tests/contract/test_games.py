"""The contract of a game, put to each file in arena/games, and what only ours must keep."""

from __future__ import annotations

import re

import pytest

from arena import load_game
from arena.game import Symmetric
from arena.plugins.catalogue import document_of, partners
from arena.plugins.load import factory, names
from arena.plugins.parameters import parameters
from arena.testing import check_game

each_game = pytest.mark.parametrize("name", names("game"))


@each_game
def test_it_passes_the_checks_that_users_run_on_theirs(name: str) -> None:
    check_game(name)


@each_game
def test_it_carries_the_name_that_users_type_and_says_its_symmetries(name: str) -> None:
    game = load_game(name)
    assert game.name == name
    assert isinstance(game, Symmetric), "a game of ours says so, even if there is only one"


@each_game
def test_it_is_described_and_played(name: str) -> None:
    assert re.match(r"source documents? 00\d", document_of("game", name))
    assert partners("game", name)
    for parameter in parameters(factory("game", name)):
        assert parameter.about, parameter.name
        if parameter.range:
            assert parameter.range.low <= parameter.default <= parameter.range.high
        else:
            assert parameter.default in parameter.choices
