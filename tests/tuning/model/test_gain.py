"""The gain over the default values: games against these count, against all models."""

from __future__ import annotations

import numpy as np
import pytest

from arena.stats.elo import expected_score
from arena.tuning.model.ensemble import Ensemble, fitted_ensemble, gain_of
from arena.tuning.model.posterior import Array, Prior, Scores, expected_scores, surface

START, TOP = np.full(2, 0.5), np.array([0.7, 0.4])


def hill(x: Array) -> Array:
    """A hill that is steep in both parameters."""
    return surface(START, np.array([5.0, -2.5, 3.2, 3.2, 0, 0, 0])).elo(x)


@pytest.fixture(scope="module")
def ensemble() -> Ensemble:
    """The models of many trials all over the box."""
    plus, minus = np.random.default_rng(3).random((2, 200, 2))
    score = expected_scores(hill(plus) - hill(minus))
    return fitted_ensemble(Prior(START), Scores(plus, minus, score, np.full(200, 50.0)))


def met(point: Array, elo: float, trials: int = 20, pairs: int = 10) -> Scores:
    """Trials of a point against the start, whose score is that of this lead."""
    points = np.tile(point, (trials, 1)), np.tile(START, (trials, 1))
    return Scores(*points, np.full(trials, expected_score(elo)), np.full(trials, float(pairs)))


@pytest.mark.parametrize("elo", [-60.0, 0.0, 45.0])
def test_what_the_games_against_the_default_say_is_the_gain(ensemble: Ensemble, elo: float) -> None:
    found = gain_of(ensemble, TOP, met(TOP, elo))
    assert found.elo == pytest.approx(elo, abs=1)
    assert found.interval[0] < elo < found.interval[1]


def test_models_tell_how_another_point_differs(ensemble: Ensemble) -> None:
    halfway = (START + TOP) / 2
    more = float(hill(TOP) - hill(halfway))
    found = gain_of(ensemble, TOP, met(halfway, 10))
    assert found.elo == pytest.approx(10 + more, abs=3)
    assert found.error > gain_of(ensemble, halfway, met(halfway, 10)).error


def test_four_times_the_games_halve_the_error(ensemble: Ensemble) -> None:
    some, more = (gain_of(ensemble, TOP, met(TOP, 20, pairs=pairs)).error for pairs in (10, 40))
    assert more == pytest.approx(some / 2, rel=0.05)


def test_a_whitewash_is_no_infinite_gain(ensemble: Ensemble) -> None:
    (*points, score, pairs) = met(TOP, 0, trials=1)
    found = gain_of(ensemble, TOP, Scores(*points, np.ones_like(score), pairs))
    assert 200 < found.elo < 800
    assert found.error > 50
