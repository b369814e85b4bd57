"""The statistics, held to the real outputs of fishtest and fastchess."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena import stats

DATA = Path(__file__).parent.parent / "data/match_statistics.json"
CASES = {case["name"]: case for case in json.loads(DATA.read_text())["cases"]}

trinomial = st.lists(st.integers(0, 10**5), min_size=3, max_size=3)
pentanomial = st.lists(st.integers(0, 10**5), min_size=5, max_size=5)
counts = trinomial | pentanomial


def counts_of(case: dict[str, Any]) -> list[int]:
    given = case["input"]
    if case["kind"] == "trinomial":
        return [given["losses"], given["draws"], given["wins"]]
    return [given["LL"], given["LD"], given["WL"] + given["DD"], given["WD"], given["WW"]]


UNANIMOUS = [name for name, case in CASES.items() if sum(map(bool, counts_of(case))) == 1]


@pytest.mark.parametrize("name", CASES)
def test_elo_is_that_of_fishtest(name: str) -> None:
    expected = CASES[name]["fishtest"]["get_elo"]["elo"]
    assert stats.elo_difference(counts_of(CASES[name])) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", [name for name in CASES if name not in UNANIMOUS])
def test_the_interval_is_that_of_fishtest_where_results_differ(name: str) -> None:
    low, high = stats.elo_interval(counts_of(CASES[name]))
    expected = CASES[name]["fishtest"]["get_elo"]["elo_err95"]
    assert (high - low) / 2 == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", CASES)
def test_los_is_that_of_fishtest(name: str) -> None:
    case = CASES[name]
    expected = case["fishtest"]["get_elo"]["los"]
    assert stats.los(counts_of(case)) == pytest.approx(expected, abs=1e-9)


def test_los_keeps_its_digits_far_from_one_half() -> None:
    case = CASES["fastchess elo_test EloWDL 3, no draws, heavy loss"]
    expected = case["fishtest"]["get_elo"]["los"]
    assert stats.los(counts_of(case)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if 0 not in counts_of(case)])
def test_the_interval_is_that_of_fastchess_where_every_result_came(name: str) -> None:
    case = CASES[name]
    low, high = stats.elo_interval(counts_of(case))
    assert (high - low) / 2 == pytest.approx(case["fastchess"]["elo_err95"], rel=1e-9)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if 0 not in counts_of(case)])
def test_normalized_elo_and_its_interval_are_those_of_fastchess(name: str) -> None:
    counts, expected = counts_of(CASES[name]), CASES[name]["fastchess"]
    low, high = stats.normalized_interval(counts)
    assert stats.normalized_elo(counts) == pytest.approx(expected["nelo"], abs=1e-9)
    assert (high - low) / 2 == pytest.approx(expected["nelo_err95"], abs=1e-9)


def test_draw_and_win_ratios_are_counted_by_hand() -> None:
    assert stats.draw_ratio([1, 2, 5, 3, 9]) == 5 / 20
    assert stats.draw_ratio([3, 1, 4]) == 1 / 8
    assert stats.win_ratio([1, 2, 5, 3, 9]) == 12 / 3
    assert stats.win_ratio([3, 1, 4]) == 4 / 3


def test_all_wins_show_a_bound_that_grows_with_their_number() -> None:
    bounds = [stats.elo_interval([0, 0, 0, 0, n]) for n in (1, 3, 10, 100, 1000)]
    assert all(high == stats.ELO_LIMIT for _, high in bounds)
    lows = [low for low, _ in bounds]
    assert lows == sorted(lows)
    assert lows[0] == pytest.approx(stats.elo(0.025))
    assert lows[2] == pytest.approx(140.2, abs=0.1)


def test_the_normalized_elo_of_all_wins_has_no_narrow_interval() -> None:
    low, high = stats.normalized_interval([0, 0, 0, 0, 10])
    # At worst 31 % of all pairs are lost (1 - 0.025 ** 0.1): 0.19 above one half, deviation 0.46.
    assert low == pytest.approx(stats.NORMALIZED_UNIT * 0.1915 / (0.4619 * 2**0.5), rel=0.01)
    assert high == stats.normalized_elo([0, 0, 0, 0, 10])


def test_all_split_pairs_are_no_proof_of_equality() -> None:
    low, high = stats.elo_interval([0, 0, 25, 0, 0])
    assert low == pytest.approx(-high)
    assert 40 < high < 60


def test_no_results_say_nothing() -> None:
    for nothing in ([0, 0, 0], [0] * 5):
        assert stats.score(nothing) == 0.5
        assert stats.elo_difference(nothing) == 0
        assert stats.normalized_elo(nothing) == 0
        whole = (-stats.ELO_LIMIT, stats.ELO_LIMIT)
        assert stats.elo_interval(nothing) == pytest.approx(whole)
        assert stats.los(nothing) == 0.5
        assert stats.draw_ratio(nothing) == 0
        assert stats.win_ratio(nothing) == 1


@pytest.mark.parametrize("pairs", [1, 2, 3, 50])
def test_all_pairs_split_are_equal_to_the_last_digit(pairs: int) -> None:
    assert str(stats.elo_difference([0, 0, pairs, 0, 0])) == "0.0"
    assert stats.los([0, 0, pairs, 0, 0]) == 0.5


@given(counts)
@example([0, 2, 0, 0, 0])
def test_everything_is_finite_and_in_order(counts: list[int]) -> None:
    low, high = stats.elo_interval(counts)
    elo = stats.elo_difference(counts)
    assert all(map(math.isfinite, (elo, low, high)))
    ends = [-stats.ELO_LIMIT, low, elo, high, stats.ELO_LIMIT]
    assert all(a <= b + 1e-6 for a, b in pairwise(ends))
    assert 0 <= stats.los(counts) <= 1
    assert 0 <= stats.draw_ratio(counts) <= 1
    assert 0 < stats.win_ratio(counts) < math.inf
    low, high = stats.normalized_interval(counts)
    assert -math.inf < low <= stats.normalized_elo(counts) + 1e-6
    assert stats.normalized_elo(counts) - 1e-6 <= high < math.inf


@given(counts)
def test_the_other_side_sees_the_mirror_image(counts: list[int]) -> None:
    low, high = stats.elo_interval(counts)
    mirrored = stats.elo_interval(counts[::-1])
    assert mirrored == pytest.approx((-high, -low), abs=1e-6)
    assert stats.los(counts[::-1]) == pytest.approx(1 - stats.los(counts), abs=1e-9)


@pytest.mark.slow
def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    random = Random(1)
    shares = [0.1, 0.15, 0.4, 0.2, 0.15]
    truth = stats.elo(stats.score(shares))
    trials = 2000
    covered = 0
    for _ in range(trials):
        counts = [0] * 5
        for i in random.choices(range(5), shares, k=100):
            counts[i] += 1
        low, high = stats.elo_interval(counts)
        covered += low <= truth <= high
    assert 0.93 <= covered / trials <= 0.97
