"""Fits of weights to results: what was put in comes out, and what was never seen stays."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from arena.engine import MATE
from arena.stats.score_scale import ScoreScale
from arena.tuning.fit.descent import best_epoch, descent, split_openings
from arena.tuning.fit.logistic import Logistic, TrainingSet
from arena.tuning.fit.result_fit import blended

SCALE, OFFSET = 0.004, 0.3
TRUE = np.array([120.0, -300.0, 40.0, 900.0, 0.0])
START = np.array([100.0, -200.0, 60.0, 700.0, 50.0])
"""The last weight occurs nowhere."""


def sample_of(positions: int, weights: np.ndarray, seed: int = 1) -> TrainingSet:
    """Positions, ten of each opening, whose results follow from these weights."""
    random = np.random.default_rng(seed)
    counts = random.poisson(0.7, (positions, 5)) - random.poisson(0.7, (positions, 5))
    counts[:, 4] = 0
    odds = SCALE * (counts @ TRUE) + OFFSET
    results = (random.random(positions) < 1 / (1 + np.exp(-odds))).astype(float)
    groups = np.arange(positions) // 10
    return TrainingSet(csr_array(counts.astype(float)), counts @ weights, results, groups)


@pytest.mark.parametrize("seed", range(4))
def test_true_weights_are_found_within_their_errors(seed: int) -> None:
    sample = sample_of(40_000, START, seed)
    is_held_out = split_openings(sample, 0.1, seed)
    fitted, held_out = sample.part(~is_held_out), sample.part(is_held_out)
    model, l2 = Logistic(ScoreScale(SCALE, 0.0), np.abs(START)), 1e-9
    found = descent(model, fitted, held_out, l2, lambda epoch: None)
    best = found[-1]
    errors = model.errors(fitted, best, l2)
    assert (np.abs(START + best.change - TRUE)[:4] < 3.5 * errors[:4]).all()
    assert (errors[:4] < 0.1 * np.abs(TRUE).max()).all()
    assert best.change[4] == 0
    assert best_epoch(found).held_out < found[0].held_out


def test_scores_stand_for_results_by_one_scale_a_player_and_seen_wins_are_certain() -> None:
    sample = sample_of(20_000, TRUE)
    certain, half = 7, len(sample) // 2
    labels = [
        (float(result), int(group), "deep" if i < half else "silent", int(value))
        for i, (result, group, value) in enumerate(
            zip(sample.results, sample.groups, sample.values, strict=True)
        )
    ]
    labels[certain] = (0.0, 0, "deep", MATE - 5)
    labels = [(*each[:3], None) if each[2] == "silent" else each for each in labels]
    found = blended(np.array([each[0] for each in labels]), sample.groups, labels, 1.0)
    assert found[certain] == 1.0
    true = 1 / (1 + np.exp(-SCALE * sample.values - OFFSET))
    others = np.arange(len(sample)) != certain
    assert found[:half][others[:half]] == pytest.approx(true[:half][others[:half]], abs=0.05)
    assert (found[half:] == sample.results[half:]).all()
