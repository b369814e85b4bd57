"""minimax never loses at tic-tac-toe, and its values are those of the whole tree."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from arena import Limit, load_game
from arena.engines.minimax import engine
from arena.game import Move, Position

GAME = load_game("tictactoe")
ENGINE = engine(GAME)


@cache
def answer(cells: bytes, turn: int, last: Move | None) -> Move:
    moves = () if last is None else (last,)
    move = ENGINE.choose(Position(cells, turn, moves), Limit()).move
    assert move is not None
    return move


@pytest.mark.parametrize("seat", [1, 2])
def test_it_loses_to_no_opponent_from_either_side(seat: int) -> None:
    positions, ends = [GAME.start()], []
    while positions:
        p = positions.pop()
        if outcome := GAME.outcome(p):
            ends.append(outcome.winner)
        elif p.turn == seat:
            positions.append(GAME.play(p, answer(p.cells, p.turn, p.last)))
        else:
            positions += [GAME.play(p, move) for move in GAME.moves(p)]
    assert len(ends) > 50
    assert set(ends) == {seat, None}


def twin(p: Position, depth: int = 9) -> int:
    """The value by plain minimax, no position remembered."""
    if outcome := GAME.outcome(p):
        return 0 if outcome.winner is None else -1
    if depth == 0:
        return 0
    return max(-twin(GAME.play(p, move), depth - 1) for move in GAME.moves(p))


@pytest.mark.parametrize("depth", [1, 2, 3, 9])
def test_its_values_are_those_of_plain_minimax(depth: int) -> None:
    random, limited = Random(depth), engine(GAME, depth=depth)
    values = set()
    for plies in [2, 3, 4, 5, 6, 7] * 10:
        p = GAME.start()
        for _ in range(plies):
            p = GAME.play(p, random.choice(GAME.moves(p) or [0]))
            if GAME.outcome(p):
                break
        else:
            choice = limited.choose(p, Limit())
            assert choice.score == twin(p, depth)
            assert choice.move is not None
            assert choice.score == -twin(GAME.play(p, choice.move), depth - 1)
            assert choice.depth <= min(depth, 9 - plies)
            values.add(choice.score)
    assert values >= {0, 1}


def test_the_empty_board_is_a_draw_seen_to_the_end() -> None:
    choice = ENGINE.choose(GAME.start(), Limit())
    assert (choice.score, choice.depth) == (0, 9)
    assert choice.nodes < 5478, "no position is looked at twice"


def test_limits_are_kept_and_the_last_finished_depth_counts() -> None:
    p = GAME.start()
    assert ENGINE.choose(p, Limit(depth=3)) == engine(GAME, depth=3).choose(p, Limit())
    few = ENGINE.choose(p, Limit(nodes=500))
    assert few.nodes <= 500
    assert 1 < few.depth < 9
    assert ENGINE.choose(p, Limit(seconds=0.005)).depth < 9
    assert ENGINE.choose(p, Limit(nodes=1)).depth == 1
