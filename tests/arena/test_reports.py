"""Frames: every number in a report can be counted by hand."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from itertools import permutations

import pandas as pd
import pytest
from test_tally import game

from arena import ConfigError
from arena.record import GameRecord
from arena.reports import Report, report
from arena.tables import csv_text, json_text, report_text


def thought(record: GameRecord, times: str, nodes: str, depths: str) -> GameRecord:
    return replace(record, times=times, nodes=nodes, depths=depths, plies=len(times.split()) + 1)


@pytest.fixture
def two_games() -> Report:
    """One pair from an opening of one ply, so that player 2 is asked first."""
    there = thought(game("a", "b", 1, "4,4"), "0.1 0.2 0.3", "10 200 30", "1 5 2")
    back = thought(game("b", "a", None, "4,4"), "0.4 0.5", "400 50", "6 3")
    return report(["a", "b", "c"], [(1, there), (2, back)])


def row(frame: pd.DataFrame, name: str) -> pd.Series:
    return frame.set_index("name").loc[name]


def test_games_have_their_numbers_in_the_schedule(two_games: Report) -> None:
    games = two_games.games
    assert list(games["game"]) == [1, 2]
    assert list(games["pair"]) == [1, 1]
    assert list(games.columns[:2]) == ["game", "pair"]
    assert games["winner"].isna().tolist() == [False, True]


def test_a_player_is_charged_for_its_own_choices(two_games: Report) -> None:
    # In the first game b chose first (0.1, 0.3), then a; in the second a (0.4), then b.
    a, b = (row(two_games.standings, name) for name in "ab")
    assert a["seconds_per_move"] == pytest.approx((0.2 + 0.4) / 2)
    assert b["seconds_per_move"] == pytest.approx((0.1 + 0.3 + 0.5) / 3)
    assert a["nodes_per_second"] == pytest.approx((200 + 400) / (0.2 + 0.4))
    assert b["depth"] == pytest.approx((1 + 2 + 3) / 3)
    assert a["plies"] == pytest.approx((4 + 3) / 2)


def test_standings_and_win_rates(two_games: Report) -> None:
    a = row(two_games.standings, "a")
    assert (a["games"], a["wins"], a["draws"], a["losses"]) == (2, 1, 1, 0)
    assert a["score"] == 0.75
    assert two_games.win_rates.loc["a", "b"] == 0.75
    assert two_games.win_rates.loc["b", "a"] == 0.25
    assert pd.isna(two_games.win_rates.loc["a", "c"])
    by_seat = two_games.colours.set_index(["name", "seat"])["score"]
    assert by_seat["a", 1] == 1
    assert by_seat["a", 2] == 0.5


def test_one_who_has_not_played_is_unknown_not_wrong(two_games: Report) -> None:
    c = row(two_games.standings, "c")
    assert c["games"] == 0
    assert pd.isna(c["seconds_per_move"])
    assert c["elo_low"] < -1000
    assert c["elo_high"] > 1000
    assert re.search(
        r"\n *c +0 +0 +0 +0 +50\.0% +- +- +50\.0% +- +- +- +-\n", report_text(two_games)
    )


def test_a_report_without_games_is_a_report() -> None:
    empty = report(["a", "b"], [])
    assert empty.games.empty
    assert "Standings after 0 games" in report_text(empty)
    assert json.loads(json_text(empty))["games"] == []


def test_all_wins_show_a_bound_in_the_table() -> None:
    pairs = [
        (2 * i + seat, game(*players, winner, opening=str(i)))
        for i in range(10)
        for seat, players, winner in ((1, "ab", 1), (2, "ba", 2))
    ]
    text = report_text(report(["a", "b"], pairs))
    assert re.search(r">\+140 +\+140 or more", text)
    assert re.search(r"<-140 +-140 or less", text)
    assert "inf" not in text
    assert "nan" not in text


def test_csv_and_json_use_the_names_of_the_frames(two_games: Report) -> None:
    for name in ("standings", "win_rates", "colours", "endings", "games"):
        columns = list(getattr(two_games, name).columns)
        if name == "win_rates":
            columns = ["name", "opponent", "score"]
        assert list(pd.read_csv(io.StringIO(csv_text(two_games, name))).columns) == columns
        assert list(json.loads(json_text(two_games))[name][0]) == columns
        assert json.loads(json_text(two_games, name)) == json.loads(json_text(two_games))[name]


def test_an_unknown_frame_is_a_fault(two_games: Report) -> None:
    with pytest.raises(ConfigError, match="did you mean 'standings'"):
        csv_text(two_games, "standing")


def test_endings_are_counted_by_reason_and_winner(two_games: Report) -> None:
    endings = two_games.endings.set_index(["reason", "winner"])["games"]
    assert endings.sum() == 2
    assert endings["line", 1] == 1


def test_players_may_have_any_names() -> None:
    names = ["all", "name", "nan", "games"]
    records = [
        (2 * i + 1, game(one, other, 1, opening=str(i)))
        for i, (one, other) in enumerate(permutations(names, 2))
    ]
    found = report(names, records)
    text = report_text(found)
    assert all(re.search(rf"^ *{name} ", text, re.MULTILINE) for name in names)
    rates = json.loads(json_text(found, "win_rates"))
    assert {row["name"] for row in rates} == set(names)
    assert len(rates) == 12


def test_copies_of_a_game_are_counted_as_such() -> None:
    records = [(n, game("a", "b", 1, round=n, moves="x" if n < 4 else "y")) for n in range(1, 6)]
    found = report(["a", "b"], records)
    assert found.distinct_games == 2
    assert "Standings after 5 games, 2 of them distinct" in report_text(found)
