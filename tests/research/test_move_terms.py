"""Worths of moves: how they become numbers, and games that tell too little of them."""

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
from arena.tuning.fit.terms import LEAST_POSITIONS, Labelled
from fit_moves.move_fit import fit_moves
from fit_moves.move_terms import move_rows

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
