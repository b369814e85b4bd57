"""The pages about engines: their tables are complete, and their code runs as it stands."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import pytest
from support.samples import ROOT

import arena
from arena import Choice, Limit
from arena.books.book_config import read_book
from arena.config.settings import Player
from arena.config.tournament import read_config
from arena.engines.kit.pattern_tables import SEARCH
from arena.engines.kit.selective.parameters import constants
from arena.game import REASONS
from arena.match.play import place_opening
from arena.plugins.catalogue import document_of
from arena.plugins.load import Kind, names
from arena.tuning.settings.reader import read_tuning

RULES = ("_standard", "_renju")
ENGINES, WRITING, STRENGTH = (
    (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    for page in ("engines", "writing_engines", "strength")
)
FITTED = ("fitted", "balance-fitted", "selective")
"""The beginnings of names of players by the selective `balance` that have its fitted weights."""


@pytest.mark.parametrize("kind", ["engine", "game"])
def test_each_engine_and_game_has_a_row(kind: Kind) -> None:
    assert set(names(kind)) <= set(re.findall(r"^\| `(\w+)` \|", ENGINES, re.MULTILINE))


def test_each_reason_why_a_game_ends_has_a_row() -> None:
    rows = re.findall(r"^\| (`.*?) \|", WRITING, re.MULTILINE)
    assert set(REASONS) <= {name for row in rows for name in re.findall(r"`([^`]*)`", row)}


@pytest.mark.parametrize("kind", ["engine", "game"])
def test_its_source_documents_are_those_that_engines_and_games_name(kind: Kind) -> None:
    rows = dict(re.findall(r"^\| (00\d) \| .* \| (.*) \|$", ENGINES, re.MULTILINE))
    assert sorted(rows) == ["000", "001", "002", "003", "004"]
    for name in names(kind):
        for number in re.findall(r"\b00\d\b", document_of(kind, name)):
            assert kind == "game" or f"`{name}`" in rows[number]


@pytest.mark.parametrize("value", [Choice, Limit])
def test_every_field_of_what_is_given_and_answered_is_named(value: type) -> None:
    for field in dataclasses.fields(value):
        assert f"`{field.name}`" in WRITING


@pytest.mark.slow
def test_the_forcing_search_is_called_as_shown() -> None:
    game = arena.load_game("gomoku")
    p = place_opening(game, "7,7 0,0 7,8 0,2 7,9 0,4")
    found: dict[str, object] = {"game": game, "p": p}
    exec(code_with("ForcingSearch"), found)
    assert found["line"]


def test_the_evaluation_shown_is_one() -> None:
    game = arena.load_game("gomoku")
    found: dict[str, Any] = {}
    exec(code_with("def evaluate"), found)
    value = found["evaluate"](game, pair=10, depth=3)
    assert value(place_opening(game, "7,7 0,0 7,8 0,2 7,9 0,4")) == 10


def code_with(word: str) -> str:
    """The one example on the page on writing engines that has this in it."""
    (code,) = (t for t in re.findall(r"```python\n(.*?)```", WRITING, re.DOTALL) if word in t)
    return str(code)


def test_the_ladder_takes_one_part_away_at_a_time() -> None:
    every, *others = read_config(ROOT / "configs/ladder.yaml").players
    for other in others:
        assert len(every.engine.parameters.items() ^ other.engine.parameters.items()) == 2


def test_the_ladder_of_the_search_of_patterns_takes_constants_back_to_their_usual_values() -> None:
    whole, *others = read_config(ROOT / "configs/patterns_ladder_search.yaml").players
    usual = constants()
    for other in others:
        changes = other.engine.parameters.items() - whole.engine.parameters.items()
        assert dict(changes) == {name: usual[name] for name, _ in changes}
    assert {name for name, _ in changes} == {*SEARCH}, "of the last player, all constants are usual"


def test_the_page_has_the_constants_of_patterns_and_the_usual_ones() -> None:
    usual = constants()
    (table,) = re.findall(r"\| constant \| usually \|.*?\n\n", ENGINES, re.DOTALL)
    told = {}
    for names_told, usually in re.findall(r"^\| (`.*?) \| ([\d, ]+) \|", table, re.MULTILINE):
        found = re.findall(r"`(\w+): (\d+)`", names_told)
        values = [int(value) for value in usually.split(",")]
        values = values if len(values) == len(found) else values * len(found)
        for (name, value), other in zip(found, values, strict=True):
            told[name] = int(value), other
    assert told == {name: (value, usual[name]) for name, value in SEARCH.items()}


def test_the_ladder_of_patterns_has_the_constants_that_its_study_began_with() -> None:
    *_, before = read_config(ROOT / "configs/patterns_ladder.yaml").players
    study = read_tuning(ROOT / "configs/tune_patterns.yaml")
    (start,) = (each for each in study.players if each.name == "default")
    assert before.engine == start.engine
    assert {axis.name for axis in study.space.axes} == {
        name for name, value in SEARCH.items() if before.engine.parameters[name] != value
    }


@pytest.mark.slow
def test_the_fitted_balance_is_the_same_in_each_config_that_has_it(undrawn: None) -> None:
    fitted = read_config(ROOT / "configs/ladder.yaml").players[0].engine
    assert (fitted.name, fitted.parameters["search"]) == ("balance", "selective")
    for file in sorted((ROOT / "configs").glob("book_*.yaml")):
        assert read_book(file).player.engine == fitted
    found = {(file, player.name): player.engine for file, player in fitted_balances()}
    assert {file for file, _ in found} >= {"pairings_book", "patterns", "selective_balance"}
    assert found == dict.fromkeys(found, fitted)


def fitted_balances() -> Iterator[tuple[str, Player]]:
    """The tournaments' players by the selective `balance` that are named as having its weights."""
    for file in sorted((ROOT / "configs").glob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        is_named = any(f"name: {name}" in text for name in FITTED)
        if is_named and "search: selective" in text and "\nengines:" in text:
            for player in read_config(file).players:
                kind = player.engine.name, player.engine.parameters.get("search")
                if kind == ("balance", "selective") and player.name.startswith(FITTED):
                    yield file.stem, player


@pytest.mark.parametrize("config", ["strength", "ladder"])
def test_each_player_of_the_rating_list_and_the_ladder_has_a_row(config: str) -> None:
    rows = re.findall(r"^\| `([\w -]+)` \|", STRENGTH, re.MULTILINE)
    assert {player.name for player in read_config(ROOT / f"configs/{config}.yaml").players} <= {
        *rows,
        "all",
    }
