"""What may be claimed: the law for faults, and the price of looks."""

from __future__ import annotations

from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pytest

from arena.stats.elo import TAIL
from arena.stats.leads import (
    FAULTY_TAIL,
    LATER_TAIL,
    UNKNOWN,
    Estimate,
    FaultViews,
    Looks,
    alike,
    is_carried,
    joined_looks,
)

PLAYED = Estimate(50.0, 10.0, 90.0)


@pytest.mark.parametrize(
    ("without", "drawn", "is_so"),
    [
        (PLAYED, PLAYED, False),
        (Estimate(30.0, 1.0, 60.0), PLAYED, False),
        (Estimate(30.0, -1.0, 60.0), PLAYED, True),
        (PLAYED, Estimate(30.0, -1.0, 60.0), True),
        (Estimate(9.0, 1.0, 17.0), PLAYED, True),
        (PLAYED, Estimate(91.0, 60.0, 120.0), True),
        (Estimate(-50.0, -90.0, -10.0), PLAYED, True),
        (UNKNOWN, PLAYED, True),
    ],
)
def test_an_elo_that_is_sure_must_stay_so(without: Estimate, drawn: Estimate, is_so: bool) -> None:
    assert is_carried(FaultViews(PLAYED, without, drawn)) == is_so
    mirrored = [Estimate(-each.elo, -each.high, -each.low) for each in (PLAYED, without, drawn)]
    assert is_carried(FaultViews(*mirrored)) == is_so


def test_an_elo_that_claims_no_side_need_only_stay_within_its_interval() -> None:
    played = Estimate(5.0, -30.0, 40.0)
    assert not is_carried(FaultViews(played, Estimate(-20.0, -60.0, 20.0), played))
    assert not is_carried(FaultViews(played, Estimate(39.0, 5.0, 70.0), played))
    assert is_carried(FaultViews(played, Estimate(41.0, 5.0, 70.0), played))


def test_what_is_alike_is_asked_for_once() -> None:
    asked: list[int] = []
    views = alike(3).map(lambda value: asked.append(value) or 2 * value)
    assert (views, asked) == (FaultViews(6, 6, 6), [3])
    assert FaultViews(1, 2, 3).map(str) == FaultViews("1", "2", "3")


def test_one_look_at_a_whole_plan_has_the_level_of_all_intervals() -> None:
    assert Looks().tail(1) == Looks().tail(10**6) == TAIL


def test_all_later_looks_together_spend_no_more_than_they_share() -> None:
    tails = [Looks(earlier).tail(500) for earlier in range(1, 10_000)]
    assert all(more < less for less, more in pairwise(tails))
    assert 0.999 * LATER_TAIL < sum(tails) < LATER_TAIL


@pytest.mark.parametrize("earlier", [0, 2])
def test_equals_who_choose_their_moment_are_rarely_claimed(earlier: int) -> None:
    looks = Looks(earlier, is_any_moment=True)
    share = 2 * LATER_TAIL / max(earlier, 1) / (max(earlier, 1) + 1)
    pairs = np.arange(1, 3001)
    reach = np.array([-NormalDist().inv_cdf(looks.tail(n)) for n in pairs])
    walks = np.random.default_rng(earlier).standard_normal((4000, len(pairs))).cumsum(axis=1)
    claims = (np.abs(walks) > reach * np.sqrt(pairs)).any(axis=1).mean()
    noise = 3 * (share / len(walks)) ** 0.5
    assert share / 5 - noise < claims < share + noise


def test_a_look_at_any_moment_costs_more_than_a_later_one_at_a_known_moment() -> None:
    for openings in (1, 30, 300, 10**5):
        assert Looks(1, is_any_moment=True).tail(openings) < Looks(1).tail(openings)


def test_few_faults_cost_nothing_and_more_never_less_than_other_looks_do() -> None:
    assert Looks().tail(200, 0.01) == TAIL
    assert Looks().tail(200, 0.011) == FAULTY_TAIL
    many = Looks(20, is_any_moment=True)
    assert many.tail(200, 0.5) == many.tail(200)


def test_runs_that_are_read_together_are_looks_at_one_another() -> None:
    assert joined_looks([]) == joined_looks([Looks()]) == Looks()
    assert joined_looks([Looks(2)]) == Looks(2)
    assert joined_looks([Looks(), Looks(), Looks()]) == Looks(2, runs=3)
    many = joined_looks([Looks(1), Looks(2, is_any_moment=True), Looks(is_chosen=True)])
    assert many == Looks(5, is_any_moment=True, is_chosen=True, runs=3)


def test_nothing_can_be_claimed_of_openings_that_were_chosen_by_their_results() -> None:
    assert Looks(is_chosen=True).tail(10**6) < 1e-11
