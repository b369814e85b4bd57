"""Weights fitted to results: the true ones are found, and what is told is what games tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf, nextafter

import numpy as np
import pytest
from scipy.sparse import csr_array
from twins.curvatures import by_differences

from arena.engine import MATE
from arena.stats.elo import half_width
from arena.stats.score_scale import Floats, ScoreScale, expectation, folds, validated_mean
from arena.tuning.fit.config import FitSettings
from arena.tuning.fit.descent import (
    Epoch,
    Learned,
    Logistic,
    Settle,
    TrainingSet,
    WeightIntervals,
    best_epoch,
    descent,
    occurrences,
    saving,
    split_openings,
    weight_intervals,
)
from arena.tuning.fit.result_fit import _value_of, expected_by_scores, scale_of, sizes_of
from arena.tuning.space import Axis, Space

SCALE, OFFSET = 0.004, 0.3
TRUE = np.array([120.0, -300.0, 40.0, 900.0, 0.0])
START = np.array([100.0, -200.0, 60.0, 700.0, 50.0])  # The last weight occurs nowhere


def sample_of(positions: int, weights: np.ndarray, seed: int = 1) -> TrainingSet:
    """Positions, ten of each opening, whose results follow from these weights."""
    random = np.random.default_rng(seed)
    counts = random.poisson(0.7, (positions, 5)) - random.poisson(0.7, (positions, 5))
    counts[:, 4] = 0
    odds = SCALE * (counts @ TRUE) + OFFSET
    results = (random.random(positions) < 1 / (1 + np.exp(-odds))).astype(float)
    groups = np.arange(positions) // 10
    return TrainingSet(csr_array(counts.astype(float)), counts @ weights, results, groups)


def epochs_of(model: Logistic, sample: TrainingSet, l2: float = 1e-9) -> Sequence[Epoch]:
    return descent(model, sample, sample, l2, lambda epoch: None)


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
    found = epochs_of(Logistic(ScoreScale(1.0, 0.0), np.ones(10)), sample, 1e-6)
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
    last = epochs_of(model, sample, 0.0)[-1]
    assert last.change[:2] == pytest.approx([100, 20_000], rel=0.25)
    assert last.change[2] == 0


def test_weights_of_tables_are_as_free_as_a_log_odds_and_parameters_as_themselves() -> None:
    weights = np.array([-900.0, 30.0, 0.0])
    assert sizes_of(weights, 600.0, is_table=True).tolist() == [900, 600, 600]
    assert sizes_of(weights, 600.0, is_table=False).tolist() == [900, 30, 1]
    assert sizes_of(weights, 0.5, is_table=False).tolist() == [900, 30, 0.5]


UNIT = 0.01
THREE = np.array([60.0, -40.0, 90.0])
OF_THREE = Logistic(ScoreScale(UNIT, 0.0), np.abs(THREE))


def sample_of_three(openings: int, seed: int, start: Floats) -> TrainingSet:
    """Ten positions of each opening, whose results follow from the true weights."""
    random = np.random.default_rng(seed)
    counts = random.poisson(1.0, (10 * openings, 3)) - random.poisson(1.0, (10 * openings, 3))
    odds = UNIT * (counts @ THREE)
    results = (random.random(len(odds)) < expectation(odds)).astype(float)
    groups = np.arange(len(odds)) // 10
    return TrainingSet(csr_array(counts.astype(float)), counts @ start, results, groups)


def at(change: Floats, penalty: float = 0.0) -> Epoch:
    return Epoch(change, np.zeros(1), 0.0, 0.0, penalty)


def told(sample: TrainingSet, epoch: Epoch) -> WeightIntervals:
    return weight_intervals(OF_THREE, sample, epoch, occurrences(sample))


def test_the_step_and_the_penalty_of_the_fit_change_no_interval() -> None:
    sample = sample_of_three(60, 1, THREE / 3)
    epochs = epochs_of(OF_THREE, sample)
    early, late = told(sample, replace(epochs[2], penalty=10.0)), told(sample, epochs[-1])
    assert epochs[2].change != pytest.approx(epochs[-1].change, rel=0.05)
    for name in ("errors", "lows", "highs"):
        assert getattr(early, name) == pytest.approx(getattr(late, name), rel=1e-6)


def test_equal_positions_of_an_opening_tell_no_more_than_one() -> None:
    sample = sample_of_three(60, 2, THREE)
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
    sample = sample_of_three(8, 3, THREE)
    found = told(sample, at(np.zeros(3)))
    change = (found.lows + found.highs) / 2
    free = epochs_of(OF_THREE, sample)[-1].free
    rows = np.column_stack([UNIT * sample.counts.toarray(), np.ones(len(sample))])
    expected = expectation(OF_THREE.odds(sample, change, free))
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
    sample = sample_of_three(60, 4, THREE)
    counts = sample.counts.toarray()
    counts[:, 2] = sample.groups < 3
    sample = replace(sample, counts=csr_array(counts))
    found = told(sample, at(np.zeros(3)))
    reaches = (found.highs - found.lows) / 2 / found.errors
    assert reaches[0] == pytest.approx(half_width(1.0, 60), rel=0.03)
    assert reaches[2] == pytest.approx(half_width(1.0, 3), rel=0.1)


def test_a_weight_of_which_one_opening_tells_has_no_interval() -> None:
    sample = sample_of_three(60, 5, THREE)
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
        start = THREE * np.exp(np.random.default_rng(seed).choice([-1.5, 1.5], 3))
        sample = sample_of_three(40, 100 + seed, start)
        early = epochs_of(OF_THREE, sample)[1]
        found, change = told(sample, early), THREE - start
        held += [*((found.lows <= change) & (change <= found.highs))]
    assert 0.87 < np.mean(held) <= 1


OF_TWENTY = Logistic(ScoreScale(1.0, 0.0), np.ones(20))


def sample_of_twenty(seed: int, weights: float, openings: int = 40) -> TrainingSet:
    """Five positions of each opening, whose results 20 weights of this size tell."""
    random = np.random.default_rng(seed)
    counts = random.normal(0, 1, (5 * openings, 20))
    odds = counts @ random.normal(0, weights, 20)
    results = (random.random(len(odds)) < 1 / (1 + np.exp(-odds))).astype(float)
    return TrainingSet(csr_array(counts), np.zeros(len(odds)), results, np.arange(len(odds)) // 5)


def learned_too_much(sample: TrainingSet) -> Learned[TrainingSet]:
    """A fit that is judged by the positions that it is fitted to: its last steps look best."""
    epochs = epochs_of(OF_TWENTY, sample)
    return Learned(OF_TWENTY, sample, sample, epochs, ())


def saved(
    found: Learned[TrainingSet], model_of: Callable[[TrainingSet], Logistic], settle: Settle
) -> tuple[float, float]:
    return saving(found, model_of, settle, 0, lambda words: None)


def same(change: Floats) -> Floats:
    return change


def test_a_fit_to_chance_alone_saves_nothing() -> None:
    for seed in range(3):
        found = learned_too_much(sample_of_twenty(seed, 0.0))
        assert found.epochs[0].held_out - found.best.held_out > 0.03
        gain, _ = saved(found, lambda part: OF_TWENTY, same)
        assert gain < 0


def test_a_fit_saves_what_its_weights_tell_of_other_games() -> None:
    found = learned_too_much(sample_of_twenty(1, 0.5, openings=400))
    gain, reach = saved(found, lambda part: OF_TWENTY, same)
    assert gain - reach > 0
    assert gain == pytest.approx(found.epochs[0].held_out - found.best.held_out, rel=0.15)


def test_no_step_or_one_that_the_engine_cannot_have_saves_exactly_nothing() -> None:
    found = learned_too_much(sample_of_twenty(1, 0.5))
    assert saved(replace(found, epochs=found.epochs[:1]), lambda part: OF_TWENTY, same) == (0, 0)
    gain, _ = saved(found, lambda part: OF_TWENTY, np.zeros_like)
    assert abs(gain) < 0.02, "only the worth of being on the move is left"


def test_one_opening_or_a_part_without_a_model_tells_nothing() -> None:
    one = learned_too_much(replace(sample_of_twenty(1, 0.5), groups=np.zeros(200, np.int64)))
    assert saved(one, lambda part: OF_TWENTY, same) == (0, inf)

    def none(part: TrainingSet) -> Logistic:
        raise ValueError("all games have one result")

    assert saved(learned_too_much(sample_of_twenty(1, 0.5)), none, same) == (0, inf)


def test_equal_values_of_an_opening_tell_no_more_than_one() -> None:
    values, groups = np.random.default_rng(1).normal(0, 1, 50), np.arange(50) // 5
    mean, reach = validated_mean(np.tile(values, 10), np.tile(groups, 10))
    assert (mean, reach) == pytest.approx(validated_mean(values, groups))


def test_the_interval_pays_for_what_the_fits_share() -> None:
    """By hand: 20 openings of one value each, in ten parts."""
    values = np.random.default_rng(2).normal(0, 1, 20)
    _, reach = validated_mean(values, np.arange(20))
    error = values.std(ddof=1) * np.sqrt(1 / 20) * np.sqrt(1 + 10 / 9)
    assert reach == pytest.approx(half_width(error, 20))


def test_each_opening_is_left_out_once_and_as_a_whole() -> None:
    groups = np.repeat(np.arange(23), 3)
    parts = list(folds(groups))
    assert np.sum(parts, axis=0).tolist() == [1] * len(groups)
    assert [len(np.unique(groups[part])) for part in parts] == [3] * 3 + [2] * 7
    assert all(
        len(part) == len(groups) and not set(groups[part]) & set(groups[~part]) for part in parts
    )
    assert list(folds(np.zeros(5, np.int64))) == []


SPACE = Space(
    (
        Axis("share", 0.25, 0.0, 1 / 3),
        Axis("scale", 2.0, 0.1, 50.0, log=True),
        Axis("count", 10, 0, 100, is_whole=True, step=1),
    )
)


@pytest.mark.parametrize(
    ("name", "start", "change", "after"),
    [
        ("share", 0.25, 0.012345678901, 0.26234568),
        ("share", 0.25, 0.5, 0.33333333),
        ("scale", 2.0, 1.3456789012, 3.3456789),
        ("count", 10.0, 3.4, 13),
        ("7", 1.5, 0.123456789012, 1.6234568),
    ],
)
def test_weights_are_rounded_in_range(name: str, start: float, change: float, after: float) -> None:
    for near in (nextafter(change, -inf), change, nextafter(change, inf)):
        assert _value_of(SPACE, name, start, near)[1] == after


def test_a_weight_that_is_not_changed_stays_as_it_was() -> None:
    assert _value_of(SPACE, "7", 0.123456789012345, 0.0) == (0.123456789012345,) * 2
    assert _value_of(SPACE, "share", 0.25, 0.0) == (0.25, 0.25)
