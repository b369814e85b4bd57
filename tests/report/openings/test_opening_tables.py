"""Sets of openings compared by the games that were played on them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.game_records import game

from arena.match.record import Numbered
from arena.report.export import report_text
from arena.report.openings.opening_tables import compared_openings

GAMES = [
    game("a", "b", 1, "o1"), game("b", "a", 2, "o1"),  # a wins both
    game("a", "b", 1, "o2"), game("b", "a", 1, "o2"),  # each wins one as the first player: split
    game("a", "b", None, "o3"), game("b", "a", None, "o3"),  # even, but not split
    game("a", "c", 2, "o1"), game("c", "a", 1, "o1"),  # c wins everything against a
    game("a", "c", 2, "o2"), game("c", "a", 1, "o2"),
    game("b", "c", 1, "o1"),  # half a pair
]  # fmt: skip


def numbered(games: list) -> Numbered:  # type: ignore[type-arg]
    return list(enumerate(games, start=1))


def test_it_counts_games_pairs_split_ones_and_the_first_players_points() -> None:
    (row,) = compared_openings({"one": numbered(GAMES)}).frame("openings").to_dict("records")
    assert (row["run"], row["openings"], row["games"], row["pairs"]) == ("one", 3, 11, 5)
    assert row["first_score"] == pytest.approx((1 + 0 + 1 + 1 + 0.5 + 0.5 + 0 + 1 + 0 + 1 + 1) / 11)
    assert row["split"] == pytest.approx(1 / 5)


def test_a_player_that_wins_both_games_of_swap2_as_black_splits_no_pair() -> None:
    one, two = (
        replace(game("a", "b", 1, f"o{seat}"), proposer=seat, suggested="s") for seat in (1, 2)
    )
    (row,) = compared_openings({"one": numbered([one, two])}).frame("openings").to_dict("records")
    assert (row["openings"], row["pairs"], row["split"]) == (1, 1, 0)


def test_pairings_that_one_run_cannot_measure_are_left_out_of_all() -> None:
    contents = compared_openings({"one": numbered(GAMES), "two": numbered(GAMES[:6])})
    assert contents.notes[-1] == (
        "nElo2/pair is over the 1 pairings of all 2: the others never met, or ended all their "
        "pairs alike, in one of the runs."
    )
    one, two = contents.frame("openings")["evidence"]
    assert one == two


def test_a_copy_of_a_pair_counts_once() -> None:
    games = [game("a", "b", 1, "o1", moves="x"), game("b", "a", 2, "o1", moves="y")]
    games += [game("a", "b", 1, "o1", 2, moves="x"), game("b", "a", 2, "o1", 2, moves="y")]
    frame = compared_openings({"one": numbered(games)}).frame("openings")
    assert list(frame["pairs"]) == [1]


def test_runs_without_games_are_shown_too() -> None:
    text = report_text(compared_openings({"one": [], "two": numbered(GAMES)}), "table")
    assert text.splitlines()[2].split() == ["one", "0", "0", "0", "-", "-", "-", "-"]
