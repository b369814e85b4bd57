"""piece_count: its kernel against plain minimax by the referee's rules, and its limits."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import pytest

from arena import Limit, load_game
from arena.engine import Choice
from arena.engines.piece_count import LOSS, PieceCount, engine
from arena.game import Position, symmetries

GAME = load_game("two_eat_one")
SWAPPED = bytes.maketrans(b"\1\2", b"\2\1")


@lru_cache
def build(depth: int) -> PieceCount:
    return engine(GAME, depth=depth)


def choose(p: Position, depth: int, limit: Limit | None = None) -> Choice:
    return build(depth).choose(p, limit or Limit())


def twin(p: Position, depth: int, ply: int = 0) -> int:
    """The value by plain minimax: every move of the referee's, no bounds."""
    if GAME.outcome(p):
        return LOSS + ply
    if depth == 0:
        return p.cells.count(p.turn) - p.cells.count(3 - p.turn)
    return max(-twin(GAME.play(p, move), depth - 1, ply + 1) for move in GAME.moves(p))


def random_position(rng: Random, least: int = 1) -> Position:
    """Up to five pieces of each side anywhere, either to move."""
    pieces = [1] * rng.randint(least, 5) + [2] * rng.randint(least, 5)
    cells = bytearray(25)
    for cell, piece in zip(rng.sample(range(25), len(pieces)), pieces, strict=True):
        cells[cell] = piece
    return Position(bytes(cells), rng.randint(1, 2))


def in_the_corner(rng: Random) -> Position:
    """Many pieces on few points: here sides run out of moves."""
    points = [row * 5 + column for row in range(3) for column in range(4)]
    cells = bytearray(25)
    pieces = [1] * rng.randint(2, 3) + [2] * rng.randint(5, 8)
    for cell, piece in zip(rng.sample(points, len(pieces)), pieces, strict=True):
        cells[cell] = piece
    return Position(bytes(cells), 1)


@pytest.mark.parametrize(("depth", "count"), [(1, 500), (2, 300), (3, 150), (4, 20)])
def test_value_and_move_are_those_of_plain_minimax(depth: int, count: int) -> None:
    rng = Random(depth)
    lost = 0
    for index in range(count):
        p = in_the_corner(rng) if index % 3 == 0 else random_position(rng)
        choice = choose(p, depth)
        values = [-twin(GAME.play(p, move), depth - 1, 1) for move in GAME.moves(p)]
        if values:
            assert choice.score == max(values)
            assert choice.move == GAME.moves(p)[values.index(max(values))]
            lost += abs(max(values)) > 100
        else:
            assert (choice.move, choice.score) == (None, LOSS)
    assert lost, "some of the positions must be decided"


def test_the_colours_are_alike() -> None:
    rng = Random(7)
    for _ in range(200):
        p = random_position(rng)
        assert choose(p, 5) == choose(Position(p.cells.translate(SWAPPED), 3 - p.turn), 5)


def test_a_board_turned_or_mirrored_is_worth_the_same() -> None:
    rng = Random(8)
    for _ in range(50):
        p = random_position(rng)
        for order in symmetries(5):
            turned = Position(bytes(p.cells[cell] for cell in order), p.turn)
            assert choose(turned, 4).score == choose(p, 4).score


def test_a_loss_is_put_off_and_a_win_is_not() -> None:
    rng, distances = Random(9), set()
    for _ in range(2000):
        score = choose(random_position(rng, least=2), 5).score
        assert score is not None
        if abs(score) > 100:
            distances.add(score)
    assert {-LOSS - 1, -LOSS - 3} <= distances
    assert LOSS + 2 in distances


def test_limits_are_kept_and_the_last_finished_depth_counts() -> None:
    p = GAME.start()
    assert choose(p, 20, Limit(depth=3)) == choose(p, 3)
    few = choose(p, 20, Limit(nodes=10_000))
    assert 4 < few.depth < 10
    assert few.nodes <= 10_000
    assert (few.move, few.score) == (choose(p, few.depth).move, choose(p, few.depth).score)
    assert choose(p, 20, Limit(seconds=0.01)).depth < 20
    assert choose(p, 20, Limit(nodes=1)).depth == 1
