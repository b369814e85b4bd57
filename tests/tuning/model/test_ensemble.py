"""Several models of strength, weighed by what they predicted; their advice, ratios and gain."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from arena.stats.elo import expected_score
from arena.tuning.method import Forecast
from arena.tuning.model.design import Surrogate
from arena.tuning.model.ensemble import (
    Ensemble,
    RatioFit,
    ensemble_of,
    fitted_ensemble,
    gain_of,
    ratio_model,
)
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
    return surface(START, np.array([4.0, -3.0, 2.0, 3.2, 3.0, 3.4, *np.zeros(6)])).elo(x)


def ratio(x: Array) -> Array:
    model = ratio_model(START)
    unknown = model.around(np.array([0.3, 0.6, 0.6]))
    unknown[3:6] = 2.0
    unknown[6:] = np.log([90.0, 60.0, 80.0, 1.0, 1.0, 1.0])
    return model.elo(unknown, x)


def forecast_after(scores: Scores) -> Forecast:
    ensemble = fitted_ensemble(Prior(START), scores)
    found = ensemble.forecast(ensemble.fits["hill"].top)
    assert found is not None
    return found


@pytest.mark.parametrize(("elo", "shape"), [(hill, "hill"), (ratio, "ratios")])
def test_results_speak_for_the_shape_behind_them(elo: Callable[[Array], Array], shape: str) -> None:
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
    top: Array

    def leads(self, scores: Scores) -> tuple[Array, Array]:
        away = [np.abs(x - self.top).sum(1) for x in (scores.minus, scores.plus)]
        return 50 * (away[0] - away[1]), np.full(len(away[0]), 25.0)


@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_its_derivatives_are_those_of_its_elo(parameters: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    model = ratio_model(random.random(parameters))
    unknown = model.mean + model.spread * random.normal(size=len(model.mean))
    points = random.random((5, parameters))
    elo, slopes = model.derivatives(unknown, points)
    assert np.allclose(elo, model.elo(unknown, points))
    for i in range(len(unknown)):
        step = 1e-5 * (np.arange(len(unknown)) == i)
        rise = model.elo(unknown + step, points) - model.elo(unknown - step, points)
        assert np.allclose(rise / 2e-5, slopes[:, i], rtol=1e-3, atol=1e-3)


def test_where_no_parameter_matters_alone_moving_all_together_changes_nothing() -> None:
    model = ratio_model(np.full(3, 0.5))
    unknown = model.mean.copy()
    unknown[-3:] = -8.0  # the heights of each alone
    one, other = np.array([[0.2, 0.4, 0.3]]), np.array([[0.5, 0.7, 0.6]])
    assert model.elo(unknown, one) == pytest.approx(model.elo(unknown, other), abs=0.01)
    assert model.elo(unknown, one)[0] < -0.1


def test_no_pair_loses_more_than_its_height() -> None:
    model = ratio_model(np.full(2, 0.5))
    unknown = model.mean.copy()
    unknown[2:4] = 6.0  # so steep that every point is far from the top
    (lost,) = -model.elo(unknown, np.array([[0.0, 1.0]]))
    heights = np.exp(unknown[4:]).sum()
    assert 0.99 * heights < lost < heights


def test_a_fit_finds_the_top_of_what_made_the_scores() -> None:
    random = np.random.default_rng(4)
    model = ratio_model(np.full(3, 0.5))
    truth = model.around(np.array([0.35, 0.6, 0.55]))
    truth[6:] = np.log([40.0, 30.0, 50.0, 20.0, 10.0, 30.0])
    plus, minus = random.random((2, 400, 3))
    scores = expected_scores(model.elo(truth, plus) - model.elo(truth, minus))
    told = Scores(plus, minus, scores, np.full(400, 200.0))
    fit = RatioFit(model, told, told.pairs / 0.4, model.mean)
    assert fit.top == pytest.approx(np.array([0.35, 0.6, 0.55]), abs=0.02)
    lead, variance = fit.leads(told)
    assert np.abs(lead - (model.elo(truth, plus) - model.elo(truth, minus))).mean() < 3
    assert (variance > 0).all()


def test_many_parameters_have_no_pairs() -> None:
    assert ratio_model(np.full(40, 0.5)).pairs.shape == (40, 40)


CENTRE, TOP = np.full(2, 0.5), np.array([0.7, 0.4])


def steep(x: Array) -> Array:
    return surface(CENTRE, np.array([5.0, -2.5, 3.2, 3.2, 0, 0, 0])).elo(x)


@pytest.fixture(scope="module")
def ensemble() -> Ensemble:
    plus, minus = np.random.default_rng(3).random((2, 200, 2))
    score = expected_scores(steep(plus) - steep(minus))
    return fitted_ensemble(Prior(CENTRE), Scores(plus, minus, score, np.full(200, 50.0)))


def met(point: Array, elo: float, trials: int = 20, pairs: int = 10) -> Scores:
    """Trials of a point against the start, whose score is that of this lead."""
    points = np.tile(point, (trials, 1)), np.tile(CENTRE, (trials, 1))
    return Scores(*points, np.full(trials, expected_score(elo)), np.full(trials, float(pairs)))


@pytest.mark.parametrize("elo", [-60.0, 0.0, 45.0])
def test_what_the_games_against_the_default_say_is_the_gain(ensemble: Ensemble, elo: float) -> None:
    found = gain_of(ensemble, TOP, met(TOP, elo))
    assert found.elo == pytest.approx(elo, abs=1)
    assert found.interval[0] < elo < found.interval[1]


def test_models_tell_how_another_point_differs(ensemble: Ensemble) -> None:
    halfway = (CENTRE + TOP) / 2
    more = float(steep(TOP) - steep(halfway))
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
