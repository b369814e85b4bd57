"""Landscapes made up for the tuner, whose answer is known, and its methods on their cells."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from click.testing import CliRunner
from support.sweep import in_turn

from arena.errors import ConfigError
from arena.stats.elo import elo
from arena.tuning.method import Advice, Trial, TrialResult
from arena.tuning.settings.config import DEFAULT_METHOD
from benchmarks import cases
from benchmarks.baseline import GAINS, Baseline, StepGain, best_of_gains, chances_of, spsa_losses
from benchmarks.cases import (
    CELLS,
    BesideBaseline,
    TuneCell,
    beside_baseline,
    cell_lines,
    cells_like,
    held_of,
)
from benchmarks.landscapes import DRAWISH, GAP, KINDS, Landscape, space_of
from benchmarks.shapes import CLIFF, VALUES, Cliff, Sparse, Styles, TwoConditions, TwoHills, stacked
from benchmarks.simulated import StudyEnd, held
from benchmarks.tune_cells import tune_cells

SEEDS = range(4)
EVERY = list(product(KINDS, (2, 6, 12), SEEDS))


def played(landscape: Landscape, points: np.ndarray) -> np.ndarray:
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


SMALL = TuneCell("plain", 2, 40, "few")
END = StudyEnd(1.0, (None,), True, 2.0, None, 0.0)


def advice(landscape: Landscape, point: np.ndarray, reach: float) -> list[Advice]:
    """Advice with intervals of the same reach, in units, around a point."""
    return [
        Advice(
            axis.name,
            axis.number(float(unit)),
            axis.number(float(unit) - reach),
            axis.number(float(unit) + reach),
            *(1.0, None, None),
        )
        for axis, unit in zip(space_of(landscape).axes, point, strict=True)
    ]


def test_the_sample_has_24_cells_and_is_always_the_same() -> None:
    sample = cells_like([])
    assert sample == cells_like([])
    assert len(set(sample)) == 24
    assert len(CELLS) == 104
    assert max(Counter(cell.kind for cell in sample).values()) <= 6


def test_cells_are_chosen_by_patterns() -> None:
    assert [str(cell) for cell in cells_like(["ratios/*/few", "*hills/6/4000/many"])] == [
        "ratios/6/4000/few",
        "ratios/12/4000/few",
        "ratios/6/20000/few",
        "ratios/12/20000/few",
        "two hills/6/4000/many",
    ]
    with pytest.raises(ConfigError, match="did you mean 'ratios/6/4000/few'"):
        cells_like(["ratio/6/4000/few"])


@pytest.mark.parametrize("kind", ["plain", "steps", "corner"])
def test_an_interval_holds_the_best_value_or_not(kind: str) -> None:
    landscape = Landscape(6, 1, kind)
    off = landscape.shape.best + np.array([0, 0, 0, 0.1, -0.1, 0])
    point = np.where((off < 0) | (off > 1), 2 * landscape.shape.best - off, off)
    assert held(landscape, advice(landscape, point, 0.11)) == (True,) * 6
    assert held(landscape, advice(landscape, point, 0.09)) == (True, True, True, False, False, True)


def test_only_what_has_a_best_value_can_be_held() -> None:
    sparse = Landscape(6, 1, "sparse")
    found = held(sparse, advice(sparse, sparse.shape.best, 0.01))
    assert Counter(found) == {None: 4, True: 2}
    without = [Advice("p", 0.5, None, None, 1.0, None, None)] * 6
    assert held(sparse, without) == (None,) * 6
    ratios = Landscape(6, 1, "ratios")
    grown = ratios.shape.best + 0.2 / ratios.shape.width
    assert held(ratios, advice(ratios, grown, 0.01)) == (True,) * 6


def test_finished_ones_are_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "cases.jsonl"
    (first,) = beside_baseline("spsa", [SMALL], range(2), file)
    assert len(file.read_text().splitlines()) == 2
    done = []
    monkeypatch.setattr(cases, "cell_study", lambda *job: done.append(job[2]) or END)
    (again,) = beside_baseline("spsa", [SMALL], range(3), file)
    assert done == [2]
    assert again.told == [*first.told, END]
    assert all(told.loss > 0 and len(told.held) == 2 for told in first.told)
    assert (again.baseline.losses == best_of_gains("plain", 2, 40, range(3)).losses).all()


@pytest.mark.slow
def test_a_study_of_few_games_warns_and_one_of_many_does_not() -> None:
    assert cases.cell_study("ascent", TuneCell("plain", 4, 200, "few"), 0).is_doubtful
    assert not cases.cell_study("ascent", TuneCell("plain", 2, 2_000, "few"), 0).is_doubtful
    # This method knows no model, so it has no doubts.
    assert not cases.cell_study("random", TuneCell("plain", 4, 80, "few"), 0).is_doubtful


def test_the_table_tells_losses_their_difference_and_the_intervals() -> None:
    baseline = Baseline(StepGain(0.1, 0.02), np.array([4.0, 6.0]))
    told = [
        StudyEnd(7.0, (True, False), False, 70.0, (60.0, 10.0), 1.0),
        StudyEnd(11.0, (True, None), True, 20.0, (40.0, 5.0), 3.0),
    ]
    lines = list(cell_lines("ascent", [BesideBaseline(SMALL, told, baseline)]))
    assert (
        lines[2] == "| plain, 2, 40, few | 9.0 ± 2.0 | 5.0 ± 1.0 | 0.1, 0.02 | +4.0 | 0.67 | 2.0 |"
    )
    numbers = "| 3 | 0.67 | 1 of 1 | 0 of 1 | 0 of 0 | +5.0 ± 15.0 | 0.50 |"
    assert lines[-2:] == [f"| plain {numbers}", f"| all {numbers}"]


def test_the_command_prints_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "CELLS", [SMALL])
    options = ("--method", "spsa", "--studies", "2", "--processes", "1")
    words = ("pl*", *options, "--keep", str(tmp_path / "kept.jsonl"))
    done = CliRunner().invoke(tune_cells, words)
    assert done.exit_code == 0, done.output
    assert "| plain, 2, 40, few | " in done.stdout


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(
    "name", in_turn(["ratios/6/4000/few", "skew and misjudged/6/4000/few", "steps/6/4000/few"])
)
def test_the_default_is_no_worse_than_spsa_with_few_weights(name: str, tmp_path: Path) -> None:
    (beside,) = beside_baseline(
        DEFAULT_METHOD, cells_like([name]), range(4000, 4012), tmp_path / "kept.jsonl"
    )
    differences = np.array([told.loss for told in beside.told]) - beside.baseline.losses
    error = differences.std(ddof=1) / len(differences) ** 0.5
    assert differences.mean() < 2 * error
    assert 0.84 < fmean(held_of(beside.told)) <= 1


def slow_loss(
    kind: str, parameters: int, games: int, seed: int, draws: str, gain: StepGain
) -> float:
    shape = KINDS[kind](parameters, seed, GAP)
    steps = games // 2
    every = zip(*chances_of(seed, steps, parameters), strict=True)
    centre, path = shape.start.copy(), []
    for number, (signs, opening, chances, draw) in enumerate(every):
        left = 1.1 * steps / (0.1 * steps + number + 1)
        c = gain.c * (steps / (number + 1)) ** 0.101
        a = gain.r * gain.c**2 * left**0.602
        sides = [shape.playable(np.clip(centre + sign * c * signs, 0, 1), draw) for sign in (1, -1)]
        lead = min(max(float(shape.lead(sides[0], sides[1], number)), -4000), 4000)
        won = 0
        for chance, help_of_opening in zip(chances, (opening, -opening), strict=True):
            elo = lead + help_of_opening
            win = 1 / (1 + 10 ** ((DRAWISH[draws] - elo) / 400))
            loss = 1 / (1 + 10 ** ((DRAWISH[draws] + elo) / 400))
            won += int(chance < win) - int(chance > 1 - loss)
        centre = np.clip(centre + a / c * won * signs, 0, 1)
        path.append(centre)
    mean = np.mean(path[-round(0.2 * steps) :], axis=0)
    return float(shape.loss(shape.playable(mean)))


@pytest.mark.parametrize("draws", DRAWISH)
@pytest.mark.parametrize("kind", KINDS)
def test_studies_worked_out_at_once_are_those_worked_out_one_by_one(kind: str, draws: str) -> None:
    gains = GAINS[30:33]
    at_once = spsa_losses(kind, 5, 120, [1, 4], draws, gains)
    slow = [[slow_loss(kind, 5, 120, seed, draws, gain) for gain in gains] for seed in (1, 4)]
    assert at_once == pytest.approx(np.array(slow))


def test_the_gain_counts_whose_mean_loss_is_least() -> None:
    losses = spsa_losses("plain", 3, 400, range(5))
    best = best_of_gains("plain", 3, 400, range(5))
    assert best.losses.mean() == losses.mean(0).min()
    assert (losses[:, GAINS.index(best.gain)] == best.losses).all()


@pytest.mark.slow
def test_plain_spsa_gains_most_of_what_the_start_loses() -> None:
    assert best_of_gains("plain", 6, 4_000, range(6)).losses.mean() < 8


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["plain", "skew and misjudged", "corner"])
def test_the_best_gain_is_not_at_the_end_of_the_grid(kind: str) -> None:
    best = best_of_gains(kind, 6, 4_000, range(2_000, 2_006)).gain
    lengths, steps = ({gain[i] for gain in GAINS} for i in (0, 1))
    assert min(lengths) < best.c < max(lengths)
    assert min(steps) < best.r < max(steps)
