"""Fixed positions from the middle of games, and the benchmarks that run on them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, cast

import numpy as np

from arena.engine import Choice, Engine, Evaluation, Limit
from arena.game import Move, Position
from arena.games.gomoku import Gomoku, game as gomoku
from arena.jit import kernel

from . import DEEP, ROUNDS
from .record import new_board
from .shapes.board import play, put, undo
from .shapes.candidates import forbidden_points
from .shapes.table import cell_of

MIDGAMES = {
    "midgame-1": "8,6 9,6 10,9 9,8 9,7 10,7 11,8 8,9 11,6 11,9 6,4 7,5 12,7 9,10 13,6 14,5",
    "midgame-2": (
        "7,5 5,4 10,4 5,10 8,6 7,7 8,7 8,4 10,5 6,4 7,4 9,6 9,5 8,5 10,3 10,2 11,3 12,2 9,3 8,3 "
        "8,2 11,5"
    ),
    "midgame-3": (
        "9,9 5,5 9,5 7,6 7,7 8,6 9,6 9,7 10,8 8,8 8,5 10,7 11,7 12,6 10,6 12,8 10,5 11,5 9,3 8,4 "
        "11,4 12,3 12,5 9,2 10,3 10,4 8,3 7,3"
    ),
}
"""Games on 15 x 15, freestyle: random first moves, then `balance` at depth 4 against itself."""

BOARDS = 5_000  # boards that `forbidden` looks through
VALUES = 10_000  # times that `evaluations` looks at each position


def positions(game: Gomoku) -> Iterator[tuple[str, Position]]:
    for name, moves in MIDGAMES.items():
        p = game.start()
        for move in moves.split():
            p = game.play(p, game.parse(move))
        yield name, p


def searches(
    engine: Callable[[Gomoku, int], Engine], depths: Sequence[int]
) -> Iterator[tuple[str, Callable[[], Choice]]]:
    """Searches of each position to each depth; `engine` builds a player of a game and depth."""
    game = cast(Gomoku, gomoku())
    for name, p in positions(game):
        for depth in depths:
            yield f"{name}/depth-{depth}", partial(engine(game, depth).choose, p, Limit())


def play_undo(pairs: Callable[[Position, Sequence[Move]], int]) -> tuple[str, Callable[[], Choice]]:
    """A "search" whose nodes are stones, each played and taken back.

    `pairs` plays from a position on the points near its stones, shuffled: on DEEP of them one after
    another, then takes back, then on DEEP from the next on, ROUNDS times. It returns the number of
    stones.
    """
    game = cast(Gomoku, gomoku())
    *_, (_, p) = positions(game)
    stones = [divmod(move, game.size) for move in p.moves]
    moves = [
        move
        for move in game.moves(p)
        if any(
            max(abs(move // game.size - row), abs(move % game.size - column)) <= 2
            for row, column in stones
        )
    ]
    Random(0).shuffle(moves)
    return "play_undo", lambda: Choice(None, nodes=pairs(p, moves))


def stones_on(board: Any) -> Callable[[Position, Sequence[Move]], int]:
    """The `pairs` of `play_undo` on a board of the shapes' record."""

    def pairs(p: Position, moves: Sequence[Move]) -> int:
        put(board, p.cells, p.moves)
        cells = np.array([cell_of(move, int(board["size"])) for move in moves])
        return int(_play_and_undo(board, cells))

    return pairs


@kernel
def _play_and_undo(b: Any, cells: Any) -> int:
    for first in range(ROUNDS):
        for index in range(DEEP):
            play(b, cells[(first + index) % cells.size], index & 1)
        for _ in range(DEEP):
            undo(b)
    return ROUNDS * DEEP


def forbidden() -> tuple[str, Callable[[], Choice]]:
    """A "search" whose nodes are whole boards: all points that renju would forbid there."""
    game = cast(Gomoku, gomoku())
    *_, (_, p) = positions(game)
    board, points = new_board(game.size, "renju"), np.zeros(game.size**2, np.bool_)
    put(board, p.cells, p.moves)

    def look_through() -> Choice:
        for _ in range(BOARDS):
            forbidden_points(board, points)
        return Choice(None, nodes=BOARDS)

    return "forbidden", look_through


def evaluations(
    evaluate: Callable[..., Evaluation], engine: Callable[..., Engine]
) -> tuple[str, Callable[[], Choice]]:
    """A "search" whose nodes are static values of the positions, with the engine's defaults."""
    game = cast(Gomoku, gomoku())
    declared = inspect.signature(engine).parameters.values()
    defaults = {each.name: each.default for each in declared if each.kind is each.KEYWORD_ONLY}
    value, midgames = evaluate(game, **defaults), [p for _, p in positions(game)]

    def look_again() -> Choice:
        for _ in range(VALUES):
            for p in midgames:
                value(p)
        return Choice(None, nodes=VALUES * len(midgames))

    return "evaluate", look_again
