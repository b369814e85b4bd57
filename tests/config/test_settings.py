"""A config as data: what is kept in a run's folder says all, and says it again."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import ROUND, Write

from arena.config.reader import read_config
from arena.config.settings import changes, from_data, to_data
from arena.config.yaml_file import Document, dump

FULL = """
    name: full
    game: {gomoku: {size: 9, rule: standard}}
    openings: {list: ["4,4", "3,3 4,4"]}
    limit: {nodes: 500, seconds: 0.5}
    seed: 3
    rounds: 2
    max_plies: 40
    engines:
      - {name: one, engine: five_tuple, depth: 3, limit: {depth: 2}}
      - {engine: random_mover}
"""


@pytest.mark.parametrize("text", [ROUND, FULL])
def test_data_and_config_are_mirrors(write: Write, text: str) -> None:
    config = read_config(write(text))
    data = to_data(config)
    again = from_data(data)
    assert to_data(again) == data
    assert list(again.starts()) == list(config.starts())
    assert not list(changes(data, to_data(again), config.names))


@pytest.mark.parametrize("text", [ROUND, FULL])
def test_the_kept_config_is_a_config_that_runs(write: Write, tmp_path: Path, text: str) -> None:
    data = to_data(read_config(write(text)))
    kept = tmp_path / "config.yaml"
    kept.write_text(dump(data))
    assert Document(kept).data == data
    assert to_data(read_config(kept)) == data


def test_a_player_without_a_name_has_that_of_its_engine(write: Write) -> None:
    assert read_config(write(FULL)).names == ["one", "random_mover"]


def test_players_that_join_or_leave_and_more_rounds_change_no_game(write: Write) -> None:
    data = to_data(read_config(write(FULL)))
    fewer = {**data, "engines": data["engines"][:1], "rounds": 3, "openings": {"list": ["4,4"]}}
    assert not list(changes(data, fewer, ["one"]))
    assert not list(changes(fewer, data, ["one"]))


def test_other_openings_and_other_players_with_games_are_changes(write: Write) -> None:
    data = to_data(read_config(write(FULL)))
    one, other = data["engines"]
    after = {**data, "openings": {"list": ["4,4", "5,5"]}, "engines": [{**one, "depth": 4}, other]}
    assert len(list(changes(data, after, ["one"]))) == 2
    assert len(list(changes(data, after, ["random_mover"]))) == 1
