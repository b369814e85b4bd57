"""Remarks: what engines say with their moves is kept, small, and decides nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.players import Idle

from arena import Choice, ConfigError, Limit, load_game
from arena.game import Position
from arena.match.play import play_game
from arena.match.record import GameRecord, Job, remarks_of
from arena.match.terms import Terms
from arena.plugins.load import Named

GAME = load_game("gomoku:size=7")


class Says(Idle):
    """Plays the first empty cell, and says what a function makes of it."""

    def __init__(self, words: Callable[[int], dict[str, Any]]) -> None:
        self.words = words

    def choose(self, p: Position, limit: Limit) -> Choice:
        move = p.cells.index(0)
        return Choice(move, **self.words(move))


def silent(move: int) -> dict[str, Any]:
    return {}


def play(
    one: Callable[[int], dict[str, Any]],
    two: Callable[[int], dict[str, Any]] = silent,
    opening: str = "",
    **terms: Any,
) -> GameRecord:
    given = Terms(game=Named("gomoku"), max_plies=4, **{"remarks": True} | terms)
    return play_game(GAME, (Says(one), Says(two)), Job("a", "b", opening), terms=given)


def test_the_expected_line_and_the_info_are_kept_with_the_record() -> None:
    record = play(lambda move: {"pv": (move, 48, 47), "info": {"cuts": move, "rate": 0.5}})
    assert record.pv == "6,6 6,5||6,6 6,5|"
    assert json.loads(record.info) == {"first": {"cuts": [0, 2], "rate": [0.5, 0.5]}}
    answers = remarks_of(record)
    assert [each.line for each in answers] == record.pv.split("|")
    assert [dict(each.info) for each in answers][:3] == [
        {"cuts": 0, "rate": 0.5},
        {},
        {"cuts": 2, "rate": 0.5},
    ]


def test_values_belong_to_who_gave_them_after_any_opening() -> None:
    record = play(lambda move: {"info": {"by": "a"}}, lambda move: {"info": {"by": "b"}}, "0,0")
    assert json.loads(record.info) == {"first": {"by": ["a"]}, "second": {"by": ["b", "b"]}}
    assert [each.info["by"] for each in remarks_of(record)] == ["b", "a", "b"]


def test_a_value_that_comes_now_and_then_leaves_a_gap() -> None:
    record = play(lambda move: {"info": {"win": 1} if move else {}})
    assert json.loads(record.info) == {"first": {"win": [None, 1]}}
    assert [dict(each.info) for each in remarks_of(record)][::2] == [{}, {"win": 1}]


@pytest.mark.parametrize("words", [silent, lambda move: {"pv": (move,), "info": {}}])
def test_where_engines_say_nothing_nothing_is_kept(words: Callable[[int], dict[str, Any]]) -> None:
    record = play(words)
    assert (record.pv, record.info) == ("", "")
    assert [each.line for each in remarks_of(record)] == [""] * 4


def test_remarks_can_be_left_out() -> None:
    record = play(lambda move: {"pv": (move, 48), "info": {"x": 1}, "depth": 3}, remarks=False)
    assert (record.pv, record.info, record.depths) == ("", "", "3 0 3 0")


def test_long_lines_and_many_values_are_cut() -> None:
    info = {f"{i}{'x' * 99}": "y" * 99 for i in range(99)}
    record = play(lambda move: {"pv": (move, *range(40)), "info": info})
    assert {len(line.split()) for line in record.pv.split("|")} == {4, 0}
    kept = json.loads(record.info)["first"]
    assert len(kept) == 10
    assert {len(name) for name in kept} == {len(values[0]) for values in kept.values()} == {40}
    fresh = play(lambda move: {"info": {f"{move}.{i}": i for i in range(9)}})
    assert len(json.loads(fresh.info)["first"]) == 10, "names that are new with each move"


def endless() -> Iterator[int]:
    while True:
        yield 0


@pytest.mark.parametrize(
    "junk",
    [
        {"pv": None},
        {"pv": 7},
        {"pv": "line"},
        {"pv": endless()},
        {"pv": (48, 47)},
        {"pv": (0, 2**70)},
        {"pv": ()},
        {"info": None},
        {"info": 7},
        {"info": [1]},
        {"info": {"x": object(), "y": float("nan"), "z": None, "w": 1j}},
        {"info": {"x": 2**70}},
    ],
)
def test_junk_is_left_out_and_costs_nobody_the_game(junk: dict[str, Any]) -> None:
    record = play(lambda move: junk if move == 0 else {})
    assert (record.reason, record.plies, record.info) == ("ply cap", 4, "")
    assert set(record.pv) <= {"|", *"0,01 "}


def test_a_line_that_cannot_be_read_is_an_empty_one_among_others() -> None:
    record = play(lambda move: {"pv": (move, 48) if move else 7})
    assert record.pv == "||6,6|"


def test_numbers_of_numpy_are_numbers_and_texts_are_printable() -> None:
    info = {"i": np.int32(3), "f": np.float64(1 / 3), "t": "\x1b[2J\n\ud800", "b": True}
    record = play(lambda move: {"info": info, "pv": np.array([move, 9])})
    kept = json.loads(record.info)["first"]
    assert {name: values[0] for name, values in kept.items()} == {
        "i": 3,
        "f": 0.3333,
        "t": r"\x1b[2J\n\ud800",
        "b": 1,
    }
    assert record.pv.startswith("1,2|")


@pytest.mark.parametrize(
    "changed",
    [
        {"times": "x 0 0 0"},
        {"nodes": "1"},
        {"scores": "- - - x"},
        {"pv": "0,0"},
        {"info": "{"},
        {"info": "[]"},
        {"info": '{"first": 3}'},
        {"info": '{"first": {"x": [1]}}'},
    ],
)
def test_a_record_that_was_edited_is_a_fault_of_its_editor(changed: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        remarks_of(replace(play(silent), **changed))  # type: ignore[arg-type]
