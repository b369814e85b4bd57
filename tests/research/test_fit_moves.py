"""Fits of worths to moves: the true ones are found, and the command makes, tests and keeps them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp, inf, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from scipy.sparse import csr_array
from support.samples import Write
from twins.curvatures import by_differences

import arena
from arena.engines.kit.pattern_tables import move_weights_in
from arena.engines.kit.shapes.codes import MOVE_WEIGHTS
from arena.errors import ConfigError
from arena.game import Position
from arena.games.gomoku import Gomoku
from arena.stats.score_scale import Floats
from arena.tuning.fit.config import FitSettings
from arena.tuning.fit.descent import (
    Epoch,
    descent,
    learned,
    split,
    split_openings,
    weight_intervals,
)
from arena.tuning.fit.terms import LEAST_POSITIONS, Labelled, UselessGamesError
from fit_moves.__main__ import main
from fit_moves.move_fit import fit_moves
from fit_moves.move_terms import move_rows
from fit_moves.softmax import FIRST, MoveSet, Softmax, SortedMoves, told_in

GAMES = """
    game: {gomoku: {size: 9, rule: freestyle}}
    engines:
    - {name: by_hand, engine: patterns, fitted_moves: false}
    - {name: narrow, engine: patterns, fitted_moves: false, breadth: 4}
    openings: {random: {plies: 5, count: 30, seed: 77, spread: 4}}
    limit: {depth: 1}
"""
FIT = """
    kind: fit
    game: {gomoku: {size: 9, rule: freestyle}}
    engine: {engine: patterns, fitted_moves: false}
    games: [games]
    opponents: [{name: mover, engine: random_mover}, {name: windows, engine: five_tuple, depth: 1}]
    openings: {random: {plies: 5, seed: 34, spread: 4}}
    limit: {depth: 1}
    vary: {}
    verification: {elo0: -400, elo1: -200, pairs: 10, opponent_pairs: 10}
