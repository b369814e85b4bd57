"""Frames: every number in a report can be counted by hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import permutations
from random import Random

import pandas as pd
import pytest
from support.game_records import game, games_of
from support.reports import report, schedule_of, shown, thought, two_games

from arena import ConfigError, Limit
from arena.match.terms import Clock
from arena.report.frames import PAIRS, Report, report_of
from arena.report.verdict import Extras


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


@pytest.mark.parametrize(
    ("name", "opponent", "colours", "points"),
    [
        ("a", ["b", "b", "c"], ["first", "second", "second"], [1, 0.5, 0]),
        ("b", ["a", "a", "c"], ["second", "first", "first"], [0, 0.5, 1]),
        ("d", [], [], []),
    ],
)
def test_a_player_sees_its_own_games(
    name: str, opponent: list[str], colours: list[str], points: list[float]
) -> None:
    games = [("a", "b", 1), ("b", "a", None), ("c", "a", 1), ("b", "c", 1)]
    played = [(i, game(*each, opening=str(i))) for i, each in enumerate(games, start=1)]
    found = report("abcd", played)
    before = found.games.copy()
    own = found.games_of(name)
    assert own["opponent"].tolist() == opponent
    assert own["colour"].tolist() == colours
    assert own["points"].tolist() == points
    assert own.drop(columns=["opponent", "colour", "points"]).columns.equals(before.columns)
    assert found.games.equals(before)
    assert own.query("points == 0")["game"].tolist() == [
        number for number, point in zip(own["game"], points, strict=True) if not point
    ]


def test_a_player_that_is_none_has_no_games(two_games: Report) -> None:
    with pytest.raises(ConfigError, match="unknown player 'A'; did you mean 'a'"):
        two_games.games_of("A")


def test_a_player_is_charged_for_its_own_choices(two_games: Report) -> None:
    # In the first game b chose first (0.1, 0.3), then a; in the second a (0.4), then b.
    a, b = (row(two_games.standings, name) for name in "ab")
    assert a["seconds_per_move"] == pytest.approx((0.2 + 0.4) / 2)
    assert b["seconds_per_move"] == pytest.approx((0.1 + 0.3 + 0.5) / 3)
    assert a["nodes_per_second"] == pytest.approx((200 + 400) / (0.2 + 0.4))
    assert b["depth"] == pytest.approx((1 + 2 + 3) / 3)
    assert a["plies"] == pytest.approx((4 + 3) / 2)


def test_moves_without_search_are_left_out_of_means() -> None:
    there = thought(game("a", "b", 1), "0.1 0.2 0.1 0.2", "0 200 50 300", "0 5 2 0")
    found = report(["a", "b"], [(1, replace(there, opening=""))])
    a, b = (row(found.standings, name) for name in "ab")
    assert (a["depth"], b["depth"]) == (2, 5), "forced and instant moves"
    assert a["nodes_per_second"] == pytest.approx(50 / 0.1)
    assert b["nodes_per_second"] == pytest.approx(500 / 0.4)
    assert a["seconds_per_move"] == pytest.approx(0.1), "all moves take time"


def depth_of(nodes: str, depths: str) -> float:
    """The mean depth of the first of two players that chose in turn."""
    times = " ".join("1" for _ in nodes.split())
    there = thought(game("a", "b", 1), times, nodes, depths)
    found = report(["a", "b"], [(1, replace(there, opening=""))])
    return float(row(found.standings, "a")["depth"])


def test_forced_moves_do_not_drag_the_mean_depth() -> None:
    assert depth_of("381000 9 1 9 4 9 355000 9", "13 1 1 1 1 1 16 1") == 14.5
    assert depth_of("90000 9 49 9 52 9", "20 1 26 1 26 1") == 23, "49 nodes are no search of 26"
    assert depth_of("9 9 10 9", "1 1 2 1") == 2
    assert depth_of("0 9 5000 9", "9 1 5 1") == 5, "no nodes, from one that tells them"


def test_of_a_player_that_tells_no_nodes_the_depth_alone_says_what_was_searched() -> None:
    assert depth_of("0 9 0 9 0 9 0 9", "8 1 1 1 0 1 10 1") == 9
    assert pd.isna(depth_of("0 9 0 9", "1 1 1 1"))


def test_who_tells_no_depth_and_no_nodes_has_none() -> None:
    there = thought(game("a", "b", 1), "0.1 0.2", "0 9", "0 3")
    found = report(["a", "b"], [(1, replace(there, opening=""))])
    a = row(found.standings, "a")
    assert pd.isna(a["depth"])
    assert pd.isna(a["nodes_per_second"])
    assert re.search(r"\n *a +100.00 +- +3.0\n", shown(found))


def timed(limit: Limit, *times: str) -> pd.Series:
    """The row of `a`, under this limit, which chose first in each game of these times."""
    games = [
        (n, thought(game("a", "b", 1, "", n), each, each, each))
        for n, each in enumerate(times, start=1)
    ]
    return row(report(["a", "b"], games, {"a": limit}).standings, "a")


def test_the_greatest_overrun_and_the_share_of_moves_near_the_limit_are_told() -> None:
    a = timed(Limit(seconds=0.1), "0.05 9 0.095 9 0.09 9", "0.101 9 0.131 9")
    assert a["greatest_overrun"] == pytest.approx(0.031)
    assert a["near_limit"] == pytest.approx(3 / 5), "0.095, 0.101 and 0.131"
    a = timed(Limit(seconds=0.1, depth=3), "0.02 9 0.03 9")
    assert a["greatest_overrun"] == pytest.approx(-0.07), "never over it"
    assert a["near_limit"] == 0


def test_of_a_clock_counts_what_was_left_on_it() -> None:
    # 10 s, and 1 s after each move; left after a move: 4, 0.5, -0.1 (owed), -0.2; then 9 again.
    clock = Limit(time_left=10.0, increment=1.0)
    a = timed(clock, "6 9 4.5 9 1.6 9 1.1 9", "1 9")
    assert a["greatest_overrun"] == pytest.approx(0.2)
    assert a["near_limit"] == pytest.approx(3 / 5)
    a = timed(replace(clock, seconds=2.0), "1.9 9 1 9")
    assert a["greatest_overrun"] == pytest.approx(-0.1)
    assert a["near_limit"] == pytest.approx(1 / 2)


def test_a_clock_runs_in_a_report_as_it_did_in_the_game() -> None:
    random = Random(1)
    for _ in range(30):
        limit = Limit(time_left=random.choice([1.0, 3.0]), increment=random.choice([0.0, 0.2]))
        clock, times, over, near = Clock(limit), [], [], []
        for _ in range(20):
            (left,) = clock.bounds()
            took = round(min(random.uniform(0, 0.5), left + clock.margin), 6)
            times.append(took)
            over.append(took - left)
            near.append(left - took < 0.1 * (limit.time_left or 0.0))
            clock = clock.after(took)
        a = timed(limit, " ".join(f"{took} 9" for took in times))
        assert a["greatest_overrun"] == pytest.approx(max(over), abs=1e-9)
        assert a["near_limit"] == pytest.approx(sum(near) / len(near))


def test_only_players_whose_time_is_limited_have_an_overrun() -> None:
    assert pd.isna(timed(Limit(depth=3), "0.1 9")["greatest_overrun"])
    games = [(1, replace(thought(game("a", "b", 1), "0.12 9", "1 1", "1 1"), opening=""))]
    found = report("ab", games, limits={"a": Limit(seconds=0.1)})
    table = shown(found)
    assert re.search(r"\n *a +.* \+20\.0 +100\.0 %\n", table)
    assert re.search(r"\n *b +.* - +-\n", table)
    assert "overrun" not in shown(report("ab", games))


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
    assert re.search(r"\n *c +- +- +50\.0 % +0 +0 +0 +0 +2\n", table), "a group of its own"
    assert re.search(r"\n *c +- +- +50\.0 %\n", table), "its Elo against the players met"
    assert re.search(r"\n *c +0 +0 +0 +0 +0 ( +-)*\n", table), "its pairs"
    assert re.search(r"\n *c( +-)+\n", table), "its moves"


def test_a_report_without_games_is_a_report() -> None:
    empty = report(["a", "b"], [])
    assert empty.games.empty
    assert shown(empty) == "No game was played yet.\n\nGames: 0; Players: 2"
    assert json.loads(shown(empty, "json"))["games"] == []


def test_all_wins_show_a_bound_in_the_table() -> None:
    pairs = [
        (2 * i + seat, game(*players, winner, opening=str(i)))
        for i in range(10)
        for seat, players, winner in ((1, "ab", 1), (2, "ba", 2))
    ]
    table = shown(report(["a", "b"], pairs))
    assert re.search(r">\+197 +\+197 or more", table)
    assert re.search(r"<-197 +-197 or less", table)
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
    match = {"one": "a", "other": "b", "pairs": 1, "score": 0.25}
    late = game("a", "b", 2, round=2)
    found = report("ab", schedule_of(("a", "b", 1, 1)), extras=Extras([match], [late]))
    assert found.decided.to_dict("records") == [match]
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
    there, back = game("a", "b", 1), game("b", "a", 2)
    halves = {"one": games_of([there]), "two": games_of([back])}
    assert list(report_of("ab", halves).standings["distinct_pairs"]) == [0, 0]
    together = {"one": games_of([there, back]), "two": games_of([])}
    assert list(report_of("ab", together).standings["distinct_pairs"]) == [1, 1]


def test_copies_of_a_game_are_counted_as_such() -> None:
    records = [(n, game("a", "b", 1, round=n, moves="x" if n < 4 else "y")) for n in range(1, 6)]
    found = report(["a", "b"], records)
    assert found.distinct_games == 2
    assert "Standings after 5 games, 2 of them distinct" in shown(found)
    marked = [(n, replace(each, digest="same")) for n, each in records]
    assert report(["a", "b"], marked).distinct_games == 1


def test_who_hardly_met_the_others_is_named_in_a_note() -> None:
    random = Random(0)
    games = [
        game(one, other, random.choice([1, 2, None]), opening=str(opening), moves=f"{opening}")
        for opening in range(20)
        for one, other in permutations("abc", 2)
    ]
    games += [game("a", "x", 1, opening="0"), game("x", "a", 1, opening="0")]
    notes = report_of(list("abcx"), {"round": games_of(games)}).notes
    assert list(notes) == ["Few openings join x to the other players: 1 opening (x - a)."]
