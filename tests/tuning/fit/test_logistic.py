"""Fits of weights to results find the true weights, and leave those that occur nowhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array
from twins.curvatures import by_differences

from arena.engine import MATE
from arena.stats.score_scale import ScoreScale
from arena.tuning.fit.config import FitSettings
from arena.tuning.fit.descent import (
    Logistic,
    TrainingSet,
    best_epoch,
    descent,
    occurrences,
    split_openings,
    weight_intervals,
)
from arena.tuning.fit.result_fit import expected_by_scores, scale_of, sizes_of

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
    settings = FitSettings(holdout=0.1, score_share=0.0, l2=0.0, seed=seed)
    is_held_out = split_openings(sample.groups, settings)
    fitted, held_out = sample.part(~is_held_out), sample.part(is_held_out)
    model, l2 = Logistic(ScoreScale(SCALE, 0.0), np.abs(START)), 1e-9
    found = descent(model, fitted, held_out, l2, lambda epoch: None)
    best = found[-1]
    known = weight_intervals(model, fitted, best, occurrences(fitted))
    assert (np.abs(START + best.change - TRUE)[:4] < 3.5 * known.errors[:4]).all()
    assert (known.errors[:4] < 0.1 * np.abs(TRUE).max()).all()
    assert (known.errors[4], known.lows[4], known.highs[4]) == (np.inf, -np.inf, np.inf)
    assert best.change[4] == 0
    assert best_epoch(found).held_out < found[0].held_out


def test_a_scale_that_is_not_sure_is_guessed() -> None:
    sample = sample_of(2_000, TRUE)
    assert scale_of(sample).is_sure
    mixed = replace(sample, values=np.random.default_rng(1).permutation(sample.values))
    guess = scale_of(mixed)
    assert not guess.is_sure
    assert guess.factor == pytest.approx(1 / np.std(sample.values))


def test_curvatures_are_the_differences_of_slopes_before_the_fit() -> None:
    sample, model = sample_of(50, START), Logistic(ScoreScale(SCALE, 0.0, OFFSET), np.abs(START))
    assert model.curvatures(sample) == pytest.approx(by_differences(model, sample), abs=1e-10)


def test_rare_weights_are_found_in_few_steps_beside_common_ones() -> None:
    """One of ten weights is in every position, the others in one of 30, 60, ... positions."""
    random = np.random.default_rng(5)
    rare = random.random((40_000, 9)) < 1 / np.arange(30, 300, 30)
    counts = np.column_stack([random.poisson(40.0, 40_000), rare]).astype(float)
    odds = counts @ np.array([0.02, *random.normal(0, 1, 9)]) - 0.8
    results = (random.random(40_000) < 1 / (1 + np.exp(-odds))).astype(float)
    sample = TrainingSet(csr_array(counts), np.zeros(40_000), results, np.arange(40_000) // 10)
    found = descent(
        Logistic(ScoreScale(1.0, 0.0), np.ones(10)), sample, sample, 1e-6, lambda each: None
    )
    losses = [each.loss for each in found]
    nearly = losses[-1] + 0.01 * (losses[0] - losses[-1])
    assert next(i for i, loss in enumerate(losses) if loss < nearly) < 90


def test_scores_stand_for_results_by_one_scale_a_player_and_seen_wins_are_certain() -> None:
    sample = sample_of(30_000, TRUE)
    certain, third = 7, len(sample) // 3
    players = np.repeat(["deep", "silent", "random"], third)
    scores = np.rint(sample.values)
    scores[third : 2 * third] = np.nan
    scores[2 * third :] = np.random.default_rng(1).permutation(scores[:third])
    results = sample.results.copy()
    results[certain], scores[certain] = 0.0, MATE - 5
    found = expected_by_scores(results, sample.groups, players, scores)
    assert found[certain] == 1.0
    true = 1 / (1 + np.exp(-SCALE * sample.values - OFFSET))
    others = np.arange(third) != certain
    assert found[:third][others] == pytest.approx(true[:third][others], abs=0.05)
    assert (found[third:] == results[third:]).all(), "scores that tell nothing, or none"


@pytest.mark.parametrize("seed", range(4))
def test_few_games_still_tell_something_though_the_last_penalty_is_too_weak(seed: int) -> None:
    """200 positions and 60 weights: a stronger penalty is the best, and later ones overfit."""
    random = np.random.default_rng(seed)
    counts = random.poisson(0.5, (2200, 60)) - 0.5
    odds = counts @ random.normal(0, 0.15, 60)
    results = (random.random(2200) < 1 / (1 + np.exp(-odds))).astype(float)
    sample = TrainingSet(csr_array(counts), np.zeros(2200), results, np.arange(2200) // 10)
    is_fitted = np.arange(2200) < 200
    model = Logistic(ScoreScale(1.0, 0.0), np.ones(60))
    parts = sample.part(is_fitted), sample.part(~is_fitted)
    found = descent(model, *parts, 1e-9, lambda each: None)
    assert best_epoch(found).held_out < found[0].held_out - 0.01
    assert best_epoch(found).penalty > 1e-9
    assert found[-1].held_out > found[0].held_out


def test_weights_of_small_size_are_found_beside_great_ones() -> None:
    """The small weight is rare, another one never occurs, and the last penalty is 0."""
    random = np.random.default_rng(6)
    counts = np.column_stack([random.normal(0, 40, 40_000), random.random(40_000) < 0.005])
    results = (
        random.random(40_000) < 1 / (1 + np.exp(-0.01 * counts[:, 0] - 2 * counts[:, 1]))
    ).astype(float)
    counts = csr_array(np.column_stack([counts, np.zeros(40_000)]))
    sample = TrainingSet(counts, np.zeros(40_000), results, np.arange(40_000) // 10)
    model = Logistic(ScoreScale(1e-4, 0.0), np.array([50_000.0, 1.0, 1.0]))
    last = descent(model, sample, sample, 0.0, lambda each: None)[-1]
    assert last.change[:2] == pytest.approx([100, 20_000], rel=0.25)
    assert last.change[2] == 0


def test_weights_of_tables_are_as_free_as_a_log_odds_and_parameters_as_themselves() -> None:
    weights = np.array([-900.0, 30.0, 0.0])
    assert sizes_of(weights, 600.0, is_table=True).tolist() == [900, 600, 600]
    assert sizes_of(weights, 600.0, is_table=False).tolist() == [900, 30, 1]
    assert sizes_of(weights, 0.5, is_table=False).tolist() == [900, 30, 0.5]
