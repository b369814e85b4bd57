"""The way from scores to results: a known one comes out of games that were made with it."""

from __future__ import annotations

import numpy as np
import pytest

from arena.stats.score_scale import (
    Decile,
    Floats,
    Groups,
    ScoreScale,
    calibration_error,
    cluster_spread,
    deciles,
    fitted_scale,
)

K = 0.004


def played(
    openings: int, seed: int, offset: float = 0.3, lean: float = 0.5
) -> tuple[Floats, Floats, Groups]:
    """Scores, results and openings of 10 positions an opening, whose results these share in part.

    `lean` is the standard deviation of an opening's own log odds.
    """
    random = np.random.default_rng(seed)
    groups = np.repeat(np.arange(openings), 10)
    scores = np.round(random.standard_t(3, len(groups)) * 300)
    odds = K * scores + offset + random.normal(0, lean, openings)[groups]
    results = (random.random(len(groups)) < 1 / (1 + np.exp(-odds))).astype(float)
    return scores, results, groups


@pytest.mark.parametrize("seed", range(4))
def test_a_known_scale_is_found(seed: int) -> None:
    scale = fitted_scale(*played(4_000, seed, lean=0.0))
    assert abs(scale.factor / K - 1) < 0.03
    assert abs(scale.factor - K) < 3.5 * scale.error < 0.1 * K
    assert scale.offset == pytest.approx(0.3, abs=0.05)
    assert scale.is_sure


@pytest.mark.slow
@pytest.mark.parametrize("openings", [6, 12, 100])
def test_the_interval_of_the_scale_holds_the_true_one_in_19_of_20_runs(openings: int) -> None:
    made = [fitted_scale(*played(openings, seed, lean=0.0)) for seed in range(300)]
    inside = np.mean([abs(each.factor - K) < each.reach for each in made])
    assert 0.9 < inside < 0.99


def test_results_that_an_opening_shares_are_no_more_than_one() -> None:
    scores, results, groups = played(60, 1)
    # Every position comes ten times, as the moves of a game that say much the same.
    copies = [np.tile(each, 10) for each in (scores, results, groups)]
    once, tenfold = fitted_scale(scores, results, groups), fitted_scale(*copies)
    assert tenfold.factor == pytest.approx(once.factor)
    assert tenfold.error == pytest.approx(once.error)


def test_the_order_of_games_and_the_unit_of_scores_change_nothing() -> None:
    scores, results, groups = played(100, 2)
    found = fitted_scale(scores, results, groups)
    order = np.random.default_rng(0).permutation(len(scores))
    mixed = fitted_scale(1000 * scores[order], results[order], -7 * groups[order])
    assert 1000 * mixed.factor == pytest.approx(found.factor)
    assert 1000 * mixed.error == pytest.approx(found.error)
    assert mixed.offset == pytest.approx(found.offset)


def test_scores_that_an_engine_gives_to_won_games_leave_its_scale() -> None:
    scores, results, groups = played(1_000, 3)
    found = fitted_scale(scores, results, groups)
    largest = np.argsort(scores)[-40:]
    far = scores.copy()
    far[largest] = 10_000_000
    won = results.copy()
    won[largest] = 1.0
    assert fitted_scale(far, won, groups).factor == pytest.approx(found.factor, rel=0.2)


def test_scores_that_tell_nothing_are_not_sure() -> None:
    scores, results, groups = played(200, 4)
    order = np.random.default_rng(0).permutation(len(scores))
    assert not fitted_scale(scores[order], results, groups).is_sure
    assert not fitted_scale(-scores, results, groups).is_sure


def test_what_has_no_scale_is_refused_with_the_reason() -> None:
    scores, results, groups = played(20, 5)
    with pytest.raises(ValueError, match="all scores are equal"):
        fitted_scale(0 * scores, results, groups)
    with pytest.raises(ValueError, match="all games have one result"):
        fitted_scale(scores, 0 * results, groups)
    with pytest.raises(ValueError, match="the scores tell every result"):
        fitted_scale(scores, (scores > 0).astype(float), groups)


def test_tenths_are_of_what_is_expected() -> None:
    scale = ScoreScale(0.01, 0.0)
    scores, results = np.arange(-100.0, 100.0), np.repeat([0.0, 1.0], 100)
    found = deciles(scale.expected(scores), results)
    assert [each.result for each in found] == [0.0] * 5 + [1.0] * 5
    assert [each.expected for each in found] == sorted(each.expected for each in found)
    assert len(deciles(scale.expected(scores[:3]), results[:3])) == 3


def test_equal_expectations_are_in_one_tenth_in_whatever_order_they_come() -> None:
    expected = np.repeat([0.5, 0.9], [60, 40])
    results = np.tile([0.0, 1.0], 50)
    assert deciles(expected, results) == [
        Decile(pytest.approx(0.5), pytest.approx(0.5)),
        Decile(pytest.approx(0.9), pytest.approx(0.5)),
    ]
    assert calibration_error(expected, results) == pytest.approx(0.4 * 0.4)


def test_few_groups_spread_as_widely_as_they_would_about_the_truth() -> None:
    """At the likeliest scale, rows sum up to 0, as if their groups varied less than they do."""
    rows = np.random.default_rng(1).normal(0, 2, (4000, 5, 1))
    found = [cluster_spread(each - each.mean(), np.arange(5)) for each in rows]
    assert np.mean(found) == pytest.approx(5 * 2**2, rel=0.04)
