"""The worlds of `fit_coverage` have the truth that they are said to have."""

from __future__ import annotations

import numpy as np
import pytest

from arena.stats.score_scale import expectation, fitted_scale
from fit_coverage import UNIT, K, lines, positions_of, scores_of


def test_positions_are_won_as_often_as_their_log_odds_say() -> None:
    odds, rates = np.array([0.4, -0.2, 0.6]), np.array([0.5, 1.0, 0.2])
    sample = positions_of(np.random.default_rng(1), 1_500, odds, rates, UNIT * odds)
    expected = expectation(sample.values / UNIT)
    for low, high in ((0.0, 0.3), (0.3, 0.45), (0.45, 0.55), (0.55, 0.7), (0.7, 1.0)):
        chosen = (low <= expected) & (expected < high)
        assert sample.results[chosen].mean() == pytest.approx(expected[chosen].mean(), abs=0.02)


def test_scores_have_the_true_scale() -> None:
    scores = scores_of(np.random.default_rng(2), 1_500)
    found = fitted_scale(scores.values, scores.results, scores.groups)
    assert abs(found.factor - K) < 3 * found.error < 0.2 * K


def test_each_table_has_a_row_for_each_kind() -> None:
    found = list(lines(["off, 30 openings", "K, 5 openings"], limit=2))
    assert len(found) == 6
    for head, rule, row in (found[:3], found[3:]):
        assert len({each.count("|") for each in (head, rule, row)}) == 1
    assert found[2].startswith("| off, 30 openings | 16 |")
