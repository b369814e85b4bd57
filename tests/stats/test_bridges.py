"""Ratings of fields that hardly met: whose mean is the zero, who is rated apart, what is named."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from arena.stats.bridges import Bridge
from arena.stats.elo import ELO_LIMIT
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
