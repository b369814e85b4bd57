"""Several models of strength: each is weighed by what it predicted, and so is all their advice."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from arena.tuning.method import Forecast
from arena.tuning.model.design import Surrogate
from arena.tuning.model.ensemble import ensemble_of, fitted_ensemble, ratio_model
from arena.tuning.model.posterior import Array, Prior, Scores, expected_scores, surface

START = np.full(3, 0.5)


def told_by(elo: Callable[[Array], Array], trials: int = 300, pairs: int = 60) -> Scores:
    """Trials all over the box, whose scores are as expected, but for luck."""
    random = np.random.default_rng(8)
    plus, minus = random.random((2, trials, 3))
    chance = expected_scores(elo(plus) - elo(minus))
    score = random.binomial(2 * pairs, chance) / (2 * pairs)
    return Scores(plus, minus, score, np.full(trials, float(pairs)))


def hill(x: Array) -> Array:
    """A hill that is steep in all parameters."""
    return surface(START, np.array([4.0, -3.0, 2.0, 3.2, 3.0, 3.4, *np.zeros(6)])).elo(x)


def ratio(x: Array) -> Array:
    """Strength that depends on the ratios of three weights."""
    model = ratio_model(START)
    unknown = model.around(np.array([0.3, 0.6, 0.6]))
    unknown[3:6] = 2.0
    unknown[6:] = np.log([90.0, 60.0, 80.0, 1.0, 1.0, 1.0])
    return model.elo(unknown, x)


def forecast_after(scores: Scores) -> Forecast:
    """The forecast at the top of the hill."""
    ensemble = fitted_ensemble(Prior(START), scores)
    found = ensemble.forecast(ensemble.fits["hill"].top)
    assert found is not None
    return found


@pytest.mark.parametrize(("elo", "shape"), [(hill, "hill"), (ratio, "ratios")])
def test_the_results_speak_for_the_shape_that_made_them(
    elo: Callable[[Array], Array], shape: str
) -> None:
    ensemble = fitted_ensemble(Prior(START), told_by(elo))
    assert sum(ensemble.shares.values()) == pytest.approx(1)
    others = {"hill": ["ratios"], "ratios": ["hill", "nearby hill"]}[shape]
    assert all(ensemble.shares[other] < 0.05 for other in others)


def test_what_is_lost_by_ratios_is_expected_where_the_results_speak_for_them() -> None:
    ensemble = fitted_ensemble(Prior(START), told_by(ratio))
    # The start loses 75 Elo by ratios, and next to nothing by the hill, which is too wide for them.
    for point, is_doubtful in ((START, True), (ensemble.fits["ratios"].top, False)):
        found = ensemble.forecast(point)
        assert found is not None
        assert found.is_doubtful is is_doubtful


def test_what_came_as_predicted_has_a_slope_of_one() -> None:
    found = forecast_after(told_by(hill))
    assert found.trials == 60
    assert found.slope == pytest.approx(1, abs=3 * found.error)
    assert found.error < 0.1
    assert not found.is_doubtful


def test_models_that_the_last_trials_contradict_are_not_to_be_trusted() -> None:
    scores = told_by(hill)
    score = scores.score.copy()
    score[-60:] = 1 - score[-60:]
    found = forecast_after(scores._replace(score=score))
    assert found.slope < -0.5
    assert found.is_doubtful


def test_no_model_has_seen_what_it_predicts() -> None:
    scores = told_by(hill)
    score = scores.score.copy()
    score[-60:] = 0.5
    # The weight of what was predicted does not depend on what then came.
    assert forecast_after(scores._replace(score=score)).error == forecast_after(scores).error


def test_too_few_trials_are_no_ground_for_a_judgement() -> None:
    ensemble = fitted_ensemble(Prior(START), told_by(hill, trials=9))
    assert ensemble.forecast(START) is None
    assert list(ensemble.shares.values()) == pytest.approx([1 / 3] * 3)


def test_points_that_are_the_same_to_all_models_are_no_prediction() -> None:
    scores = told_by(hill)
    found = forecast_after(scores._replace(minus=scores.plus))
    assert found.trials == 60
    assert np.isnan(found.slope)
    # Nothing was learnt, so the values are doubtful all the same.
    assert found.is_doubtful


def test_nothing_told_is_no_model() -> None:
    assert ensemble_of(Surrogate(START, 1)) is None


def test_the_advice_goes_to_the_top_that_no_model_doubts() -> None:
    ensemble = fitted_ensemble(Prior(START), told_by(hill))
    end = np.array([0.3, 0.7, 0.5])
    assert hill(end[None])[0] < -40
    assert hill(ensemble.towards_top(end)[None])[0] > -2


def test_a_top_that_another_model_is_sure_to_be_weaker_does_not_count() -> None:
    ensemble = fitted_ensemble(Prior(START), told_by(hill))
    end = ensemble.fits["hill"].top
    astray = Astray(np.array([1.0, 0.0, 1.0]))
    mixed = ensemble._replace(
        fits={**ensemble.fits, "ratios": astray},
        shares={"hill": 0.06, "nearby hill": 0.06, "ratios": 0.88},
    )
    assert mixed.confidence(astray.top, end) < 1e-6
    assert mixed.towards_top(end) == pytest.approx(end, abs=0.01)


def test_a_model_of_a_small_share_may_not_doubt_the_others() -> None:
    ensemble = fitted_ensemble(Prior(START), told_by(hill))
    top, end = ensemble.fits["hill"].top, np.array([0.3, 0.7, 0.5])
    doubting = ensemble._replace(fits={**ensemble.fits, "ratios": Astray(end)})
    for share, expected in ((0.04, 1.0), (0.06, 0.0)):
        shares = {"hill": 1 - share, "nearby hill": 0.0, "ratios": share}
        found = doubting._replace(shares=shares).confidence(top, end)
        assert found == pytest.approx(expected, abs=1e-3)


class Astray(NamedTuple):
    """A model that holds a corner for the top."""

    top: Array

    def leads(self, scores: Scores) -> tuple[Array, Array]:
        away = [np.abs(x - self.top).sum(1) for x in (scores.minus, scores.plus)]
        return 50 * (away[0] - away[1]), np.full(len(away[0]), 25.0)
