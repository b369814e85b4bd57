"""The tuner's method: the same from the same seed, inside the box, and nearer to the best point."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bench.landscapes import KINDS, Landscape, space_of
from arena.bench.measures.tune import tuned_loss, tuning_row
from arena.tuning.method import Plan
from arena.tuning.methods import spsa
from arena.tuning.methods.surface import games
from arena.tuning.model.design import TRUST, Sides, Surrogate
from arena.tuning.model.surface import surface, unknowns

LAG = 4


def told_trials(method: Surrogate, trials: int, seed: int) -> list[tuple[Sides, float, int]]:
    """Let a method play so many trials, whose scores are drawn at random."""
    random = np.random.default_rng(seed)
    under_way, told = [], []
    for _ in range(trials):
        if len(under_way) == LAG:
            told.append(under_way.pop(0))
            method.tell(*told[-1])
        under_way.append((method.ask(4), float(random.integers(9)) / 8, 4))
    for result in under_way:
        told.append(result)
        method.tell(*result)
    return told


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 7), st.integers(0, 60), st.integers(0, 2**32 - 1))
def test_whatever_the_scores_all_points_stay_in_the_box_and_all_numbers_are_finite(
    parameters: int, trials: int, seed: int
) -> None:
    start = np.random.default_rng(seed).random(parameters)
    method = Surrogate(start, seed)
    for trial, _, _ in told_trials(method, trials, seed):
        for point in (trial.centre, trial.plus, trial.minus):
            assert ((point >= 0) & (point <= 1)).all()
        assert (trial.plus != trial.minus).any()
    found = method.recommend()
    assert ((found.low <= found.point) & (found.point <= found.high)).all()
    assert ((found.low >= 0) & (found.high <= 1)).all()
    assert np.isfinite(np.concatenate([*found[:5], [found.loss]])).all()
    assert (found.standard_error > 0).all()


def test_before_the_first_game_it_recommends_the_start() -> None:
    start = np.array([0.2, 0.7])
    assert np.allclose(Surrogate(start, 0).recommend().point, start)


def test_replaying_what_was_told_asks_the_same_trials_and_recommends_the_same() -> None:
    live, replayed = Surrogate(np.full(3, 0.5), 7), Surrogate(np.full(3, 0.5), 7)
    told = told_trials(live, 40, 1)
    live.recommend()
    asked = [replayed.ask(4) for _ in range(LAG)]
    for k, (trial, score, pairs) in enumerate(told):
        assert all(np.array_equal(one, other) for one, other in zip(asked[k], trial, strict=True))
        replayed.tell(trial, score, pairs)
        asked.append(replayed.ask(4))
    live.ask(4)
    assert np.allclose(live.recommend().point, replayed.recommend().point)


@given(st.integers(1, 7), st.integers(0, 40), st.integers(0, 2**32 - 1))
@settings(max_examples=10, deadline=None)
def test_even_where_strength_seems_flat_no_point_lies_far_from_the_centre(
    parameters: int, trials: int, seed: int
) -> None:
    method = Surrogate(np.random.default_rng(seed).random(parameters), seed)
    for _ in range(trials):
        method.tell(method.ask(4), 0.5, 4)
    trial = method.ask(4)
    for point in (trial.plus, trial.minus):
        assert (np.abs(point - trial.centre) <= TRUST + 1e-9).all()


def test_the_more_is_told_the_nearer_trials_stay() -> None:
    method = Surrogate(np.full(3, 0.5), 1)
    trusted = []
    for _ in range(8):
        trial = method.ask(500)
        assert np.abs(trial.plus - trial.centre).max() <= method.trusted + 1e-9
        trusted.append(method.trusted)
        method.tell(trial, 0.5, 500)
    assert trusted[:3] == [TRUST] * 3
    assert trusted == sorted(trusted, reverse=True)
    assert trusted[-1] < 0.75 * TRUST


def test_all_weights_of_ratios_may_grow_together() -> None:
    landscape = Landscape(5, 3, **KINDS["ratios"])
    moved = landscape.start + 0.5 / landscape.width
    assert landscape.elo(moved) == pytest.approx(landscape.elo(landscape.start))


def test_seeds_differ() -> None:
    first, second = (Surrogate(np.full(3, 0.5), seed).ask(4) for seed in (1, 2))
    assert not np.array_equal(first.plus, second.plus)


@given(st.integers(0, 1000), st.sampled_from([0.0, 0.5, 1.0]))
@settings(max_examples=30, deadline=None)
def test_values_that_differ_do_so_by_the_least_step(seed: int, start: float) -> None:
    least = np.array([0.0, 0.25, 1.0])
    trial = Surrogate(np.full(3, start), seed, least).ask(4)
    gap = np.abs(trial.plus - trial.minus)
    assert ((gap >= least - 1e-12) | (gap == 0)).all()


@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_a_surface_s_derivatives_are_those_of_its_elo(parameters: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    start = random.random(parameters)
    # Within the bounds of a surface, and no skew so small that it counts as none.
    unknown = random.uniform(0.3, 2.5, unknowns(parameters))
    unknown *= random.choice([-1, 1], len(unknown))
    points = random.random((5, parameters))
    elo, slopes = surface(start, unknown).derivatives(points)
    assert np.allclose(elo, surface(start, unknown).elo(points))
    for i in range(len(unknown)):
        step = 1e-5 * (np.arange(len(unknown)) == i)
        rise = surface(start, unknown + step).elo(points) - surface(start, unknown - step).elo(
            points
        )
        assert np.allclose(rise / 2e-5, slopes[:, i], rtol=1e-3, atol=1e-3)


@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_points_are_what_coordinates_are_of(parameters: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    now = surface(random.random(parameters), random.normal(size=unknowns(parameters)))
    points = random.random((5, parameters))
    reachable = (now.stretched(points) * now.skew / now.scale > -0.96).all(1)
    assert np.allclose(now.point(now.stretched(points))[reachable], points[reachable])


def test_no_point_of_the_box_is_stronger_than_the_best_of_it() -> None:
    random = np.random.default_rng(3)
    for _ in range(20):
        now = surface(random.random(3), np.concatenate([random.normal(0, 4, 9), [0.2, -0.2, 0.1]]))
        assert now.elo(now.best_in_box()) >= now.elo(random.random((200, 3))).max() - 1e-6


@pytest.mark.parametrize("budget", [1, 100, 4_000, 20_000, 10**6])
def test_trials_have_whole_pairs(budget: int) -> None:
    assert games(budget) % 2 == 0
    assert 8 <= games(budget) <= 40


@pytest.mark.parametrize("kind", KINDS)
def test_the_start_loses_the_gap_and_the_best_point_nothing(kind: str) -> None:
    landscape = Landscape(5, 3, gap=50, **KINDS[kind])
    assert landscape.elo(landscape.start) == pytest.approx(-50)
    assert landscape.elo(landscape.best) == pytest.approx(0)


@pytest.mark.parametrize(("method", "most"), [("surface", 10), ("spsa", 20)])
def test_tuning_gains_most_of_what_the_start_loses(method: str, most: float) -> None:
    plans = [Plan(budget=1500, games=10, lag=LAG, seed=seed) for seed in range(4)]
    losses = [tuned_loss(Landscape(3, plan.seed), method, plan) for plan in plans]
    assert np.mean(losses) < most


def test_spsa_steps_less_far_where_a_range_is_too_wide() -> None:
    landscape = Landscape(2, 0)
    landscape.width = np.array([1.0, 8.0])
    landscape.best = np.array([0.6, 0.52])
    plan = Plan(budget=1600, games=8, lag=1, seed=0)
    space = space_of(landscape)
    method = spsa.tuner(space, plan)
    for _ in range(plan.trials):
        trial = method.ask()
        method.tell(trial, landscape.answer(trial, 4))
    plus, minus = map(space.units, trial.points)
    wide, narrow = np.abs(plus - minus)[::-1]
    assert narrow > 3 * wide


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "most"),
    # Where only ratios of weights matter, and saturate, no quadratic holds for long.
    [("plain", 5), ("skew", 9), ("skew and misjudged", 10), ("ratios", 30)],
)
def test_four_thousand_games_leave_little_to_gain_in_six_dimensions(kind: str, most: float) -> None:
    row = tuning_row("surface", kind, 6, 4_000)
    assert (row["loss_0-11"] + row["loss_12-23"]) / 2 < most
