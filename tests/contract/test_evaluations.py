"""Laws of the static evaluations in engines/, beyond those that `arena.testing` checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import isfinite
from random import Random
from typing import Any

import numpy as np
import pytest
from twins.boards import random_cells

from arena import load_game
from arena.engine import Evaluation
from arena.game import Game, Position, Symmetric
from arena.plugins import load
from arena.plugins.build import evaluation_of, features_of
from arena.plugins.load import Named, names, playable_games

NAMES = [name for name in names("engine") if hasattr(load.module("engine", name), "evaluate")]
GAMES = ["gomoku:size=15", "gomoku:size=9,rule=standard", "renju"]
BALANCED: dict[str, dict[str, Any]] = {
    "five_tuple": {
        "other_three": 100,
        "other_centred_three": 100,
        "other_four": 10_000,
        "other_five": 1_000_000,
    },
    "balance": {"factor_low": 0.0, "factor_high": 0.0},
    "live_dead": {},
}
"""Parameters with which an engine weighs both sides alike."""


def positions(game: Game, count: int) -> Iterator[Position]:
    """Boards with stones of both players in turn, from empty ones to crowded ones."""
    area = game.size**2
    for seed in range(count):
        cells = random_cells(seed, game.size, seed * 5 // 2 % (area // 2))
        moves = [move for move in range(area) if cells[move]]
        Random(seed).shuffle(moves)
        yield Position(cells, 1 + seed % 2, tuple(moves))


@lru_cache
def evaluation(name: str, played: str, **parameters: Any) -> tuple[Game, Evaluation]:
    game = load_game(played)
    found = evaluation_of(Named(name, parameters), game)
    assert found
    return game, found


PAIRS = [
    (name, played)
    for name in NAMES
    for played in GAMES
    if {"*", played.partition(":")[0]} & set(playable_games(name))
]
each_pair = pytest.mark.parametrize(("name", "played"), PAIRS)


@each_pair
def test_values_are_finite_and_tell_boards_apart(name: str, played: str) -> None:
    """Up to crowded boards, by rules that the checks of users' engines may not take."""
    game, value = evaluation(name, played)
    found = {value(p) for p in positions(game, 60)}
    assert all(map(isfinite, found))
    assert len(found) > 30


@each_pair
def test_a_value_stays_when_the_board_is_turned_or_mirrored(name: str, played: str) -> None:
    game, value = evaluation(name, played)
    assert isinstance(game, Symmetric)
    for p in positions(game, 40):
        images = [bytes(p.cells[cell] for cell in turn) for turn in game.symmetries]
        assert {value(replace(p, cells=image)) for image in images} == {value(p)}


@pytest.mark.parametrize("name", NAMES)
def test_a_value_stays_when_the_sides_change_places(name: str) -> None:
    """In renju, they do not have the same rules."""
    game, value = evaluation(name, GAMES[0])
    for p in positions(game, 40):
        swapped = Position(p.cells.translate(bytes((0, 2, 1)) + bytes(253)), 3 - p.turn)
        assert value(swapped) == value(p)


@pytest.mark.parametrize("name", [name for name in NAMES if name in BALANCED])
def test_what_is_good_for_one_side_is_bad_for_the_other(name: str) -> None:
    game, value = evaluation(name, GAMES[0], **BALANCED[name])
    for p in positions(game, 40):
        assert value(replace(p, turn=3 - p.turn)) == -value(p)


def test_counted_weights_sum_up_to_the_value() -> None:
    for name in NAMES:
        game, value = evaluation(name, GAMES[0])
        if features := features_of(name, game):
            assert features.start.shape == (features.size,)
            for p in positions(game, 40):
                indices, counts = features.of(p)
                assert np.dot(features.start[indices], counts) == pytest.approx(value(p), rel=1e-9)
