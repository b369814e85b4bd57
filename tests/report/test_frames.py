"""Frames: every number in a report can be counted by hand."""

from __future__ import annotations

import json
import re
from itertools import permutations

import pandas as pd
import pytest
from records import game
from reports import report, schedule_of, shown, two_games

from arena import ConfigError
from arena.report.frames import PAIRS, Extras, Report, report_of


@pytest.fixture(name="two_games")
def fixture_two_games() -> Report:
    return two_games()


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
    assert c["rating_high"] - c["rating_low"] > 2000
    table = shown(two_games)
    assert re.search(r"\n *c +0 +0 +0 +0 +50\.0% +- +- +50\.0%\n", table)
    assert re.search(r"\n *c +\+0 +- +2\n", table), "its rating, in a group of its own"
    assert re.search(r"\n *c +0 +0 +0 +0 +0 +- +- +- +-\n", table), "its pairs"
    assert re.search(r"\n *c +- +- +- +-\n", table), "its moves"


def test_a_report_without_games_is_a_report() -> None:
    empty = report(["a", "b"], [])
    assert empty.games.empty
    assert shown(empty) == "No game was played yet by a, b."
    assert json.loads(shown(empty, "json"))["games"] == []


def test_all_wins_show_a_bound_in_the_table() -> None:
    pairs = [
        (2 * i + seat, game(*players, winner, opening=str(i)))
        for i in range(10)
        for seat, players, winner in ((1, "ab", 1), (2, "ba", 2))
    ]
    table = shown(report(["a", "b"], pairs))
    assert re.search(r">\+140 +\+140 or more", table)
    assert re.search(r"<-140 +-140 or less", table)
    assert "inf" not in table
    assert "nan" not in table


def test_pairs_and_ratios_can_be_counted_by_hand(two_games: Report) -> None:
    a, b = (row(two_games.pairs, name) for name in "ab")
    assert list(a[PAIRS]) == [0, 0, 0, 1, 0]
    assert list(b[PAIRS]) == [0, 1, 0, 0, 0]
    assert (a["draw_ratio"], a["pair_ratio"], b["pair_ratio"]) == (0, 1000, 0.001)
    summary = two_games.summary.iloc[0]
    assert (summary["games"], summary["distinct_games"], summary["draw_ratio"]) == (2, 2, 0.5)
    assert summary["first_score"] == 0.75


def test_ratings_stand_in_the_standings_and_an_anchor_moves_them() -> None:
    records = schedule_of(("a", "b", 1, 1), ("a", "b", 1, 2), ("b", "c", 1, None), ("c", "a", 1, 1))
    free = report("abc", records)
    held = report("abc", records, anchor=("c", 1500))
    ratings = [frame.standings.set_index("name")["rating"] for frame in (free, held)]
    assert ratings[0].sum() == pytest.approx(0, abs=1e-6)
    assert ratings[1]["c"] == 1500
    assert ratings[1]["a"] - ratings[1]["b"] == pytest.approx(ratings[0]["a"] - ratings[0]["b"])
    assert "c is +1500" in shown(held)
    with pytest.raises(ConfigError, match="unknown player 'd'"):
        report("abc", records, anchor=("d", 0))


def test_two_players_have_an_elo_and_need_no_ratings() -> None:
    assert "Ratings" not in shown(report("ab", schedule_of(("a", "b", 1, 1))))


def test_who_never_met_is_shown_apart() -> None:
    table = shown(report("abcd", schedule_of(("a", "b", 1, 1), ("c", "d", 1, None))))
    assert "in each group" in table
    assert re.search(r"\n *c +\+\d+ .* 2\n", table)


def test_what_a_format_decides_and_what_counts_nowhere_are_frames() -> None:
    match = {"one": "a", "other": "b", "pairs": 1, "llr": 0.25}
    late = game("a", "b", 2, round=2)
    found = report("ab", schedule_of(("a", "b", 1, 1)), extras=Extras([match], [late]))
    assert found.matches.to_dict("records") == [match]
    assert "0.25" in shown(found)
    assert list(found.uncounted["round"]) == [2]
    assert len(found.games) == 2


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
    table = shown(found)
    assert all(re.search(rf"^ *{name} ", table, re.MULTILINE) for name in names)
    rates = json.loads(shown(found, "json", "win_rates"))
    assert {row["name"] for row in rates} == set(names)
    assert len(rates) == 12


def test_half_a_pair_never_finds_its_other_half_in_another_run() -> None:
    halves = {"one": [(1, game("a", "b", 1))], "two": [(2, game("b", "a", 2))]}
    assert list(report_of("ab", halves).standings["distinct_pairs"]) == [0, 0]
    together = {"one": [each for half in halves.values() for each in half], "two": []}
    assert list(report_of("ab", together).standings["distinct_pairs"]) == [1, 1]


def test_copies_of_a_game_are_counted_as_such() -> None:
    records = [(n, game("a", "b", 1, round=n, moves="x" if n < 4 else "y")) for n in range(1, 6)]
    found = report(["a", "b"], records)
    assert found.distinct_games == 2
    assert "Standings after 5 games, 2 of them distinct" in shown(found)
