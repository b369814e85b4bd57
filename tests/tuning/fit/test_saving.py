"""What a fit saves is judged by openings that it has not seen, and that did not end it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf

import numpy as np
import pytest
from scipy.sparse import csr_array

from arena.stats.elo import half_width
from arena.stats.score_scale import Floats, ScoreScale, folds, validated_mean
from arena.tuning.fit.descent import Learned, Logistic, Settle, TrainingSet, descent, saving

MODEL = Logistic(ScoreScale(1.0, 0.0), np.ones(20))


def sample_of(seed: int, weights: float, openings: int = 40) -> TrainingSet:
    """Five positions of each opening, whose results 20 weights of this size tell."""
    random = np.random.default_rng(seed)
    counts = random.normal(0, 1, (5 * openings, 20))
    odds = counts @ random.normal(0, weights, 20)
    results = (random.random(len(odds)) < 1 / (1 + np.exp(-odds))).astype(float)
    return TrainingSet(csr_array(counts), np.zeros(len(odds)), results, np.arange(len(odds)) // 5)


def learned_too_much(sample: TrainingSet) -> Learned[TrainingSet]:
    """A fit that is judged by the positions that it is fitted to: its last steps look best."""
    epochs = descent(MODEL, sample, sample, 1e-9, lambda epoch: None)
    return Learned(MODEL, sample, sample, epochs, ())


def saved(
    found: Learned[TrainingSet], model_of: Callable[[TrainingSet], Logistic], settle: Settle
) -> tuple[float, float]:
    return saving(found, model_of, settle, 0, lambda words: None)


def same(change: Floats) -> Floats:
    return change


def test_a_fit_to_chance_alone_saves_nothing() -> None:
    for seed in range(3):
        found = learned_too_much(sample_of(seed, 0.0))
        assert found.epochs[0].held_out - found.best.held_out > 0.03
        gain, _ = saved(found, lambda part: MODEL, same)
        assert gain < 0


def test_a_fit_saves_what_its_weights_tell_of_other_games() -> None:
    found = learned_too_much(sample_of(1, 0.5, openings=400))
    gain, reach = saved(found, lambda part: MODEL, same)
    assert gain - reach > 0
    assert gain == pytest.approx(found.epochs[0].held_out - found.best.held_out, rel=0.15)


def test_no_step_or_one_that_the_engine_cannot_have_saves_exactly_nothing() -> None:
    found = learned_too_much(sample_of(1, 0.5))
    assert saved(replace(found, epochs=found.epochs[:1]), lambda part: MODEL, same) == (0, 0)
    gain, _ = saved(found, lambda part: MODEL, np.zeros_like)
    assert abs(gain) < 0.02, "only the worth of being on the move is left"


def test_one_opening_or_a_part_without_a_model_tells_nothing() -> None:
    one = learned_too_much(replace(sample_of(1, 0.5), groups=np.zeros(200, np.int64)))
    assert saved(one, lambda part: MODEL, same) == (0, inf)

    def none(part: TrainingSet) -> Logistic:
        raise ValueError("all games have one result")

    assert saved(learned_too_much(sample_of(1, 0.5)), none, same) == (0, inf)


def test_equal_positions_of_an_opening_tell_no_more_than_one() -> None:
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
