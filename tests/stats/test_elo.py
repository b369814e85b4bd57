"""The statistics of pairs, held to the real outputs of fishtest and fastchess, and by openings."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from scipy.optimize import minimize
from scipy.stats import t as student
from support.counts import CASES, counts, counts_of

from arena.stats.elo import (
    ELO_LIMIT,
    MANY,
    PAIR,
    UNSEEN,
    degrees,
    draw_ratio,
    elo,
    elo_difference,
    elo_interval,
    los,
    normalized_elo,
    normalized_interval,
    score,
    score_ends,
    superiority,
    win_ratio,
)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_elo_los_and_intervals_are_those_of_fishtest(case: dict[str, Any]) -> None:
    counts, expected = counts_of(case), case["fishtest"]["get_elo"]
    assert elo_difference(counts) == pytest.approx(expected["elo"], abs=1e-9)
    assert los(counts) == pytest.approx(expected["los"], abs=1e-9)
    if sum(map(bool, counts)) > 1:
        low, high = elo_interval(counts)
        assert (high - low) / 2 == pytest.approx(expected["elo_err95"], abs=1e-9)


def test_los_keeps_its_digits_far_from_one_half() -> None:
    case = CASES["fastchess elo_test EloWDL 3, no draws, heavy loss"]
    expected = case["fishtest"]["get_elo"]["los"]
    assert los(counts_of(case)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if 0 not in counts_of(case)])
def test_intervals_and_normalized_elo_are_those_of_fastchess(name: str) -> None:
    counts, expected = counts_of(CASES[name]), CASES[name]["fastchess"]
    low, high = elo_interval(counts)
    assert (high - low) / 2 == pytest.approx(expected["elo_err95"], rel=1e-9)
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


Rows = list[tuple[int, int]]  # Half points and pairs on each opening
rows = st.lists(
    st.integers(1, 9).flatmap(lambda pairs: st.tuples(st.integers(0, 4 * pairs), st.just(pairs))),
    min_size=2,
    max_size=30,
)


def ends(found: Rows) -> tuple[float, float]:
    points, games = numbers(found)
    low, high = score_ends(points, games)
    return float(low[0]), float(high[0])


def numbers(found: Rows) -> tuple[np.ndarray, np.ndarray]:
    half, pairs = np.array(found, dtype=float).T
    return half[None] / 2, PAIR * pairs[None]


def pairs_of(won: int, split: int, lost: int) -> Rows:
    return [(4, 1)] * won + [(2, 1)] * split + [(0, 1)] * lost


@pytest.mark.slow
@given(rows, st.data())
def test_more_points_never_lower_an_end(found: Rows, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(found) - 1))
    half, pairs = found[place]
    more = data.draw(st.integers(half, 4 * pairs))
    better = [*found[:place], (more, pairs), *found[place + 1 :]]
    for worse_end, better_end in zip(ends(found), ends(better), strict=True):
        assert better_end >= worse_end - 1e-9


@pytest.mark.slow
@given(rows)
def test_the_score_is_inside_and_the_other_side_sees_the_mirror_image(found: Rows) -> None:
    points, games = numbers(found)
    low, high = ends(found)
    score = points.sum() / games.sum()
    assert 0 <= low <= score + 1e-9
    assert score - 1e-9 <= high <= 1
    mirrored = ends([(4 * pairs - half, pairs) for half, pairs in found])
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)
    assert superiority(games - points, games)[0] == pytest.approx(1 - superiority(points, games)[0])


@pytest.mark.slow
@given(rows)
def test_the_likelihood_of_superiority_says_what_the_interval_says(found: Rows) -> None:
    low, high = ends(found)
    chance = float(superiority(*numbers(found))[0])
    if abs(low - 0.5) > 1e-6:
        assert (chance > 0.975) == (low > 0.5)
    if abs(high - 0.5) > 1e-6:
        assert (chance < 0.025) == (high < 0.5)


def test_the_better_result_never_looks_worse() -> None:
    found = [ends(pairs_of(20 - lost, lost, 0)) for lost in range(21)]
    for better, worse in pairwise(found):
        assert better[0] > worse[0]
        assert better[1] >= worse[1]
    # In games: 40-0 and 39-1.
    assert [round(elo(low)) for low, _ in found[:2]] == [288, 255]


@pytest.mark.parametrize("pairs", [15, 20, 30, 100])
def test_all_wins_have_nearly_the_exact_bound(pairs: int) -> None:
    low, high = ends(pairs_of(pairs, 0, 0))
    # Clopper and Pearson: the chance of all wins is 2.5 % there.
    assert 0.7 < (1 - low) / (1 - 0.025 ** (1 / pairs)) < 1.1
    assert high == 1


@pytest.mark.parametrize("found", [[], [(4, 1)], [(0, 9)]])
def test_fewer_than_two_openings_leave_everything_possible(found: Rows) -> None:
    points, games = numbers(found) if found else (np.zeros((1, 0)), np.zeros((1, 0)))
    low, high = score_ends(points, games)
    assert (low[0], high[0], superiority(points, games)[0]) == (0, 1, 0.5)


def test_the_lower_end_is_the_least_score_that_is_likely_enough() -> None:
    """The twin: weights found by a general optimiser, straight from the definition."""
    found = [(3, 1), (14, 4), (5, 2), (4, 1), (2, 3), (9, 3)]
    points, games = numbers([*found, (0, 1)])
    unseen = UNSEEN * len(found) * sum(pairs for _, pairs in found) / MANY
    mass = np.array([*[1.0] * len(found), unseen])
    share = mass / mass.sum()
    reach = student.ppf(0.975, degrees(numbers(found)[1])[0]) ** 2 / 2

    def score(logits: np.ndarray) -> float:
        weights = np.exp(logits - logits.max())
        return float(weights @ points[0] / (weights @ games[0]))

    def slack(logits: np.ndarray) -> float:
        weights = np.exp(logits - logits.max())
        return float(reach + mass @ np.log(weights / weights.sum() / share))

    twin = minimize(
        score,
        np.log(share),
        method="SLSQP",
        constraints={"type": "ineq", "fun": slack},
        options={"ftol": 1e-12, "maxiter": 1000},
    )
    assert ends(found)[0] == pytest.approx(twin.fun, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [8, 15, 30])
@pytest.mark.parametrize("wins", [0.5, 0.83, 0.87, 0.9, 0.93, 0.96, 0.98])
@pytest.mark.parametrize("games", [1, 2])
def test_the_ends_hold_the_truth_up_to_nearly_all_wins(pairs: int, wins: float, games: int) -> None:
    """Pairs that are won or lost as a whole, or game by game: 30 to 0 through 25 to 5."""
    random = np.random.default_rng(0)
    points = random.binomial(games, wins, (4000, pairs)) * PAIR / games
    low, high = score_ends(points, np.full(points.shape, PAIR))
    assert np.mean((low <= wins) & (wins <= high)) > 0.93
