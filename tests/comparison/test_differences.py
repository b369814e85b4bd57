"""The settings in which two runs differ."""

from __future__ import annotations

import re
from typing import Any

from arena.comparison.compare import (
    Difference,
    differences,
    differences_told,
    namesakes_told,
    settings_of,
    with_points,
)
from arena.coordinates import Coordinates

RUN: dict[str, Any] = {
    "kind": "tournament",
    "name": "first",
    "game": {"gomoku": {"size": 15, "rule": "freestyle"}},
    "limit": {"nodes": 3000},
    "max_plies": None,
    "format": {"round_robin": {}},
    "openings": {"random": {"plies": 4, "count": 12, "seed": 7}},
    "engines": [
        {"name": "a", "engine": "five_tuple", "depth": 3},
        {"name": "b", "engine": "./own.py"},
    ],
}


def found(facts_before: dict[str, Any] | None = None, **after: Any) -> list[tuple[str, str, str]]:
    facts = after.pop("facts", {})
    both = settings_of(RUN, facts_before or {}), settings_of(RUN | after, facts)
    return [(each.key, each.before, each.after) for each in differences(*both)]


def test_names_of_runs_are_no_difference_and_neither_is_the_order_of_players() -> None:
    assert found(name="second", engines=RUN["engines"][::-1]) == []
    assert differences_told([]) == "Nothing differs in the config"


def test_a_difference_has_the_key_of_the_yaml() -> None:
    assert found(limit={"nodes": 600}) == [("limit.nodes", "3000", "600")]
    assert found(limit={"depth": 2}) == [("limit.nodes", "3000", "-"), ("limit.depth", "-", "2")]
    assert found(max_plies=50) == [("max_plies", "-", "50")]
    game = {"gomoku": {"size": 15, "rule": "renju"}}
    assert found(game=game) == [("game.gomoku.rule", "freestyle", "renju")]
    openings = {"book": {"name": "balanced15", "count": 10}}
    assert found(openings=openings) == [
        (
            "openings",
            "random (plies: 4, count: 12, seed: 7)",
            "book (name: balanced15, count: 10)",
        )
    ]


def test_players_are_told_by_name() -> None:
    engines = [{"name": "a", "engine": "five_tuple", "depth": 5}, {"name": "c", "engine": "x"}]
    assert found(engines=engines) == [
        ("engines.a.depth", "3", "5"),
        ("engines.b", "engine: ./own.py", "-"),
        ("engines.c", "-", "engine: x"),
    ]


def test_code_that_changed_is_told_by_its_mark_and_file() -> None:
    before = {"engines": [{"name": "b", "engine": "./own.py", "files": {"own.py": "1", "k": "0"}}]}
    after = {"engines": [{"name": "b", "engine": "./own.py", "files": {"own.py": "2", "k": "0"}}]}
    ((key, old, new),) = found(before, facts=after)
    assert key == "engines.b: code (own.py)"
    assert old != new
    assert len(old) == len(new) == 6
    assert found(before, facts=before) == []
    assert found(before) == []  # where nothing is known, nothing is said


def test_the_sentence_names_the_first_keys_and_long_values_not_at_all() -> None:
    rows = [Difference("limit.nodes", "3000", "600"), Difference("openings", "x" * 90, "y")]
    assert differences_told(rows[:1]) == "What differs: limit.nodes: 3000, now 600"
    told = differences_told([*rows, *rows])
    nodes = "limit.nodes: 3000, now 600"
    assert told == f"What differs: {nodes}; openings; {nodes}; and 1 more"


def test_players_come_first_and_those_of_both_runs_are_said_to_differ() -> None:
    engines = [{"name": "a", "engine": "five_tuple", "depth": 5}, {"name": "c", "engine": "x"}]
    both = settings_of(RUN, {}), settings_of(RUN | {"engines": engines, "max_plies": 50}, {})
    rows = differences(*both)
    assert differences_told(rows).startswith("What differs: a: depth 3, now 5; b is gone; c is new")
    (told,) = namesakes_told(rows, ["a"])
    assert told.endswith(": a: depth 3, now 5.")
    assert namesakes_told(rows, ["d"]) == []


def test_listed_openings_are_shown_as_boards_name_points_even_where_they_are_cut() -> None:
    lists = [["7,7 7,8", "0,0 14,14"], ["7,7 7,9", *["3,3 10,11"] * 40]]
    both = [
        with_points(settings_of(RUN | {"openings": {"list": each}}, {}), Coordinates(15).text)
        for each in lists
    ]
    (row,) = differences(*both)
    assert row.shown[:2] == ("openings.list", "2 entries: h8 i8, a15 o1")
    assert row.after.startswith("41 entries: h8 j8, d12 l5, ")
    assert not re.search(r"\d,\d", row.after)
