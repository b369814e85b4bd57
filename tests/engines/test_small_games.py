"""minimax and piece_count: their values and moves are those of plain minimax by the rules."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from arena import Limit, load_game
from arena.engines.minimax import engine as minimax
from arena.engines.piece_count import LOSS, engine as piece_count
from arena.game import Move, Position

TICTACTOE = load_game("tictactoe")
TWO_EAT_ONE = load_game("two_eat_one")
NO_LIMIT = Limit()
UNLIMITED = minimax(TICTACTOE)


@cache
def answer(cells: bytes, turn: int, last: Move | None) -> Move:
    moves = () if last is None else (last,)
    move = UNLIMITED.choose(Position(cells, turn, moves), NO_LIMIT).move
    assert move is not None
    return move


@pytest.mark.parametrize("seat", [1, 2])
def test_it_loses_tictactoe_to_no_opponent_from_either_side(seat: int) -> None:
    positions, ends = [TICTACTOE.start()], []
    while positions:
        p = positions.pop()
        if outcome := TICTACTOE.outcome(p):
            ends.append(outcome.winner)
        elif p.turn == seat:
            positions.append(TICTACTOE.play(p, answer(p.cells, p.turn, p.last)))
        else:
            positions += [TICTACTOE.play(p, move) for move in TICTACTOE.moves(p)]
    assert len(ends) > 50
    assert set(ends) == {seat, None}


def tictactoe_value(p: Position, depth: int) -> int:
    """The value by plain minimax, no position remembered."""
    if outcome := TICTACTOE.outcome(p):
        return 0 if outcome.winner is None else -1
    if depth == 0:
        return 0
    return max(-tictactoe_value(TICTACTOE.play(p, move), depth - 1) for move in TICTACTOE.moves(p))


@pytest.mark.parametrize("depth", [1, 2, 3, 9])
def test_minimax_equals_its_twin(depth: int) -> None:
    random, limited = Random(depth), minimax(TICTACTOE, depth=depth)
    values = set()
    for plies in [2, 3, 4, 5, 6, 7] * 10:
        p = TICTACTOE.start()
        for _ in range(plies):
            p = TICTACTOE.play(p, random.choice(TICTACTOE.moves(p) or [0]))
            if TICTACTOE.outcome(p):
                break
        else:
            choice = limited.choose(p, NO_LIMIT)
            assert choice.score == tictactoe_value(p, depth)
            assert choice.move is not None
            assert choice.score == -tictactoe_value(TICTACTOE.play(p, choice.move), depth - 1)
            assert choice.depth <= min(depth, 9 - plies)
            values.add(choice.score)
    assert values >= {0, 1}


def test_the_empty_board_is_a_draw_seen_to_the_end() -> None:
    choice = UNLIMITED.choose(TICTACTOE.start(), NO_LIMIT)
    assert (choice.score, choice.depth) == (0, 9)
    assert choice.nodes < 5478, "no position is looked at twice"


def pieces_value(p: Position, depth: int, ply: int = 0) -> int:
    """The value by plain minimax: every move of the referee's, no bounds."""
    if TWO_EAT_ONE.outcome(p):
        return LOSS + ply
    if depth == 0:
        return p.cells.count(p.turn) - p.cells.count(3 - p.turn)
    after = (TWO_EAT_ONE.play(p, move) for move in TWO_EAT_ONE.moves(p))
    return max(-pieces_value(q, depth - 1, ply + 1) for q in after)


def pieces_at_random(rng: Random) -> Position:
    """Up to five pieces of each side anywhere, either to move."""
    pieces = [1] * rng.randint(1, 5) + [2] * rng.randint(1, 5)
    return placed(pieces, rng.sample(range(25), len(pieces)), rng.randint(1, 2))


def pieces_in_the_corner(rng: Random) -> Position:
    """Many pieces on few points: here sides run out of moves."""
    points = [row * 5 + column for row in range(3) for column in range(4)]
    pieces = [1] * rng.randint(2, 3) + [2] * rng.randint(5, 8)
    return placed(pieces, rng.sample(points, len(pieces)), 1)


def placed(pieces: list[int], points: list[int], turn: int) -> Position:
    cells = bytearray(25)
    for cell, piece in zip(points, pieces, strict=True):
        cells[cell] = piece
    return Position(bytes(cells), turn)


@pytest.mark.parametrize(("depth", "count"), [(1, 500), (2, 300), (3, 150), (4, 20)])
def test_piece_count_equals_its_twin(depth: int, count: int) -> None:
    rng, player, lost = Random(depth), piece_count(TWO_EAT_ONE, depth=depth), 0
    for index in range(count):
        p = pieces_in_the_corner(rng) if index % 3 == 0 else pieces_at_random(rng)
        choice, moves = player.choose(p, NO_LIMIT), TWO_EAT_ONE.moves(p)
        values = [-pieces_value(TWO_EAT_ONE.play(p, move), depth - 1, 1) for move in moves]
        if values:
            assert choice.score == max(values)
            assert choice.move == moves[values.index(max(values))]
            lost += abs(max(values)) > 100
        else:
            assert (choice.move, choice.score) == (None, LOSS)
    assert lost, "some of the positions must be decided"
