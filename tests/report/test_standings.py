"""The count: every game for the score, every distinct pair once for the evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.game_records import game

from arena.match.game_row import digest_of, row_of
from arena.match.record import GameRecord
from arena.report.standings import Tally
from arena.stats.elo import elo, elo_difference

OPENING = digest_of("o")
"""The cluster of games on the opening `o`."""


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
