"""A config as data: what a run's folder keeps says all, and each change is told at its leaf."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from support.samples import ROUND, Write

from arena import ConfigError, Limit
from arena.config.reader import read_config
from arena.config.settings import (
    changes,
    from_data,
    limit_data,
    limit_from_data,
    to_data,
    value_changes,
)
from arena.config.yaml_file import Document
from arena.game import Outcome
from arena.match.record import Job, record
from arena.storage.database import Store
from arena.storage.folder import freeze
from arena.storage.history import without_digests

FULL = """
    name: full
    game: {gomoku: {size: 9, rule: standard}}
    openings: {list: ["4,4", "3,3 4,4"]}
    limit: {nodes: 500, seconds: 0.5}
    seed: 3
    rounds: 2
    max_plies: 40
    resign: {score: 2000}
    draw: {score: 20}
    engines:
      - {name: one, engine: five_tuple, depth: 3, limit: {depth: 2}}
      - {engine: random_mover}
"""


@pytest.mark.parametrize("text", [ROUND, FULL])
def test_data_and_the_kept_config_are_mirrors(write: Write, tmp_path: Path, text: str) -> None:
    config = read_config(write(text))
    data = to_data(config)
    again = from_data(data)
    assert to_data(again) == data
    assert list(again.openings) == list(config.openings)
    assert not list(changes(data, to_data(again), config.names))
    with closing(Store(tmp_path / "arena.db")) as store:
        freeze(tmp_path, data, changes, store)
    kept = tmp_path / "config.yaml"
    assert Document(kept).data == {"kind": "tournament", **data}
    assert to_data(read_config(kept)) == data


def test_players_that_join_or_leave_and_more_rounds_change_no_game(write: Write) -> None:
    data = to_data(read_config(write(FULL)))
    fewer = {**data, "engines": data["engines"][:1], "rounds": 3, "openings": {"list": ["4,4"]}}
    assert not list(changes(data, fewer, ["one"]))
    assert not list(changes(fewer, data, ["one"]))


OTHERWISE: dict[str, tuple[object, str]] = {
    "game": ({"gomoku": {"size": 9, "rule": "renju"}}, "game.gomoku.rule: standard -> renju"),
    "openings": (
        {"list": ["4,4", "5,5"]},
        "openings: a list of 2 -> a list of 2, 1 of them in both",
    ),
    "limit": ({"nodes": 501, "seconds": 0.5}, "limit.nodes: 500 -> 501"),
    "seed": (4, "seed: 3 -> 4"),
    "max_plies": (None, "max_plies: 40 -> None"),
    "margin": (0.06, "margin: 0.05 -> 0.06"),
    "resign": ({"score": 2000, "moves": 4}, "resign.moves: 3 -> 4"),
    "draw": (None, "draw: {'score': 20, 'moves': 10, 'after': 60} -> None"),
    "draw_at_empty": (25, "draw_at_empty: None -> 25"),
    "proof": ({"fours": 9, "nodes": 20}, "proof: None -> {'fours': 9, 'nodes': 20}"),
}  # settings that make a game another game: a value that is not in FULL, and how it is told
FREE: dict[str, object] = {"name": "another", "format": {"gauntlet": {"challenger": "one"}}}
FREE |= {"rounds": 1, "hang": 1.5, "memory": 64, "remarks": True, "keep_going": True}
# Settings that may differ from session to session: other games to play, or other guards


@pytest.fixture
def full(write: Write) -> dict[str, Any]:
    return to_data(read_config(write(FULL)))


@pytest.fixture
def store(tmp_path: Path, full: dict[str, Any]) -> Iterator[Store]:
    """A run of FULL, in which a game was played."""
    with closing(Store(tmp_path / "arena.db")) as store:
        freeze(tmp_path, to_data(from_data(full)), changes, store)
        store.append(record(Job("one", "random_mover"), Outcome(1, "line"), "", "4,4"))
        yield store


def kept(store: Store) -> dict[str, Any]:
    facts = store.facts()
    return {**facts, "engines": list(map(without_digests, facts["engines"]))}


def test_a_run_from_before_a_rule_of_adjudication_was_there_is_read(full: dict[str, Any]) -> None:
    before = {key: value for key, value in full.items() if key != "proof"}
    assert to_data(from_data(before)) == full
    assert not list(changes(before, full, ["one", "random_mover"]))
    assert sorted([*OTHERWISE, *FREE, "engines"]) == sorted(full)


@pytest.mark.parametrize("key", OTHERWISE)
def test_a_run_with_games_refuses_what_would_have_made_them_differ(
    tmp_path: Path, full: dict[str, Any], store: Store, key: str
) -> None:
    value, told = OTHERWISE[key]
    with pytest.raises(ConfigError) as caught:
        freeze(tmp_path, to_data(from_data({**full, key: value})), changes, store)
    change, advice = caught.value.faults
    assert (change.message, "--fresh" in advice.message) == (told, True)
    assert kept(store) == {"kind": "tournament", **full}


@pytest.mark.parametrize("key", FREE)
def test_a_run_with_games_goes_on_with_what_touches_none_of_them(
    tmp_path: Path, full: dict[str, Any], store: Store, key: str
) -> None:
    changed = {**full, key: FREE[key]}
    assert changed != full
    freeze(tmp_path, to_data(from_data(changed)), changes, store)
    assert kept(store) == {"kind": "tournament", **changed}


def test_a_run_without_games_may_become_any_other(tmp_path: Path, full: dict[str, Any]) -> None:
    with closing(Store(tmp_path / "arena.db")) as store:
        freeze(tmp_path, to_data(from_data(full)), changes, store)
        for key, (value, _) in OTHERWISE.items():
            freeze(tmp_path, to_data(from_data({**full, key: value})), changes, store)
            assert store.facts()[key] == value


@pytest.mark.parametrize("name", [field.name for field in fields(Limit)])
def test_every_limit_makes_another_game(full: dict[str, Any], name: str) -> None:
    before, after = (
        limit_data(Limit(**{"time_left": 60.0, name: value})) for value in (10.0, 20.0)
    )
    assert limit_from_data(after) != limit_from_data(before)
    one, other = ({**full, "limit": data} for data in (before, after))
    assert len(list(changes(one, other, ["one"]))) == 1


def test_everything_about_a_player_makes_another_game(full: dict[str, Any]) -> None:
    one, other = full["engines"]
    assert {"engine", "depth", "limit"} < one.keys()
    for key in one.keys() - {"name"}:
        after = {**full, "engines": [{**one, key: "otherwise"}, other]}
        told = f"engines.one.{key}: {one[key]} -> otherwise"
        assert list(changes(full, after, ["one"])) == [told]
        assert not list(changes(full, after, ["random_mover"])), "it has played no game"
    after = {**full, "engines": [{**one, "source": "edited"}, other]}
    assert list(changes(full, after, ["one"])) == ["engines.one.source: None -> edited"]


def test_the_place_of_what_is_not_there_is_that_of_what_it_would_be_in(tmp_path: Path) -> None:
    file = tmp_path / "some.yaml"
    file.write_text("one: 1\nlist:\n  - a\n  - b\n")
    document = Document(file)
    places = [document.place(("list", i)).removeprefix(f"{file}:") for i in range(4)]
    assert places == ["3:5", "4:5", "3:3", "3:3"]
    assert document.place(("two", 7)) == f"{file}:1:1"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, ["x.a.c: 2 -> 3"]),
        ({"a": 1}, {"a": 1, "b": 2}, ["x.b: None -> 2"]),
        ([{"name": "one", "low": 1}], [{"name": "one", "low": 2}], ["x.one.low: 1 -> 2"]),
        ([{"name": "a"}, {"name": "b"}], [{"name": "b"}, {"name": "a"}], ["x: [{"]),
        ([{"name": "a"}, {"name": "a"}], [{"name": "a"}], ["x: [{"]),
        ([1, 2], [2, 1], ["x: [1, 2] -> [2, 1]"]),
        ({"a": [1, 2], "b": 3}, {"b": 3, "a": [1, 2]}, []),
    ],
)
def test_a_change_is_told_at_its_leaf(before: Any, after: Any, told: list[str]) -> None:
    found = list(value_changes("x", before, after))
    assert len(found) == len(told)
    assert all(message.startswith(words) for message, words in zip(found, told, strict=True))
