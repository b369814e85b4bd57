"""The price of looks: what all of them together may spend, however many there are."""

from __future__ import annotations

from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pytest

from arena.stats.elo import TAIL
from arena.stats.leads import FAULTY_TAIL, LATER_TAIL, Looks, joined_looks


def test_one_look_at_a_whole_plan_has_the_level_of_all_intervals() -> None:
    assert Looks().tail(1) == Looks().tail(10**6) == TAIL


def test_all_later_looks_together_spend_no_more_than_they_share() -> None:
    tails = [Looks(earlier).tail(500) for earlier in range(1, 10_000)]
    assert all(more < less for less, more in pairwise(tails))
    assert 0.999 * LATER_TAIL < sum(tails) < LATER_TAIL


@pytest.mark.parametrize("earlier", [0, 2])
def test_equals_who_choose_their_moment_are_claimed_no_more_often_than_its_share(
    earlier: int,
) -> None:
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
