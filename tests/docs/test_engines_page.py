"""The pages about engines: their tables are complete, and their code runs as it stands."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest
from support.samples import ROOT

import arena
from arena import Choice, Limit
from arena.game import REASONS
from arena.match.play import place_opening
from arena.plugins.catalogue import document_of
from arena.plugins.load import Kind, names

ENGINES, WRITING = (
    (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    for page in ("engines", "writing_engines")
)


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
