"""The configs behind the figures of `research/`: ladders change one thing, weights are the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.samples import ROOT

from arena.books import read_book
from arena.config.reader import read_config
from arena.config.settings import Player
from arena.engines.kit.pattern_tables import SEARCH
from arena.engines.kit.selective.parameters import constants
from arena.tuning.settings.reader import read_tuning

FITTED = ("fitted", "balance-fitted", "selective")
"""The beginnings of names of players by the selective `balance` that have its fitted weights."""


def test_the_ladder_takes_one_part_away_at_a_time() -> None:
    every, *others = read_config(ROOT / "research/configs/ladder.yaml").players
    for other in others:
        assert len(every.engine.parameters.items() ^ other.engine.parameters.items()) == 2


def test_the_ladder_of_the_search_of_patterns_takes_constants_back_to_their_usual_values() -> None:
    whole, *others = read_config(ROOT / "research/configs/patterns_ladder_search.yaml").players
    usual = constants()
    for other in others:
        changes = other.engine.parameters.items() - whole.engine.parameters.items()
        assert dict(changes) == {name: usual[name] for name, _ in changes}
    assert {name for name, _ in changes} == {*SEARCH}, "of the last player, all constants are usual"


def test_the_ladder_of_patterns_has_the_constants_that_its_study_began_with() -> None:
    *_, before = read_config(ROOT / "research/configs/patterns_ladder.yaml").players
    study = read_tuning(ROOT / "configs/tune_patterns.yaml")
    (start,) = (each for each in study.players if each.name == "default")
    assert before.engine == start.engine
    assert {axis.name for axis in study.space.axes} == {
        name for name, value in SEARCH.items() if before.engine.parameters[name] != value
    }


@pytest.mark.slow
def test_the_fitted_balance_is_the_same_in_each_config_that_has_it(undrawn: None) -> None:
    fitted = read_config(ROOT / "research/configs/ladder.yaml").players[0].engine
    assert (fitted.name, fitted.parameters["search"]) == ("balance", "selective")
    for file in sorted((ROOT / "configs").glob("book_*.yaml")):
        assert read_book(file).player.engine == fitted
    found = {(file, player.name): player.engine for file, player in fitted_balances()}
    assert {file for file, _ in found} >= {"pairings_book", "patterns", "selective_balance"}
    assert found == dict.fromkeys(found, fitted)


def fitted_balances() -> Iterator[tuple[str, Player]]:
    """The tournaments' players by the selective `balance` that are named as having its weights."""
    for file in sorted(ROOT.glob("research/configs/*.yaml")):
        text = file.read_text(encoding="utf-8")
        is_named = any(f"name: {name}" in text for name in FITTED)
        if is_named and "search: selective" in text and "\nengines:" in text:
            for player in read_config(file).players:
                kind = player.engine.name, player.engine.parameters.get("search")
                if kind == ("balance", "selective") and player.name.startswith(FITTED):
                    yield file.stem, player


def test_the_page_has_the_constants_of_patterns_and_the_usual_ones() -> None:
    page = (ROOT / "research/strength.md").read_text(encoding="utf-8")
    usual = constants()
    (table,) = re.findall(r"\| constant \| usually \|.*?\n\n", page, re.DOTALL)
    told = {}
    for names_told, usually in re.findall(r"^\| (`.*?) \| ([\d, ]+) \|", table, re.MULTILINE):
        found = re.findall(r"`(\w+): (\d+)`", names_told)
        values = [int(value) for value in usually.split(",")]
        values = values if len(values) == len(found) else values * len(found)
        for (name, value), other in zip(found, values, strict=True):
            told[name] = int(value), other
    assert told == {name: (value, usual[name]) for name, value in SEARCH.items()}
