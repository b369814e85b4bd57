"""Intervals of scores by openings: their laws, and how often they hold the truth."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import minimize
from scipy.stats import t as student

from arena.stats.elo import MANY, PAIR, UNSEEN, degrees, elo, score_ends, superiority

Rows = list[tuple[int, int]]
"""Half points and pairs on each opening."""
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
    """Pairs on an opening each."""
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
