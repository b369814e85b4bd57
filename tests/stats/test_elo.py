"""The statistics, held to the real outputs of fishtest and fastchess."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given
from support.counts import CASES, counts, counts_of

from arena.stats.elo import (
    ELO_LIMIT,
    draw_ratio,
    elo,
    elo_difference,
    elo_interval,
    los,
    normalized_elo,
    normalized_interval,
    score,
    win_ratio,
)

UNANIMOUS = [name for name, case in CASES.items() if sum(map(bool, counts_of(case))) == 1]


@pytest.mark.parametrize("name", CASES)
def test_elo_is_that_of_fishtest(name: str) -> None:
    expected = CASES[name]["fishtest"]["get_elo"]["elo"]
    assert elo_difference(counts_of(CASES[name])) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", [name for name in CASES if name not in UNANIMOUS])
def test_the_interval_is_that_of_fishtest_where_results_differ(name: str) -> None:
    low, high = elo_interval(counts_of(CASES[name]))
    expected = CASES[name]["fishtest"]["get_elo"]["elo_err95"]
    assert (high - low) / 2 == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", CASES)
def test_los_is_that_of_fishtest(name: str) -> None:
    case = CASES[name]
    expected = case["fishtest"]["get_elo"]["los"]
    assert los(counts_of(case)) == pytest.approx(expected, abs=1e-9)


def test_los_keeps_its_digits_far_from_one_half() -> None:
    case = CASES["fastchess elo_test EloWDL 3, no draws, heavy loss"]
    expected = case["fishtest"]["get_elo"]["los"]
    assert los(counts_of(case)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if 0 not in counts_of(case)])
def test_the_interval_is_that_of_fastchess_where_every_result_came(name: str) -> None:
    case = CASES[name]
    low, high = elo_interval(counts_of(case))
    assert (high - low) / 2 == pytest.approx(case["fastchess"]["elo_err95"], rel=1e-9)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if 0 not in counts_of(case)])
def test_normalized_elo_and_its_interval_are_those_of_fastchess(name: str) -> None:
    counts, expected = counts_of(CASES[name]), CASES[name]["fastchess"]
    low, high = normalized_interval(counts)
    assert normalized_elo(counts) == pytest.approx(expected["nelo"], abs=1e-9)
    assert (high - low) / 2 == pytest.approx(expected["nelo_err95"], abs=1e-9)


def test_draw_and_win_ratios_are_counted_by_hand() -> None:
    assert draw_ratio([1, 2, 5, 3, 9]) == 5 / 20
    assert draw_ratio([3, 1, 4]) == 1 / 8
    assert win_ratio([1, 2, 5, 3, 9]) == 12 / 3
    assert win_ratio([3, 1, 4]) == 4 / 3


@pytest.mark.parametrize("counts", [[0, 0, 0, 0, 40], [0, 0, 25, 0, 0], [7, 0, 0]])
def test_results_that_are_all_alike_say_nothing_of_their_variance(counts: list[int]) -> None:
    assert elo_interval(counts) == (-ELO_LIMIT, ELO_LIMIT)
    assert normalized_interval(counts) == (-math.inf, math.inf)


def test_no_results_say_nothing() -> None:
    for nothing in ([0, 0, 0], [0] * 5):
        assert score(nothing) == 0.5
        assert elo_difference(nothing) == 0
        assert normalized_elo(nothing) == 0
        whole = (-ELO_LIMIT, ELO_LIMIT)
        assert elo_interval(nothing) == pytest.approx(whole)
        assert normalized_interval(nothing) == (-math.inf, math.inf)
        assert los(nothing) == 0.5
        assert draw_ratio(nothing) == 0
        assert win_ratio(nothing) == 1


@pytest.mark.parametrize("pairs", [1, 2, 3, 50])
def test_all_pairs_split_are_equal_to_the_last_digit(pairs: int) -> None:
    assert str(elo_difference([0, 0, pairs, 0, 0])) == "0.0"
    assert los([0, 0, pairs, 0, 0]) == 0.5


@given(counts)
@example([0, 2, 0, 0, 0])
def test_everything_is_finite_and_in_order(counts: list[int]) -> None:
    low, high = elo_interval(counts)
    elo = elo_difference(counts)
    assert all(map(math.isfinite, (elo, low, high)))
    ends = [-ELO_LIMIT, low, elo, high, ELO_LIMIT]
    assert all(a <= b + 1e-6 for a, b in pairwise(ends))
    assert 0 <= los(counts) <= 1
    assert 0 <= draw_ratio(counts) <= 1
    assert 0 < win_ratio(counts) < math.inf
    low, high = normalized_interval(counts)
    assert low <= normalized_elo(counts) + 1e-6
    assert normalized_elo(counts) - 1e-6 <= high


@given(counts)
def test_the_other_side_sees_the_mirror_image(counts: list[int]) -> None:
    low, high = elo_interval(counts)
    mirrored = elo_interval(counts[::-1])
    assert mirrored == pytest.approx((-high, -low), abs=1e-6)
    assert los(counts[::-1]) == pytest.approx(1 - los(counts), abs=1e-9)


@pytest.mark.slow
def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    random = Random(1)
    shares = [0.1, 0.15, 0.4, 0.2, 0.15]
    truth = elo(score(shares))
    trials = 2000
    covered = 0
    for _ in range(trials):
        counts = [0] * 5
        for i in random.choices(range(5), shares, k=100):
            counts[i] += 1
        low, high = elo_interval(counts)
        covered += low <= truth <= high
    assert 0.93 <= covered / trials <= 0.97