"""


def run(file: Path) -> Result:
    options = ["--workers", "0", "--results", str(file.parent / "results")]
    return CliRunner().invoke(main, [str(file), *options])


def said(file: Path) -> str:
    result = run(file)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.slow
def test_worths_are_found_and_tested_and_the_test_goes_on(write: Write, tmp_path: Path) -> None:
    arena.run(write(GAMES, "games.yaml"), workers=0, results=tmp_path / "results")
    file, folder = write(FIT, "sorted.yaml"), tmp_path / "results/sorted"
    shown = said(file)
    (worths,) = folder.glob("moves-*.npz")
    game = Gomoku("gomoku", 9, 5, "freestyle")
    found, by_hand = (move_weights_in(game, *each) for each in ((str(worths),), ("", False)))
    assert found.shape == (MOVE_WEIGHTS,)
    assert (found != by_hand).any()
    assert str(np.load(worths)["rule"]) == "freestyle"
    for words in ("in the first 10", "Test of the", "Loss\n", "is first in the sorting in"):
        assert words in shown
    test = arena.open_run(folder / "verification")
    tuned, default = test.config.players
    assert tuned.engine.parameters["moves"] == str(worths.resolve())
    assert default.engine.parameters["moves"] == ""
    games = test.games()
    assert said(file).splitlines()[-20:] == shown.splitlines()[-20:]
    assert arena.open_run(folder / "verification").games().equals(games), "none was played again"


def test_an_engine_that_sorts_by_no_worths_is_refused_with_the_place(write: Write) -> None:
    file = write(FIT.replace("{engine: patterns, fitted_moves: false}", "{engine: balance}"))
    refused = str(run(file).exception)
    assert refused == f"{file}:3:9: only patterns sorts moves by worths, not balance"


GAME = Gomoku("gomoku", 5, 5, "freestyle")
SETTINGS = FitSettings(holdout=0.2, score_share=0.0, l2=1e-5, seed=0)


def rows_and_columns(p: Position) -> tuple[Any, Any]:
    """Empty cells, each with a weight for its row and one for its column."""
    cells = [cell for cell, stone in enumerate(p.cells) if not stone]
    return cells, np.array([[cell // 5, 5 + cell % 5] for cell in cells])


@dataclass(frozen=True)
class Worths:
    of: Callable[[Position], tuple[Any, Any]] = rows_and_columns
    start: Floats = field(default_factory=lambda: np.arange(10.0))
    unit: float = 50.0


def position(*moves: int) -> Position:
    p = GAME.start()
    for move in moves:
        p = GAME.play(p, move)
    return p


def labelled(p: Position, move: int, opening: str = "a") -> Labelled:
    return Labelled(p, 1.0, move, opening, "one", None)


def test_moves_become_counts_of_weights() -> None:
    first, second = position(0), position(3, 7)
    rows = move_rows(Worths(), [labelled(first, 24), labelled(second, 0, "b")])
    assert (rows.openings, rows.unsorted, rows.missed) == (["a", "b"], 0, 0)
    assert rows.block.lengths.tolist() == [24, 23]
    assert rows.block.played.tolist() == [23, 0]
    counts = rows.block.counts.toarray()
    assert counts.shape == (47, 10)
    assert (counts.sum(axis=1) == 2).all()
    assert np.flatnonzero(counts[23]).tolist() == [4, 9]
    assert np.flatnonzero(counts[24]).tolist() == [0, 5]


def test_a_number_that_is_there_twice_counts_twice_and_lengths_may_differ_by_position() -> None:
    def of(p: Position) -> tuple[Any, Any]:
        return [1, 2], np.array([[4, 4, 4], [4, 0, 4]] if p.ply else [[1], [2]])

    rows = move_rows(Worths(of), [labelled(position(0), 1), labelled(position(), 2)])
    counts = rows.block.counts.toarray()
    assert counts[:, 4].tolist() == [3, 2, 0, 0]
    assert counts.sum(axis=1).tolist() == [3, 3, 1, 1]


def test_positions_without_a_choice_or_without_the_move_played_are_left_out() -> None:
    def of(p: Position) -> tuple[Any, Any]:
        moves = [20, 21, 22][: p.ply]
        return moves, np.zeros((len(moves), 1), np.int64)

    found = move_rows(Worths(of), [labelled(position(*range(n)), 21) for n in range(4)])
    assert (found.unsorted, found.missed, len(found.openings)) == (2, 0, 2)
    found = move_rows(Worths(of), [labelled(position(*range(n)), 22) for n in range(4)])
    assert (found.unsorted, found.missed, len(found.openings)) == (2, 1, 1)
    none = move_rows(Worths(of), [labelled(position(), 22)])
    assert none.block.counts.shape == (0, 10)


def test_too_few_positions_are_told_with_the_reasons() -> None:
    many = [labelled(position(0), 24, str(n)) for n in range(LEAST_POSITIONS)]
    with pytest.raises(ConfigError, match="the games have 99 positions to fit to"):
        fit_moves(many[1:], Worths(), SETTINGS, lambda words: None)
    taken = [*many[1:], labelled(position(0), 0)]
    with pytest.raises(ConfigError, match="not the move played in 1: 99 are left, and at least 10"):
        fit_moves(taken, Worths(), SETTINGS, lambda words: None)
    alike = [labelled(position(0), 24)] * LEAST_POSITIONS
    with pytest.raises(ConfigError, match="all games have one opening"):
        fit_moves(alike, Worths(), SETTINGS, lambda words: None)


UNIT = 100.0
TRUE = np.array([50.0, -120.0, 0.0, 260.0, -30.0, 500.0, 77.0])
"""The last weight but one is that of every move, and the last one occurs nowhere."""
START = np.array([0.0, -200.0, 50.0, 100.0, 0.0, 300.0, 44.0])
COMMON, ABSENT = 5, 6


def rows_of(random: np.random.Generator, moves: int) -> list[list[int]]:
    """The weights of some moves, three each, of which two may be one."""
    return [[*map(int, random.integers(0, 5, 2)), COMMON] for _ in range(moves)]


def block_of(tables: Sequence[Sequence[Sequence[int]]], played: Sequence[int]) -> SortedMoves:
    counts = np.zeros((sum(map(len, tables)), len(TRUE)), np.float32)
    for row, weights in zip(counts, (row for table in tables for row in table), strict=True):
        for weight in weights:
            row[weight] += 1
    return SortedMoves(csr_array(counts), np.array([*map(len, tables)]), np.array(played))


def sample_of(positions: int, seed: int = 1, blocks: int = 3) -> MoveSet:
    """Positions, ten of each opening, in which moves are played as their true worths let expect."""
    random = np.random.default_rng(seed)
    found, lengths = [], random.integers(2, 9, positions)
    for part in np.array_split(lengths, blocks):
        tables = [rows_of(random, moves) for moves in part]
        worths = [TRUE[table].sum(axis=1) / UNIT for table in tables]
        played = [int((each + random.gumbel(size=len(each))).argmax()) for each in worths]
        found.append(block_of(tables, played))
    return MoveSet(found, np.arange(positions) // 10)


def twin(sample: MoveSet, weights: Floats) -> list[float]:
    found = []
    for block in sample.blocks:
        moves = iter(block.counts.toarray())
        for length, played in zip(block.lengths, block.played, strict=True):
            odds = [exp(float(next(moves) @ weights) / UNIT) for _ in range(length)]
            found.append(-log(odds[played] / sum(odds)))
    return found


def test_losses_are_those_of_the_twin_and_slopes_are_their_differences() -> None:
    sample, model = sample_of(50), Softmax(START, UNIT)
    change = np.random.default_rng(3).normal(0, 80, len(START))
    losses = model.losses(sample, change, model.free)
    assert losses == pytest.approx(twin(sample, START + change), rel=1e-9)
    objective, x = model.objective(sample), change / model.sizes
    loss, slopes = objective(x)
    assert loss == pytest.approx(losses.mean())
    for i, slope in enumerate(slopes):
        step = 1e-5 * np.eye(len(x))[i]
        rise = objective(x + step)[0] - objective(x - step)[0]
        assert rise / 2e-5 == pytest.approx(slope, abs=1e-8)


def test_curvatures_are_the_differences_of_slopes_before_the_fit() -> None:
    sample, model = sample_of(50), Softmax(START, UNIT)
    assert model.curvatures(sample) == pytest.approx(by_differences(model, sample), abs=1e-10)


def test_great_worths_do_not_overflow() -> None:
    block = block_of([[[0], [1]], [[0], [1]]], [0, 1])
    start = np.array([1e6, -1e6, 0, 0, 0, 0, 0])
    losses = Softmax(start, 1.0).losses(MoveSet([block], np.zeros(2)), np.zeros(7), np.empty(0))
    assert losses.tolist() == [0.0, 2e6]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_true_worths_are_found_within_their_errors(seed: int) -> None:
    """Of weights of which every move has two, only the differences are told."""
    settings = FitSettings(holdout=0.1, score_share=0.0, l2=1e-9, seed=seed)
    fitted, held_out = split(sample_of(20_000, seed), settings)
    model = Softmax(START, UNIT)
    found = descent(model, fitted, held_out, settings.l2, lambda epoch: None)
    last = found[-1]
    errors = weight_intervals(model, fitted, last, told_in(fitted)).errors
    misses = (START + last.change - TRUE)[:5]
    misses -= misses.mean()
    assert (np.abs(misses) < 3.5 * errors[:5]).all()
    assert (errors[:5] < 5).all()
    assert last.change[[COMMON, ABSENT]].tolist() == pytest.approx([0, 0], abs=1e-6)
    assert errors[[COMMON, ABSENT]].tolist() == [inf, inf]
    assert last.held_out < found[0].held_out


@pytest.mark.slow
def test_errors_are_as_great_as_the_spread_of_what_is_found() -> None:
    model, found, errors = Softmax(START, UNIT), [], []
    for seed in range(40):
        sample = sample_of(600, 100 + seed)
        last = descent(model, sample, sample, 1e-9, lambda epoch: None)[-1]
        found.append(last.change[:5] - last.change[:5].mean())
        errors.append(weight_intervals(model, sample, last, told_in(sample)).errors[:5])
    assert np.std(found, axis=0) == pytest.approx(np.mean(errors, axis=0), rel=0.35)


def test_equal_positions_of_an_opening_tell_no_more_than_one() -> None:
    sample, model = sample_of(300, blocks=1), Softmax(START, UNIT)
    tenfold = MoveSet(sample.blocks * 10, np.tile(sample.groups, 10))
    step = Epoch(np.zeros(7), np.empty(0), 0.0, 0.0, 0.0)
    once, many = (weight_intervals(model, each, step, told_in(each)) for each in (sample, tenfold))
    assert many.errors[:5] == pytest.approx(once.errors[:5], rel=1e-6)
    assert many.highs[:5] == pytest.approx(once.highs[:5], rel=1e-6)


def test_a_weight_that_tells_nothing_stays_where_it_starts_exactly() -> None:
    sample = sample_of(300)
    settings = FitSettings(holdout=0.2, score_share=0.0, l2=1e-5, seed=0)
    best = learned(Softmax(START, UNIT), *split(sample, settings), settings, lambda s: None).best
    assert best.change[ABSENT] == 0
    assert (best.change[:5] != 0).all()
    assert told_in(sample)[ABSENT] == told_in(sample)[COMMON] == 0


def test_positions_that_tell_of_a_weight_are_counted() -> None:
    block = block_of([[[0, 1], [0, 2]], [[3, 3], [3, 0]], [[4], [4], [4]]], [0, 0, 0])
    sample = MoveSet([block, block.part(np.array([False, True, True]))], np.arange(5))
    assert told_in(sample).tolist() == [2, 1, 1, 2, 0, 0, 0]


@pytest.mark.parametrize("blocks", [1, 2, 7])
def test_parts_and_blocks_change_no_position(blocks: int) -> None:
    sample, model, free = sample_of(70, blocks=blocks), Softmax(START, UNIT), np.empty(0)
    losses = model.losses(sample, np.zeros(7), free)
    chosen = sample.groups % 3 == 1
    assert len(sample.part(chosen)) == chosen.sum() == 20
    assert model.losses(sample.part(chosen), np.zeros(7), free).tolist() == losses[chosen].tolist()


@pytest.mark.parametrize("seed", range(5))
def test_a_split_never_mixes_openings(seed: int) -> None:
    sample = sample_of(95)
    settings = FitSettings(holdout=0.3, score_share=0.0, l2=0.0, seed=seed)
    fitted, held_out = split(sample, settings)
    assert set(fitted.groups).isdisjoint(held_out.groups)
    assert len(fitted) + len(held_out) == len(sample)
    assert len(set(held_out.groups)) == 3
    with pytest.raises(UselessGamesError, match="one opening"):
        split_openings(sample.groups[sample.groups == 2], settings)


def test_the_place_of_the_move_played_is_counted_and_equal_moves_share_theirs() -> None:
    tables = [[[0]] * 2 + [[3]], [[3], [0], [1], [4]], [[0]] * 20]
    sample = MoveSet([block_of(tables, [0, 3, 7])], np.arange(3))
    # In the first, two moves share places 2 and 3; in the second the last one is third; in the
    # third, all twenty share all places.
    found = Softmax(TRUE, UNIT).firsts(sample, np.zeros(7))
    shares = [(0, 0, 1 / 20), (1, 1, 3 / 20), (1, 1, 5 / 20), (1, 1, 10 / 20)]
    assert FIRST == (1, 3, 5, 10)
    assert found == pytest.approx([sum(each) / 3 for each in shares])


def test_the_penalty_draws_worths_to_the_start() -> None:
    sample, model = sample_of(500), Softmax(START, UNIT)
    free, held = (descent(model, sample, sample, l2, lambda epoch: None)[-1] for l2 in (1e-9, 10.0))
    assert np.abs(held.change).max() < 0.2 * np.abs(free.change).max()
    assert model.sizes.tolist() == [100, 200, 100, 100, 100, 300, 100]
