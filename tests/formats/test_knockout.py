"""The knockout: its pairings, how ties are broken, and which players go on."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest
from support.game_records import play_pair

from arena.format import Field, Pairing, Row
from arena.formats import knockout
from arena.match.pairs import Results

VALUES = {"pairs": 2, "tie_breaks": 3}


def field(players: int, openings: int = 10) -> Field:
    return Field(tuple("abcdefgh"[:players]), tuple(map(str, range(openings))), 1)


Best = Callable[[int, Pairing], str | None]


def matches(field: Field, best: Best, has_copies: bool = False, **values: int) -> list[Row]:
    """The matches of a tournament whose pairs are won so."""
    results = Results()
    pairings = knockout.pairings(field, results, **(VALUES | values))
    for number, pairing in enumerate(pairings, start=1):
        assert pairing is not None
        moves = pairing.opening if has_copies else ""
        play_pair(results, pairing, best(number, pairing), moves)
    return knockout.matches(field, results, **(VALUES | values))


def champions(field: Field, order: str, **values: int) -> list[Row]:
    """The matches of a tournament which, of two, the one earlier in this order wins."""

    def best(_: int, pairing: Pairing) -> str | None:
        return min((pairing.one, pairing.other), key=order.index) if order else None

    return matches(field, best, **values)


def met(rows: list[Row]) -> list[tuple[int, str]]:
    return [(row["stage"], row["one"] + row["other"]) for row in rows]


def test_the_best_two_seeds_can_meet_in_the_last_match_only() -> None:
    rows = champions(field(8), "abcdefgh")
    assert met(rows[4:]) == [(2, "ad"), (2, "bc"), (3, "ab")]
    assert {pair for _, pair in met(rows[:4])} == {"ah", "de", "bg", "cf"}
    assert [row["winner"] for row in rows[4:]] == ["a", "b", "a"]


def test_the_best_seeds_wait_where_the_players_are_no_power_of_two() -> None:
    assert met(champions(field(5), "abcde")) == [(1, "de"), (2, "ad"), (2, "bc"), (3, "ab")]
    assert met(champions(field(3), "abc")) == [(1, "bc"), (2, "ab")]
    assert met(champions(field(2), "ba")) == [(1, "ab")]


def test_a_tie_is_played_on_and_goes_to_the_better_seed_at_last() -> None:
    (row,) = champions(field(2), "")
    assert (row["pairs"], row["score"], row["winner"]) == (5, 0.5, "a")
    assert knockout.openings(**VALUES) == 5
    (row,) = champions(field(2), "", tie_breaks=0)
    assert (row["pairs"], row["winner"]) == (2, "a")


def test_the_seeding_breaks_ties_wherever_in_the_bracket_the_winners_come_from() -> None:
    players = Field(tuple("zyxw"), ("1", "2", "3", "4", "5"), 1)
    final = matches(players, lambda _, each: "w" if {"z", "w"} == {each.one, each.other} else None)[
        -1
    ]
    assert (final["one"], final["other"], final["winner"]) == ("y", "w", "y")


def test_one_pair_more_decides_as_soon_as_it_is_won() -> None:
    (row,) = matches(field(2), lambda number, _: "b" if number == 3 else None)
    assert (row["pairs"], row["winner"]) == (3, "b")
    assert row["score"] == pytest.approx((0.5 + 0.5 + 0) / 3)


def test_a_copy_of_a_pair_counts_once() -> None:
    best: Best = lambda number, _: "aba"[number - 1]  # noqa: E731
    (row,) = matches(field(2, openings=2), best, has_copies=True, pairs=3, tie_breaks=0)
    assert (row["pairs"], row["score"]) == (3, 0.5)


def test_nobody_has_won_while_a_tie_may_still_be_played_on() -> None:
    players, results = field(4), Results()
    for pairing in islice(knockout.pairings(players, results, **VALUES), 4):
        if pairing and {"a", "d"} == {pairing.one, pairing.other}:
            play_pair(results, pairing, None)
    tied, open_ = knockout.matches(players, results, **VALUES)
    assert (tied["pairs"], tied["winner"]) == (2, "")
    assert (open_["pairs"], open_["winner"]) == (0, "")
