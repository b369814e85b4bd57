"""Ratings of fields that hardly met: their zeros, players rated apart, and those named."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from arena.stats.elo import ELO_LIMIT
from arena.stats.precision import Bridge
from arena.stats.ratings import Rating, Ratings, rate

Points = dict[tuple[str, str, str, int], int]


def met(names: str, openings: int, seed: int = 0) -> Points:
    """A round robin with results at random."""
    random = np.random.default_rng(seed)
    return {
        (first, second, str(opening), int(random.integers(3))): 1
        for opening in range(openings)
        for first, second in permutations(names, 2)
    }


def split(one: str, other: str, *openings: str) -> Points:
    """A pair of one point on each opening."""
    return {
        (*seats, opening, 2): 1 for opening in openings for seats in ((one, other), (other, one))
    }


def by_name(ratings: Ratings) -> dict[str, Rating]:
    return {rating.name: rating for rating in ratings.players}


def is_known(rating: Rating) -> bool:
    return rating.high - rating.low < 2 * ELO_LIMIT - 1


def test_a_newcomer_moves_nobody_and_is_not_known() -> None:
    trio = met("abc", 100)
    alone, found = by_name(rate("abc", trio)), by_name(rate("abcx", trio | split("a", "x", "0")))
    assert not is_known(found["x"])
    assert found["x"].elo == pytest.approx(found["a"].elo, abs=3)
    for name, rating in alone.items():
        assert found[name].elo == pytest.approx(rating.elo, abs=0.5)
        assert found[name].high - found[name].low == pytest.approx(
            rating.high - rating.low, rel=0.05
        )


def test_a_newcomer_is_known_the_better_the_more_openings_it_played() -> None:
    trio = met("abc", 100)
    widths = []
    for openings in (4, 8, 16, 50):
        points = trio | dict.fromkeys(met("ax", openings, seed=1), 1)
        rating = by_name(rate("abcx", points))["x"]
        widths.append(rating.high - rating.low)
    assert widths == sorted(widths, reverse=True)


def test_two_clubs_joined_by_a_pair_are_rated_apart() -> None:
    clubs = met("abc", 100) | met("xyz", 100, seed=1)
    found = rate("abcxyz", clubs | split("a", "x", "0"))
    assert [rating.group for rating in found.players] == [1, 1, 1, 2, 2, 2]
    for name in ("abc", "xyz"):
        assert sum(by_name(found)[each].elo for each in name) == pytest.approx(0, abs=1e-6)
    assert all(map(is_known, found.players))
    assert found.bridges == [Bridge([3, 4, 5], [(3, 0)], 1, is_apart=True)]


def won(one: str, other: str, *openings: str) -> Points:
    """Both games of a pair on each opening."""
    return {(one, other, opening, 2): 1 for opening in openings} | {
        (other, one, opening, 0): 1 for opening in openings
    }


@pytest.mark.parametrize("openings", ["0", "01234"])
@pytest.mark.parametrize("clubs", ["abc xyz", "abcd xyz"])
def test_two_clubs_of_which_one_won_all_of_few_pairs_are_rated_apart(
    clubs: str, openings: str
) -> None:
    one, other = clubs.split()
    inside = met(one, 100) | met(other, 100, seed=1)
    found = rate(one + other, inside | won("a", "x", *openings))
    assert [rating.group for rating in found.players] == [1] * len(one) + [2, 2, 2]
    assert all(rating.high - rating.low < 100 for rating in found.players)
    (bridge,) = found.bridges
    assert (bridge.players, bridge.openings) == ([*range(len(one), len(one) + 3)], len(openings))
    assert bridge.is_apart


def test_two_that_beat_two_others_on_all_openings_are_known_to_be_better() -> None:
    across = won("a", "c", *map(str, range(30))) | won("b", "d", *map(str, range(30)))
    found = rate("abcd", met("ab", 30) | met("cd", 30, seed=1) | across)
    assert {rating.group for rating in found.players} == {1}
    assert by_name(found)["a"].elo > by_name(found)["c"].elo + 500


@pytest.mark.parametrize("halves", [(2, 0), (0, 2), (2, 2)])
def test_a_newcomer_is_named_whatever_it_won(halves: tuple[int, int]) -> None:
    there, back = halves
    pair = {("a", "x", "0", there): 1, ("x", "a", "0", back): 1}
    found = rate("abcx", met("abc", 100) | pair)
    assert found.bridges == [Bridge([3], [(3, 0)], 1, is_apart=False)]
    assert not is_known(by_name(found)["x"])


def test_who_met_only_another_newcomer_is_named_with_that_one() -> None:
    cup = won("x", "y", "0") | won("y", "z", "1")
    found = rate("zyxabc", met("abc", 100) | won("a", "x", "2") | cup)
    assert sorted(each.players[0] for each in found.bridges) == [0, 1, 2]
    assert all(each.meetings and each.openings for each in found.bridges)


def test_who_lost_everything_is_rated_with_those_that_it_met() -> None:
    clubs = met("abc", 100) | met("xyz", 100, seed=1) | split("a", "x", "0")
    lost = won("x", "l", *map(str, range(50))) | won("y", "l", *map(str, range(50)))
    found = by_name(rate("abcxyzl", clubs | lost))
    assert found["l"].group == found["x"].group != found["a"].group
    assert found["l"].high < -300


def test_one_opening_is_one_bridge_however_many_games_were_played_on_it() -> None:
    clubs = met("abc", 100) | met("xyz", 100, seed=1)
    many = {kind: 50 * games for kind, games in split("a", "x", "0").items()}
    found = rate("abcxyz", clubs | many | split("b", "y", "0"))
    assert [rating.group for rating in found.players] == [1, 1, 1, 2, 2, 2]
    (bridge,) = found.bridges
    assert bridge.meetings == [(3, 0), (4, 1)]


def test_in_a_chain_of_clubs_two_weak_bridges_are_no_strong_one() -> None:
    clubs = met("abc", 100) | met("mno", 100, seed=1) | met("xyz", 100, seed=2)
    found = rate("abcmnoxyz", clubs | split("a", "m", "0") | split("o", "x", "1"))
    assert [rating.group for rating in found.players] == [1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_clubs_that_met_on_some_openings_are_one_group_and_sure_of_themselves() -> None:
    clubs = met("abcd", 100) | met("xyz", 100, seed=1) | met("ax", 6, seed=2)
    found = rate("abcdxyz", clubs)
    assert {rating.group for rating in found.players} == {1}
    ratings = by_name(found)
    assert sum(ratings[name].elo for name in "abcd") == pytest.approx(0, abs=1e-6)
    assert ratings["b"].high - ratings["b"].low < 100
    assert 200 < ratings["y"].high - ratings["y"].low < 1500
    assert found.bridges == [Bridge([4, 5, 6], [(4, 0)], 6, is_apart=False)]


@pytest.mark.parametrize(("openings", "is_named"), [(15, True), (16, False)])
def test_a_newcomer_that_lost_everything_is_named_until_it_met_others_on_sixteen_openings(
    openings: int, is_named: bool
) -> None:
    lost = won("a", "x", *map(str, range(openings)))
    assert bool(rate("abcx", met("abc", 100) | lost).bridges) == is_named


@pytest.mark.parametrize(("openings", "is_named"), [(9, True), (10, False)])
def test_where_few_openings_were_played_half_of_them_are_enough(
    openings: int, is_named: bool
) -> None:
    lost = won("a", "x", *map(str, range(openings)))
    assert bool(rate("abcx", met("abc", 20) | lost).bridges) == is_named


@pytest.mark.parametrize("openings", [3, 8, 20])
def test_a_round_robin_has_no_weak_bridge(openings: int) -> None:
    found = rate("abcdef", met("abcdef", openings))
    assert not found.bridges
    assert {rating.group for rating in found.players} == {1}
    assert all(map(is_known, found.players))


def test_from_an_anchor_that_only_one_pair_joins_nobody_else_is_known() -> None:
    points = met("abc", 100) | split("a", "x", "0")
    found = by_name(rate("abcx", points, anchor=("x", 2000)))
    assert found["x"].low == found["x"].high == 2000
    assert not any(is_known(found[name]) for name in "abc")
