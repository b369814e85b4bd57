"""The landscapes made up for the tuner: their answer is known, and the start is far from it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from arena.stats.elo import elo
from arena.tuning.method import Trial, TrialResult
from benchmarks.landscapes import DRAWISH, GAP, KINDS, Landscape, space_of
from benchmarks.shapes import CLIFF, VALUES, Cliff, Sparse, Styles, TwoConditions, TwoHills, stacked

SEEDS = range(4)
EVERY = list(product(KINDS, (2, 6, 12), SEEDS))


def played(landscape: Landscape, points: np.ndarray) -> np.ndarray:
    """The points that can be played beside some."""
    return landscape.shape.playable(points)


@pytest.mark.parametrize("kind", KINDS)
def test_the_start_loses_the_gap_and_the_best_point_nothing(kind: str) -> None:
    for parameters, seed, gap in product((2, 5, 12), SEEDS, (GAP, 70)):
        landscape = Landscape(parameters, seed, kind, gap=gap)
        assert landscape.elo(landscape.shape.start) == pytest.approx(-gap)
        assert landscape.elo(landscape.shape.best) == pytest.approx(0)


@pytest.mark.parametrize(("kind", "parameters", "seed"), EVERY)
def test_no_point_is_stronger_than_the_best(kind: str, parameters: int, seed: int) -> None:
    landscape = Landscape(parameters, seed, kind)
    random, best = np.random.default_rng(seed), landscape.shape.best
    assert ((best >= 0) & (best <= 1)).all()
    anywhere = random.random((500, parameters))
    near = np.clip(best + random.normal(0, 0.03, (500, parameters)), 0, 1)
    losses = landscape.shape.loss(played(landscape, np.concatenate([anywhere, near])))
    assert losses.min() > -1e-9
    assert losses.max() > 30


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_is_the_same_landscape_and_another_is_another(kind: str) -> None:
    one, same, other = (Landscape(6, seed, kind) for seed in (1, 1, 2))
    points = np.random.default_rng(0).random((2, 6))
    lost = [played(each, points) for each in (one, same, other)]
    assert one.elo(lost[0][0]) == same.elo(lost[1][0]) != other.elo(lost[2][0])
    near = one.shape.best, one.shape.best + 1e-6
    scores = [each.scores(*near, pairs=20).tolist() for each in (one, same, other)]
    assert scores[0] == scores[1] != scores[2]


@pytest.mark.parametrize("kind", KINDS)
def test_stacked_shapes_lose_what_each_alone_does(kind: str) -> None:
    shapes = [KINDS[kind](6, seed, GAP) for seed in SEEDS]
    both = np.random.default_rng(0).random((2, len(shapes), 5, 6))
    for turn in (0, 1):
        together = stacked(shapes).lead(*both, turn)
        alone = [each.lead(*both[:, i], turn) for i, each in enumerate(shapes)]
        assert together == pytest.approx(np.array(alone))
    assert stacked(shapes).loss(both[0])[2] == pytest.approx(shapes[2].loss(both[0, 2]))


@pytest.mark.parametrize(("draws", "share"), [("few", 0.037), ("many", 0.6)])
def test_equal_players_draw_as_many_games_as_it_says(draws: str, share: float) -> None:
    assert set(DRAWISH) == {"few", "many"}
    landscape = Landscape(2, 3, draws=draws)
    scores = landscape.scores(landscape.shape.best, landscape.shape.best, 40_000)
    # Pairs of an odd number of half points have one draw; the games of a pair are independent.
    games = np.random.default_rng(0).normal(0, 150, 40_000)
    wins = 1 / (1 + 10 ** ((DRAWISH[draws] - np.stack([games, -games])) / 400))
    assert 1 - wins.sum(0).mean() == pytest.approx(share, abs=0.005)
    drawn = 1 - wins.sum(0)
    odd = (2 * drawn * (1 - drawn)).mean()
    assert np.isin(scores, [0.25, 0.75]).mean() == pytest.approx(odd, abs=0.01)


def test_pairs_are_worth_their_elo_and_vary_less_than_coins() -> None:
    landscape = Landscape(2, 3, gap=50)
    best, start = landscape.shape.best, landscape.shape.start
    scores = landscape.scores(best, start, 20_000)
    # Openings that decide games by themselves leave less than the 50.
    assert 35 < elo(float(scores.mean())) < 45
    assert set(np.unique(scores)) == {0, 0.25, 0.5, 0.75, 1}
    assert 0.3 < scores.var() / 0.25 < 0.45
    points = [{"p0": float(x[0]), "p1": float(x[1])} for x in (best, start)]
    assert landscape.answer(Trial(0, {}, tuple(points)), 8).pairs == 8


def test_a_single_point_meets_the_start_and_the_same_points_do_not_meet() -> None:
    landscape = Landscape(2, 3, gap=50)
    best = {
        axis.name: float(x)
        for axis, x in zip(space_of(landscape).axes, landscape.shape.best, strict=True)
    }
    assert 30 < landscape.answer(Trial(0, {}, (best,)), 20_000).elo < 50
    assert landscape.answer(Trial(0, {}, (best, best)), 8) == TrialResult(0.0, 0.5, 0)


def test_all_weights_of_ratios_may_grow_together() -> None:
    landscape = Landscape(5, 3, "ratios")
    shape = landscape.shape
    moved = shape.start + 0.5 / shape.width
    assert landscape.elo(moved) == pytest.approx(landscape.elo(shape.start))
    assert shape.truth(shape.best + 0.3 / shape.width) == pytest.approx(
        shape.best + 0.3 / shape.width
    )
    assert landscape.elo(shape.truth(np.full(5, 0.4))) == pytest.approx(0)


def test_a_plateau_never_loses_more_than_150() -> None:
    corners = np.array(list(product((0, 1), repeat=5)), dtype=float)
    losses = Landscape(5, 3, "plateau").shape.loss(corners)
    assert 140 < losses.max() < 150


def test_a_cliff_costs_60_where_an_order_is_broken_and_the_start_may_stand_below() -> None:
    right = []
    for seed in range(12):
        shape = Landscape(6, seed, "cliff").shape
        assert isinstance(shape, Cliff)
        down = shape.order * (shape.edge - shape.best @ shape.order) / 2
        above, below = (shape.best + share * down for share in (0.999, 1.001))
        assert shape.loss(below) - shape.loss(above) == pytest.approx(CLIFF, abs=1)
        right.append(bool(shape.order @ shape.start >= shape.edge))
    assert len(set(right)) == 2


def test_most_best_values_of_a_corner_are_at_the_border() -> None:
    for seed in SEEDS:
        best = Landscape(12, seed, "corner").shape.best
        assert 5 <= np.isin(best, [0, 1]).sum() < 12


@pytest.mark.parametrize(("parameters", "few"), [(2, 2), (6, 2), (12, 3)])
def test_few_parameters_of_a_sparse_landscape_matter(parameters: int, few: int) -> None:
    shape = Landscape(parameters, 3, "sparse").shape
    assert isinstance(shape, Sparse)
    matters = shape.matters > 0
    assert matters.sum() == few
    point = np.full(parameters, 0.3)
    assert shape.loss(np.where(matters, shape.best, point)) == pytest.approx(0)
    assert (np.isnan(shape.truth(point)) == ~matters).all()


def test_steps_have_eight_whole_values() -> None:
    landscape = Landscape(6, 3, "steps")
    for axis, unit in zip(space_of(landscape).axes, landscape.shape.best, strict=True):
        assert [axis.value(0), axis.value(1)] == [0, VALUES - 1]
        assert len({axis.value(i / 200) for i in range(201)}) == VALUES
        assert isinstance(axis.default, int)
        assert axis.default in (3, 4)
        assert axis.unit(axis.value(float(unit))) == pytest.approx(float(unit))
    draws = np.random.default_rng(0).random((4000, 1))
    played = landscape.shape.playable(np.full(6, 0.3), draws)
    assert played.mean(0) == pytest.approx(np.full(6, 0.3), abs=0.01)
    assert set(np.round(np.unique(played) * (VALUES - 1), 9)) == {2, 3}


def test_styles_beat_each_other_in_a_ring_however_strong() -> None:
    shape = Landscape(6, 3, "not transitive").shape
    assert isinstance(shape, Styles)
    points = np.random.default_rng(0).random((60, 6))
    lead = shape.lead(points[:, None], points, 0)
    assert lead == pytest.approx(-lead.T)
    cyclic = lead - (shape.loss(points) - shape.loss(points)[:, None])
    assert 10 < np.abs(cyclic).mean() < 80
    beats = (lead > 0).astype(int)
    assert np.trace(beats @ beats @ beats) > 0
    assert np.abs(shape.lead(points, shape.start, 0) - (GAP - shape.loss(points))).max() < 1e-9


def test_a_lesser_hill_is_a_summit_of_its_own_and_the_start_is_between() -> None:
    for seed in SEEDS:
        shape = Landscape(6, seed, "two hills").shape
        assert isinstance(shape, TwoHills)
        top = shape.lesser.best
        around = top + np.random.default_rng(0).normal(0, 0.02, (100, 6))
        assert shape.loss(top) == pytest.approx(25)
        assert shape.loss(around).min() > 25
        assert shape.truth(around[0]) == pytest.approx(top)
        assert shape.lesser.loss(shape.start) == pytest.approx(GAP - 25)


def test_conditions_disagree_in_half_of_the_parameters_and_their_mean_counts() -> None:
    shape = Landscape(6, 3, "two conditions").shape
    assert isinstance(shape, TwoConditions)
    assert (shape.apart != 0).sum() == 3
    one, other = np.random.default_rng(0).random((2, 50, 6))
    leads = [shape.lead(one, other, turn) for turn in range(4)]
    assert (leads[0] == leads[2]).all()
    assert np.abs(leads[0] - leads[1]).max() > 20
    assert (leads[0] + leads[1]) / 2 == pytest.approx(shape.loss(other) - shape.loss(one))
