"""The count of games and pairs, and frames: every number in a report can be counted by hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random

import pandas as pd
import pytest
from support.game_records import game, games_of, games_of_numbered
from support.reports import report, schedule_of, shown, thought, two_games
from support.samples import Write

import arena
from arena import ConfigError, Limit
from arena.match.game_row import digest_of, row_of
from arena.match.record import GameRecord
from arena.match.terms import Clock
from arena.report.answer import report_text
from arena.report.frames import PAIRS, report_of
from arena.report.outlook import LiveTable
from arena.report.run_answer import run_answer
from arena.report.standings import Tally, tally_of
from arena.report.verdict import Extras
from arena.stats.elo import elo, elo_difference
from arena.stats.leads import alike, lead_views
from arena.tournament.run import RunProgress


def row(frame: pd.DataFrame, name: str) -> pd.Series:
    return frame.set_index("name").loc[name]


def test_games_have_their_numbers_in_the_schedule() -> None:
    games = two_games().games
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


def test_a_player_that_is_none_has_no_games() -> None:
    with pytest.raises(ConfigError, match="unknown player 'A'; did you mean 'a'"):
        two_games().games_of("A")


def test_a_player_is_charged_for_its_own_choices() -> None:
    # In the first game b chose first (0.1, 0.3), then a; in the second a (0.4), then b.
    a, b = (row(two_games().standings, name) for name in "ab")
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


def test_standings_and_win_rates() -> None:
    found = two_games()
    a = row(found.standings, "a")
    assert (a["games"], a["wins"], a["draws"], a["losses"]) == (2, 1, 1, 0)
    assert a["score"] == 0.75
    assert found.win_rates.loc["a", "b"] == 0.75
    assert found.win_rates.loc["b", "a"] == 0.25
    assert pd.isna(found.win_rates.loc["a", "c"])
    by_seat = found.colours.set_index(["name", "seat"])["score"]
    assert by_seat["a", 1] == 1
    assert by_seat["a", 2] == 0.5


def test_pairs_and_ratios_can_be_counted_by_hand() -> None:
    a, b = (row(two_games().pairs, name) for name in "ab")
    assert list(a[PAIRS]) == [0, 0, 0, 1, 0]
    assert list(b[PAIRS]) == [0, 1, 0, 0, 0]
    assert (a["draw_ratio"], a["pair_ratio"], b["pair_ratio"]) == (0, 1000, 0.001)
    summary = two_games().summary.iloc[0]
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


def test_what_a_format_decides_and_what_counts_nowhere_are_frames() -> None:
    match = {"one": "a", "other": "b", "pairs": 1, "score": 0.25}
    late = game("a", "b", 2, round=2)
    found = report("ab", schedule_of(("a", "b", 1, 1)), extras=Extras([match], [late]))
    assert found.decided.to_dict("records") == [match]
    assert "0.25" in shown(found)
    assert list(found.uncounted["round"]) == [2]
    assert len(found.games) == 2


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


OPENING = digest_of("o")  # The cluster of games on the opening `o`


def tally(*games: GameRecord, names: str = "ab") -> Tally:
    count = Tally(names)
    count.add(map(row_of, games))
    return count


@pytest.mark.parametrize(
    ("there", "back", "points"),
    [(1, 2, 4), (1, None, 3), (1, 1, 2), (None, None, 2), (None, 1, 1), (2, 1, 0)],
)
def test_a_pair_is_counted_by_its_points(there: int | None, back: int | None, points: int) -> None:
    count = tally(game("a", "b", there), game("b", "a", back))
    assert count.pairs("a") == [int(i == points) for i in range(5)]
    assert count.pairs("b") == count.pairs("a")[::-1]


def test_the_order_in_which_games_end_is_all_the_same() -> None:
    games = [
        game("a", "b", 1, "x"),
        game("b", "a", 1, "x"),
        game("a", "b", 2, "y"),
        game("b", "a", None, "y"),
    ]
    mixed = games[::2] + games[1::2]
    assert tally(*games).standings() == tally(*games[::-1]).standings()
    assert tally(*games).standings() == tally(*mixed).standings()


def test_half_a_pair_counts_for_the_score_only() -> None:
    count = tally(game("a", "b", 1))
    assert count.results_of("a") == [0, 0, 1]
    assert sum(count.pairs("a")) == 0
    assert not count.evidence


def test_a_copy_of_a_pair_is_no_evidence() -> None:
    pair = [("a", "b", 1), ("b", "a", 2)]
    first = [game(*each, round=1, moves=each[0]) for each in pair]
    again = [game(*each, round=2, moves=each[0]) for each in pair]
    count = tally(*first, *again)
    assert count.games == 4
    assert count.pairs("a") == [0, 0, 0, 0, 1]
    assert count.standing("a").wins == 4
    assert count.standing("a").elo_low == tally(*first).standing("a").elo_low
    assert count.evidence == {("a", "b", OPENING, 2): 1, ("b", "a", OPENING, 0): 1}


@pytest.mark.parametrize(("digests", "pairs"), [(("x", "y"), 1), (("v", "w"), 2)])
def test_openings_that_are_turned_are_one_cluster_and_their_games_copies_or_not(
    digests: tuple[str, str], pairs: int
) -> None:
    games = [
        replace(game(*seats, opening, moves=f"{opening} {seats}"), start="o", digest=digest)
        for opening, found in (("7,7 8,8", ("x", "y")), ("7,7 6,6", digests))
        for seats, digest in zip((("a", "b", 1), ("b", "a", 2)), found, strict=True)
    ]
    count = tally(*games)
    assert count.pairs("a") == [0, 0, 0, 0, pairs]
    assert count.evidence == {("a", "b", OPENING, 2): pairs, ("b", "a", OPENING, 0): pairs}


def test_the_same_moves_of_other_players_are_no_copy() -> None:
    there, back = ("x", 1), ("y", 2)
    games = [
        game(first, second, winner, moves=moves)
        for one, other in ("ab", "ac", "bc")
        for first, second, (moves, winner) in ((one, other, there), (other, one, back))
    ]
    count = tally(*games, names="abc")
    assert count.pairs("a") == [0, 0, 0, 0, 2]
    assert count.pairs("b") == [1, 0, 0, 0, 1]
    assert count.standing("c").distinct_pairs == 2


def test_the_same_moves_by_the_other_hands_are_no_copy() -> None:
    pairs = [
        game(first, second, winner, round=round, moves=moves)
        for round, order in ((1, ("ab", "ba")), (2, ("ba", "ab")))
        for (first, second), (moves, winner) in zip(order, (("x", 1), ("y", 1)), strict=True)
    ]
    assert tally(*pairs).pairs("a") == [0, 0, 2, 0, 0]


@pytest.mark.parametrize("same", [("a", "b"), ("b", "a")])
def test_the_same_moves_in_one_game_only_are_no_copy(same: tuple[str, str]) -> None:
    games = [
        game(*seats, 1, round=round, moves="x" if seats == same else f"x {round}")
        for round in (1, 2)
        for seats in (("a", "b"), ("b", "a"))
    ]
    assert tally(*games).standing("a").distinct_pairs == 2


def test_elo_is_of_the_distinct_pairs_and_the_score_of_all_games() -> None:
    pair = [("a", "b", 1), ("b", "a", None)]
    copies = [game(*each, round=round, moves=each[0]) for round in (1, 2, 3) for each in pair]
    row = tally(*copies, game("a", "b", 2, round=4)).standing("a")
    distinct = [0, 0, 0, 1, 0]
    assert (row.games, row.wins, row.draws, row.losses) == (7, 3, 3, 1)
    assert row.score == pytest.approx(4.5 / 7)
    assert row.elo == elo_difference(distinct)
    assert row.distinct_pairs == 1


def matched(*points: int, openings: int, round: int = 1) -> list[GameRecord]:
    """Pairs of a and b, in turn on the openings, by the half points of a."""
    ends = {4: (1, 2), 3: (1, None), 2: (1, 1), 1: (None, 1), 0: (2, 1)}
    return [
        game(*seats, winner, opening=f"o{i % openings}", round=i // openings, moves=f"{i}")
        for i, won in enumerate(points)
        for seats, winner in zip((("a", "b"), ("b", "a")), ends[won], strict=True)
    ]


def test_pairs_on_one_opening_are_one_piece_of_evidence() -> None:
    results = [4, 3, 2, 1, 4, 4, 0, 3] * 4
    many = tally(*matched(*results, openings=32)).standing("a")
    few = tally(*matched(*results, openings=4)).standing("a")
    assert few.score == many.score
    assert few.elo == many.elo
    one = tally(*matched(*results, openings=1)).standing("a")
    assert (one.elo_low, one.elo_high, one.los) == (elo(0), elo(1), 0.5)


def test_on_openings_that_suit_one_side_the_interval_is_wider_than_of_as_many_pairs() -> None:
    results = [4, 4, 1, 1] * 10
    suited = tally(*matched(*results, openings=4)).standing("a")
    apart = tally(*matched(*results, openings=40)).standing("a")
    assert suited.elo_high - suited.elo_low > 2 * (apart.elo_high - apart.elo_low)
    assert suited.los < 0.9 < apart.los


def test_without_openings_each_pair_is_one() -> None:
    results = [4, 4, 3, 1] * 5
    openings = tally(*matched(*results, openings=20)).standing("a")
    rounds = tally(*[replace(each, opening="") for each in matched(*results, openings=1)]).standing(
        "a"
    )
    assert (rounds.elo_low, rounds.elo_high) == (openings.elo_low, openings.elo_high)


def test_pairs_that_differ_are_evidence_each() -> None:
    games = [
        game(*seats, winner, round=round, moves=f"{round}")
        for round in (1, 2)
        for *seats, winner in (("a", "b", 1), ("b", "a", None))
    ]
    assert tally(*games).evidence == {("a", "b", OPENING, 2): 2, ("b", "a", OPENING, 1): 2}


def test_results_by_seat_and_by_opponent() -> None:
    count = tally(
        game("a", "b", 1), game("b", "a", None), game("c", "a", 1), game("a", "c", 1), names="abc"
    )
    assert count.results_of("a", seat=1) == [0, 0, 2]
    assert count.results_of("a", seat=2) == [1, 1, 0]
    assert count.meetings("a", "b") == [0, 1, 1]
    assert count.meetings("a", "c") == [1, 0, 1]
    assert count.meetings("b", "c") == [0, 0, 0]
    assert count.results_of(None, seat=1) == [0, 1, 3]


def test_the_best_score_comes_first_and_who_has_not_played_last() -> None:
    count = tally(game("a", "b", 2), names="xab")
    assert [row.name for row in count.standings()] == ["b", "a", "x"]


Pair = tuple[str, str, int | None, int | None]


def won(pairs: int, one: str = "a", other: str = "b") -> list[Pair]:
    """Pairs of which `one` wins both games."""
    return [(one, other, 1, 2)] * pairs


def test_a_lead_rests_on_games_with_each_other_and_with_opponents_of_both() -> None:
    def los(*pairs: Pair) -> float:
        tally = tally_of("abcd", {"": games_of_numbered(schedule_of(*pairs))})
        return lead_views(alike(tally.evidence), "a", "b", []).played

    direct = los(*won(8), *[("a", "b", 1, 1)] * 2)
    standing = report("ab", schedule_of(*won(8), *[("a", "b", 1, 1)] * 2)).standings.iloc[0]
    assert direct == pytest.approx(standing["los"]), "as between two players alone"
    assert los(*won(8, "a", "c"), *won(8, "c", "b")) > 0.99
    assert los(*won(8, "a", "c"), *won(8, "b", "c")) == pytest.approx(0.5)
    assert los(*won(8, "a", "c"), *won(8, "d", "b")) == 0.5, "no opponent of both"
    often = [*won(45, "a", "c"), *won(5, "c", "a"), *won(10, "b", "c")]
    assert los(*often) < 0.5, "b lost nothing to c, which a has only met more often"


TOURNAMENT = """
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 6, seed: 1}}
    engines: [{name: a, engine: five_tuple, depth: 1}, {name: b, engine: random_mover}]
"""


@pytest.mark.parametrize("third", ["", ", {name: c, engine: five_tuple, depth: 1, radius: 1}"])
def test_the_live_table_has_the_elo_of_the_report(write: Write, third: str) -> None:
    file = write(TOURNAMENT.replace("}]", f"}}{third}]"), "run.yaml")
    seen = list[RunProgress]()
    run = arena.run(file, workers=0, results=Path(file.parent), watch=seen.append)
    table = next(part for part in seen[-1].view().parts if isinstance(part, LiveTable))
    text = report_text(run_answer(run.report()), "table")
    live = {row[0]: row[1] for row in table.rows}
    rows = next(part for part in text.split("\n\n") if part.startswith("Standings")).splitlines()
    assert live == {row.split()[0]: row.split()[1] for row in rows[2 : 2 + len(live)]}
