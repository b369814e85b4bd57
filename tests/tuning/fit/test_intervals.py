"""Intervals of fitted weights are what the games alone tell, each opening by what the others do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from arena.stats.elo import half_width
from arena.stats.score_scale import Floats, ScoreScale, expectation
from arena.tuning.fit.descent import (
    Epoch,
    Logistic,
    TrainingSet,
    WeightIntervals,
    descent,
    occurrences,
    weight_intervals,
)

SCALE = 0.01
TRUE = np.array([60.0, -40.0, 90.0])
MODEL = Logistic(ScoreScale(SCALE, 0.0), np.abs(TRUE))


def sample_of(openings: int, seed: int, start: Floats) -> TrainingSet:
    """Ten positions of each opening, whose results follow from the true weights."""
    random = np.random.default_rng(seed)
    counts = random.poisson(1.0, (10 * openings, 3)) - random.poisson(1.0, (10 * openings, 3))
    odds = SCALE * (counts @ TRUE)
    results = (random.random(len(odds)) < expectation(odds)).astype(float)
    groups = np.arange(len(odds)) // 10
    return TrainingSet(csr_array(counts.astype(float)), counts @ start, results, groups)


def at(change: Floats, penalty: float = 0.0) -> Epoch:
    return Epoch(change, np.zeros(1), 0.0, 0.0, penalty)


def told(sample: TrainingSet, epoch: Epoch) -> WeightIntervals:
    return weight_intervals(MODEL, sample, epoch, occurrences(sample))


def test_the_step_and_the_penalty_of_the_fit_change_no_interval() -> None:
    sample = sample_of(60, 1, TRUE / 3)
    epochs = descent(MODEL, sample, sample, 1e-9, lambda epoch: None)
    early, late = told(sample, replace(epochs[2], penalty=10.0)), told(sample, epochs[-1])
    assert epochs[2].change != pytest.approx(epochs[-1].change, rel=0.05)
    for one, other in zip(
        (early.errors, early.lows, early.highs), (late.errors, late.lows, late.highs), strict=True
    ):
        assert one == pytest.approx(other, rel=1e-6)


def test_equal_positions_of_an_opening_tell_no_more_than_one() -> None:
    sample = sample_of(60, 2, TRUE)
    places = np.tile(np.arange(len(sample)), 10)
    tenfold = TrainingSet(
        csr_array(sample.counts.toarray()[places]),
        sample.values[places],
        sample.results[places],
        sample.groups[places],
    )
    once, many = told(sample, at(np.zeros(3))), told(tenfold, at(np.zeros(3)))
    assert many.errors == pytest.approx(once.errors, rel=1e-6)
    assert many.lows == pytest.approx(once.lows, rel=1e-6)


def test_an_error_is_the_jackknife_of_openings_by_one_step_each() -> None:
    """The twin solves for each opening what the others tell, with their own curvature."""
    sample = sample_of(8, 3, TRUE)
    found = told(sample, at(np.zeros(3)))
    change = (found.lows + found.highs) / 2
    free = descent(MODEL, sample, sample, 1e-9, lambda epoch: None)[-1].free
    rows = np.column_stack([SCALE * sample.counts.toarray(), np.ones(len(sample))])
    expected = expectation(MODEL.odds(sample, change, free))
    weights = expected * (1 - expected)
    moves = []
    for opening in range(8):
        rest, own = sample.groups != opening, sample.groups == opening
        curvature = (rows[rest] * weights[rest, None]).T @ rows[rest]
        slope = rows[own].T @ (sample.results - expected)[own]
        moves.append(np.linalg.solve(curvature, slope)[:3])
    errors = np.sqrt(7 / 8 * np.square(moves).sum(axis=0))
    assert found.errors == pytest.approx(errors, rel=0.01)


def test_few_openings_that_tell_of_a_weight_widen_its_interval() -> None:
    """The last feature is in three of 60 openings, in all their positions alike."""
    sample = sample_of(60, 4, TRUE)
    counts = sample.counts.toarray()
    counts[:, 2] = sample.groups < 3
    sample = replace(sample, counts=csr_array(counts))
    found = told(sample, at(np.zeros(3)))
    reaches = (found.highs - found.lows) / 2 / found.errors
    assert reaches[0] == pytest.approx(half_width(1.0, 60), rel=0.03)
    assert reaches[2] == pytest.approx(half_width(1.0, 3), rel=0.1)


def test_a_weight_of_which_one_opening_tells_has_no_interval() -> None:
    sample = sample_of(60, 5, TRUE)
    counts = sample.counts.toarray()
    counts[sample.groups != 7, 2] = 0
    once = told(replace(sample, counts=csr_array(counts)), at(np.zeros(3)))
    assert (once.errors[2], once.lows[2], once.highs[2]) == (np.inf, -np.inf, np.inf)
    assert np.isfinite([once.lows[:2], once.highs[:2]]).all()
    alone = told(sample.part(sample.groups == 7), at(np.zeros(3)))
    assert np.isinf([alone.errors, alone.lows, alone.highs]).all()


def test_starts_that_are_far_off_hold_the_truth() -> None:
    held = []
    for seed in range(20):
        start = TRUE * np.exp(np.random.default_rng(seed).choice([-1.5, 1.5], 3))
        sample = sample_of(40, 100 + seed, start)
        early = descent(MODEL, sample, sample, 1e-9, lambda epoch: None)[1]
        found, change = told(sample, early), TRUE - start
        held += [*((found.lows <= change) & (change <= found.highs))]
    assert 0.87 < np.mean(held) <= 1
