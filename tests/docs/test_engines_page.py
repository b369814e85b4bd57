"""The page about engines: its tables are complete, and its code runs as it stands."""

from __future__ import annotations

import dataclasses
import re

import pytest
from support.samples import ROOT

import arena
from arena import Choice, Limit
from arena.config.tournament import read_config
from arena.game import REASONS
from arena.match.play import place_opening
from arena.plugins.load import Kind, names

PAGE = (ROOT / "docs/engines.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["engine", "game"])
def test_it_has_a_row_for_each_engine_and_game(kind: Kind) -> None:
    assert set(names(kind)) <= set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))


def test_it_has_a_row_for_each_reason_why_a_game_ends() -> None:
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    assert set(REASONS) <= {name for row in rows for name in re.findall(r"`([^`]*)`", row)}


@pytest.mark.parametrize("value", [Choice, Limit])
def test_it_names_every_field_of_what_is_given_and_answered(value: type) -> None:
    for field in dataclasses.fields(value):
        assert f"`{field.name}`" in PAGE


def test_the_forcing_search_is_called_as_shown() -> None:
    (code,) = (text for text in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    game = arena.load_game("gomoku")
    p = place_opening(game, "7,7 0,0 7,8 0,2 7,9 0,4")
    found: dict[str, object] = {"game": game, "p": p}
    exec(code, found)
    assert found["line"]


def test_the_ladder_takes_one_part_away_at_a_time() -> None:
    every, *others = read_config(ROOT / "configs/ladder.yaml").players
    for other in others:
        assert len(every.engine.parameters.items() ^ other.engine.parameters.items()) == 2


@pytest.mark.parametrize("config", ["strength", "ladder"])
def test_it_has_a_row_for_each_player_of_the_rating_list_and_the_ladder(config: str) -> None:
    rows = re.findall(r"^\| `([\w -]+)` \|", PAGE, re.MULTILINE)
    assert {player.name for player in read_config(ROOT / f"configs/{config}.yaml").players} <= {
        *rows,
        "all",
    }
