"""The model of ratios: its slopes, what it calls equal, and the top that it finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from arena.tuning.model.ensemble import RatioFit, ratio_model
from arena.tuning.model.posterior import Scores, expected_scores


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
