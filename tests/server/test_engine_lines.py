"""The lines of a position, found through the contract of engines alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from arena.engine import MATE, Choice, Conditions, Limit
from arena.engines.minimax import engine as minimax
from arena.game import Game, Position
from arena.games.gomoku import game as gomoku
from arena.games.renju import game as renju
from arena.games.tictactoe import game as tictactoe
from arena.server.analysis.engine_lines import (
    LONGEST_STEP,
    EngineLine,
    UnplayableError,
    backed_up,
    candidates,
    lines_deepening,
    position_after,
)

BOARD = gomoku(size=5)


class Answering:
    """An engine that answers by a function, and remembers what it was asked."""

    def __init__(self, answer: Callable[[Position, Limit], Choice]) -> None:
        self.answer = answer
        self.asked: list[tuple[Position, Limit]] = []
        self.games = 0

    def new_game(self, seed: int) -> None:
        self.games += 1

    def choose(self, p: Position, limit: Limit) -> Choice:
        self.asked.append((p, limit))
        return self.answer(p, limit)

    def close(self) -> None:
        pass


class Started(Answering):
    """The same as a program."""

    def start(self, conditions: Conditions) -> None:
        pass


def found(engine: Any, game: Game, p: Position, most: int = 3) -> list[tuple[EngineLine, ...]]:
    return list(lines_deepening(engine, game, p, most, 0))


def by_cell(p: Position, limit: Limit) -> Choice:
    """The first empty cell, three plies deep; a position is worth the last move's number."""
    depth = min(limit.depth or 3, 3)
    return Choice(p.cells.index(0), -(p.last or 0), depth, nodes=7)


@pytest.mark.parametrize("moves", [(0, 4, 8), (4, 0, 8, 2), (4, 0, 2, 6)])
def test_each_line_has_the_value_of_its_first_move(moves: tuple[int, ...]) -> None:
    game = tictactoe()

    @cache
    def value(p: Position) -> int:
        if outcome := game.outcome(p):
            return 0 if outcome.winner is None else 1 if outcome.winner == p.turn else -1
        return max(-value(game.play(p, move)) for move in game.moves(p))

    p = position_after(game, moves)
    *_, last = found(minimax(game), game, p, 5)
    assert len(last) == min(5, len(game.moves(p)))
    values = [-value(game.play(p, line.moves[0])) for line in last]
    signs = [(line.score or 0) and (1 if (line.score or 0) > 0 else -1) for line in last]
    assert signs == values
    assert values[0] == max(-value(game.play(p, move)) for move in game.moves(p))
    assert all(one >= other for one, other in pairwise(values))


def test_the_first_line_is_the_engines_own_and_no_other_begins_so() -> None:
    p = position_after(BOARD, (12,))
    reports = found(Answering(by_cell), BOARD, p)
    assert all(report[0].moves == (0,) for report in reports)
    assert reports[0] == (EngineLine((0,), -12, 1, 7),)
    assert reports[-1][0].depth == 3
    # Each reply is scored with the other sign: the last cells are best.
    assert [(line.moves[0], line.score) for line in reports[-1][1:]] == [(24, 24), (23, 23)]


def test_other_moves_are_looked_at_one_ply_less_deep() -> None:
    engine = Answering(by_cell)
    p = position_after(BOARD, (12,))
    last = found(engine, BOARD, p)[-1]
    assert {line.depth for line in last} == {3}
    depths = {asked.ply: set[int | None]() for asked, _ in engine.asked}
    for asked, limit in engine.asked:
        depths[asked.ply].add(limit.depth)
    assert depths == {1: {1, 2, 3, 4}, 2: {1, 2}}


def test_each_question_begins_a_game_of_its_own() -> None:
    engine = Answering(by_cell)
    found(engine, BOARD, position_after(BOARD, (12,)))
    assert engine.games == len(engine.asked) > 30


def test_an_engine_without_depths_is_asked_for_every_line_once() -> None:
    engine = Answering(lambda p, limit: Choice(p.cells.index(0), p.last or 0))
    last = found(engine, BOARD, BOARD.start())[-1]
    assert [line.moves[0] for line in last] == [0, 1, 2]
    assert len(engine.asked) == 1 + 25


def test_an_engine_without_scores_has_one_line() -> None:
    engine = Answering(lambda p, limit: Choice(3))
    assert found(engine, BOARD, BOARD.start()) == [(EngineLine((3,), None, 0, 0),)]


def test_a_program_is_given_more_and_more_time_for_one_line() -> None:
    engine = Started(by_cell)
    reports = found(engine, BOARD, BOARD.start())
    assert {len(report) for report in reports} == {1}
    times = [limit.seconds for _, limit in engine.asked]
    assert times[:3] == [0.25, 0.5, 1.0]
    last = times[-1] or 0.0
    assert last <= LONGEST_STEP < 2 * last


def test_what_wins_at_once_needs_no_answer_and_what_loses_is_left_out() -> None:
    p = position_after(BOARD, (0, 5, 1, 6, 2, 7, 3, 8))

    def answer(p: Position, limit: Limit) -> Choice:
        loses = p.ply > 8 and p.last != 10
        return Choice(p.cells.index(0), MATE - 1 if loses else 0, 1)

    engine = Answering(answer)
    *_, last = found(engine, BOARD, p, 5)
    assert [line.moves[0] for line in last] == [4, 10]
    assert all(asked.last != 4 for asked, _ in engine.asked)


@pytest.mark.parametrize(
    ("score", "before"),
    [(5, -5), (0, 0), (MATE - 3, 4 - MATE), (2 - MATE, MATE - 3), (-MATE, MATE - 1)],
)
def test_a_seen_win_is_a_ply_further_off_the_ply_before(score: int, before: int) -> None:
    assert backed_up(score) == before


def test_lines_end_where_they_cannot_be_played() -> None:
    engine = Answering(lambda p, limit: Choice(3, 1, 0, pv=(3, 4, 4, 5)))
    assert found(engine, BOARD, BOARD.start(), 1)[-1][0].moves == (3, 4)
    with pytest.raises(UnplayableError):
        found(Answering(lambda p, limit: Choice(25)), BOARD, BOARD.start())
    resigned = found(Answering(lambda p, limit: Choice(None)), BOARD, BOARD.start())
    assert resigned == [(EngineLine((), None, 0, 0),)]


def test_moves_that_lose_by_a_foul_are_no_candidates() -> None:
    game = renju()
    moves = [game.parse(text) for text in ["7,6", "0,0", "7,8", "0,2", "6,7", "0,4", "8,7", "0,6"]]
    p = position_after(game, moves)
    assert 7 * 15 + 7 in game.moves(p)
    assert 7 * 15 + 7 not in candidates(game, p)
