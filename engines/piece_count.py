"""A player that counts pieces at the end of each line of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated

import numpy as np

from arena.engine import Choice, Limit, Range
from arena.game import Game, Position
from arena.games.two_eat_one import game as two_eat_one

from .kit.bounds import INFINITY
from .kit.captures import STATE, search
from .kit.clock import begin, deepen

GAMES = ("two_eat_one",)
DOCUMENT = "source document 004: a small game of captures, searched with moves taken back"


def engine(
    game: Game,
    *,
    depth: Annotated[int, Range(1, 20), "plies searched"] = 5,
) -> PieceCount:
    """Minimax over own pieces less the other side's; a lost game is worth less, a late loss more.

    The search does not see repetition.
    """
    piece_count = PieceCount(depth)
    # Compiles, or loads what is compiled: the first move of a game is as quick as any.
    piece_count.choose(game.start(), Limit(depth=1))
    return piece_count


class PieceCount:
    """A player, which holds the record of its searches."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.state = np.zeros(1, STATE)[0]

    def new_game(self, seed: int) -> None:
        """Do nothing: no move depends on an earlier one."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Search to the full depth, or deepen until a limit of nodes or time."""
        begin(self.state, limit)
        own, other = points(p.cells, p.turn), points(p.cells, 3 - p.turn)
        lead = own.bit_count() - other.bit_count()
        self.state["move"] = -1

        def answer(depth: int) -> Choice:
            value = int(search(self.state, 0, depth, own, other, lead, -INFINITY, INFINITY))
            move = int(self.state["move"])
            return Choice(move, value, depth, pv=(move,)) if move >= 0 else Choice(None, value)

        return deepen(self.state, self.depth, limit, answer)

    def close(self) -> None:
        """Do nothing: only memory is held."""


def points(cells: bytes, piece: int) -> int:
    """The points on which a side's pieces stand, as a set of bits."""
    return sum(1 << cell for cell, found in enumerate(cells) if found == piece)


def benchmarks() -> Iterator[tuple[str, Callable[[], Choice]]]:
    """Two depths from the start, and from a position with the pieces in each other's reach."""
    game = two_eat_one()
    close = Position(b"\1\0\1\0\0\0\1\0\1\0\0\0\1\2\0\2\0\2\0\0\0\2\0\0\2", 1)
    for name, p in (("start", game.start()), ("close", close)):
        for depth in (5, 10):
            yield f"{name}/depth-{depth}", partial(engine(game, depth=depth).choose, p, Limit())
