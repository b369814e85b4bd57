"""Worths of moves as an engine says them: how they become numbers, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from arena.errors import ConfigError
from arena.game import Position
from arena.games.gomoku import Gomoku
from arena.stats.score_scale import Floats
from arena.tuning.fit.config import FitSettings
from arena.tuning.fit.move_fit import fit_moves
from arena.tuning.fit.move_terms import MoveTerms, move_rows, move_terms
from arena.tuning.fit.positions import LEAST_POSITIONS, Labelled

GAME = Gomoku("gomoku", 5, 5, "freestyle")
SETTINGS = FitSettings(holdout=0.2, score_share=0.0, l2=1e-5, seed=0)


def rows_and_columns(p: Position) -> tuple[Any, Any]:
    """Empty cells, each with a weight for its row and one for its column."""
    cells = [cell for cell, stone in enumerate(p.cells) if not stone]
    return cells, [[cell // 5, 5 + cell % 5] for cell in cells]


@dataclass(frozen=True)
class Worths:
    of: Callable[[Position], tuple[Any, Any]] = rows_and_columns
    size: int = 10
    start: Floats = field(default_factory=lambda: np.arange(10.0))
    unit: float = 50.0


def position(*moves: int) -> Position:
    p = GAME.start()
    for move in moves:
        p = GAME.play(p, move)
    return p


def labelled(p: Position, move: int, opening: str = "a") -> Labelled:
    return Labelled(p, 1.0, move, opening, "one", None)


def terms(**changed: Any) -> MoveTerms:
    return move_terms(Worths(**changed), GAME)


@pytest.mark.parametrize("make", [list, np.array, tuple])
def test_moves_become_counts_of_weights(make: Callable[[Any], Any]) -> None:
    def of(p: Position) -> tuple[Any, Any]:
        cells, numbers = rows_and_columns(p)
        return make(cells), make(numbers)

    first, second = position(0), position(3, 7)
    rows = move_rows(terms(of=of), [labelled(first, 24), labelled(second, 0, "b")])
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
        return [1, 2], [[4, 4, 4], [4, 0, 4]] if p.ply else [[1], [2]]

    rows = move_rows(terms(of=of), [labelled(position(0), 1), labelled(position(), 2)])
    counts = rows.block.counts.toarray()
    assert counts[:, 4].tolist() == [3, 2, 0, 0]
    assert counts.sum(axis=1).tolist() == [3, 3, 1, 1]


def test_positions_without_a_choice_or_without_the_move_played_are_left_out() -> None:
    def of(p: Position) -> tuple[Any, Any]:
        moves = [20, 21, 22][: p.ply]
        return moves, [[0]] * len(moves)

    found = move_rows(terms(of=of), [labelled(position(*range(n)), 21) for n in range(4)])
    assert (found.unsorted, found.missed, len(found.openings)) == (2, 0, 2)
    found = move_rows(terms(of=of), [labelled(position(*range(n)), 22) for n in range(4)])
    assert (found.unsorted, found.missed, len(found.openings)) == (2, 1, 1)
    none = move_rows(terms(of=of), [labelled(position(), 22)])
    assert none.block.counts.shape == (0, 10)


WRONG: dict[str, tuple[Any, str]] = {
    "no such weight": ([[0, 5], [0, 10]], "there is no weight 10"),
    "a weight below 0": ([[0, 5], [-1, 5]], "there is no weight -1"),
    "ragged rows": ([[0, 5], [1]], "2 moves need as many rows of whole numbers, all of one length"),
    "no number": ([[0, 5], [0, float("nan")]], "as many rows of whole numbers"),
    "fractions": ([[0, 5], [0, 5.5]], "as many rows of whole numbers"),
    "one row": ([[0, 5]], "2 moves need as many rows"),
    "no rows": ([0, 5], "as many rows of whole numbers, all of one length"),
}


@pytest.mark.parametrize(("numbers", "words"), WRONG.values(), ids=list(WRONG))
def test_wrong_numbers_are_refused_with_the_position(numbers: Any, words: str) -> None:
    bad = position(3, 7)

    def of(p: Position) -> tuple[Any, Any]:
        return ([0, 1], numbers) if p == bad else rows_and_columns(p)

    with pytest.raises(ConfigError, match=rf"move_features\(\): .*{words}.*, after 0,3 1,2$"):
        move_rows(terms(of=of), [labelled(position(0), 24), labelled(bad, 0)])


def test_what_an_engine_raises_is_shown() -> None:
    with pytest.raises(ConfigError, match=r"the engine's move_features\(\): ZeroDivisionError"):
        move_rows(terms(of=lambda p: ([1 // 0], [])), [labelled(position(0), 24)])


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"size": 9}, "start must be 9 finite numbers"),
        ({"size": 0, "start": np.empty(0)}, "start must be"),
        ({"start": np.full(10, np.nan)}, "start must be 10 finite numbers"),
        ({"unit": 0}, "unit must be a number above 0, not 0"),
        ({"unit": -3.5}, r"unit must be a number above 0, not -3\.5"),
        ({"unit": float("nan")}, "unit must be a number above 0, not nan"),
        ({"unit": float("inf")}, "unit must be a number above 0, not inf"),
    ],
)
def test_weights_and_units_that_are_none_are_refused(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=rf"move_features\(\): {words}"):
        terms(**changed)


def test_too_few_positions_are_told_with_the_reasons() -> None:
    many = [labelled(position(0), 24, str(n)) for n in range(LEAST_POSITIONS)]
    with pytest.raises(ConfigError, match="the games have 99 positions to fit to"):
        fit_moves(many[1:], terms(), SETTINGS, lambda words: None)
    taken = [*many[1:], labelled(position(0), 0)]
    with pytest.raises(ConfigError, match="not the move played in 1: 99 are left, and at least 10"):
        fit_moves(taken, terms(), SETTINGS, lambda words: None)
    alike = [labelled(position(0), 24)] * LEAST_POSITIONS
    with pytest.raises(ConfigError, match="all games have one opening"):
        fit_moves(alike, terms(), SETTINGS, lambda words: None)
