"""A player that counts pieces at the end of each line of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Any

import numpy as np

from arena.engine import Choice, Limit, Range
from arena.game import Game, Position
from arena.games.two_eat_one import game as two_eat_one
from arena.jit import kernel

from .kit.bits import lowest
from .kit.bounds import INFINITY
from .kit.clock import LIMITS, begin, deepen, visit

GAMES = ("two_eat_one",)
DOCUMENT = "source document 004: a small game of captures, searched with moves taken back"


def engine(game: Game, *, depth: Annotated[int, Range(1, 20), "plies searched"] = 5) -> PieceCount:
    """Minimax over own pieces less the other side's; a lost game is worth less, a late loss more.

    The search does not see repetition.
    """
    piece_count = PieceCount(depth)
    # Compiles, or loads what is compiled: the first move of a game is as quick as any.
    piece_count.choose(game.start(), Limit(depth=1))
    return piece_count


class PieceCount:
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
    return sum(1 << cell for cell, stone in enumerate(cells) if stone == piece)


def benchmarks() -> Iterator[tuple[str, Callable[[], Choice]]]:
    """Two depths from the start, and from a position with the pieces in each other's reach."""
    game = two_eat_one()
    close = Position(b"\1\0\1\0\0\0\1\0\1\0\0\0\1\2\0\2\0\2\0\0\0\2\0\0\2", 1)
    for name, p in (("start", game.start()), ("close", close)):
        for depth in (5, 10):
            yield f"{name}/depth-{depth}", partial(engine(game, depth=depth).choose, p, Limit())


SIZE = 5
AREA = SIZE * SIZE
BOARD = (1 << AREA) - 1
LOSS = -1_000

cells = np.arange(AREA)
ROW = 0b11111 << SIZE * (cells // SIZE)
COLUMN = 0b00001_00001_00001_00001_00001 << cells % SIZE  # points of each point's row and column
LEFT, RIGHT = int(COLUMN[0]), int(COLUMN[-1])  # the edges, which no step sideways leaves

STATE = np.dtype([("move", np.int64), *LIMITS], align=True)


@kernel
def search(
    state: Any, ply: int, depth: int, own: int, other: int, lead: int, alpha: int, beta: int
) -> int:
    """The minimax value, or a bound on it outside alpha and beta; meaningless once stopped.

    `lead` is the mover's pieces less the other's. At the root, the first of the best moves in
    ascending order is left in `state.move`.
    """
    if not visit(state):
        return alpha
    if _has_lost(own, other):
        return LOSS + ply
    if depth == 0:
        return lead
    best = -INFINITY
    pieces = np.uint64(own)
    while pieces:
        cell = lowest(pieces)
        pieces &= pieces - np.uint64(1)
        steps = np.uint64(beside(1 << cell) & ~(own | other))
        while steps:
            to = lowest(steps)
            steps &= steps - np.uint64(1)
            moved = own ^ (1 << cell) ^ (1 << to)
            row, column = captured(moved, other, ROW[to], 1), captured(moved, other, COLUMN[to], 5)
            gained = lead + (row != 0) + (column != 0)
            left = other & ~(row | column)
            value = -search(
                state, ply + 1, depth - 1, left, moved, -gained, -beta, -max(alpha, best)
            )
            if state.stopped:
                return alpha
            if value > best:
                best = value
                if ply == 0:
                    state.move = cell * AREA + to
                if best >= beta:
                    return best
    return best


@kernel
def beside(points: int) -> int:
    """The points one step from any of these."""
    sideways = (points & ~LEFT) >> 1 | (points & ~RIGHT) << 1
    return (points >> SIZE | points << SIZE | sideways) & BOARD


@kernel
def _has_lost(own: int, other: int) -> bool:
    """True if the side to move has fewer than two pieces, or none that can move."""
    return own & (own - 1) == 0 or beside(own) & ~(own | other) == 0


@kernel
def captured(own: int, other: int, line: int, step: int) -> int:
    """The piece that the side that moved onto this line captures there, if any.

    Three pieces in all stand on the line, next to each other: two own and, at an end, an enemy.
    """
    own &= line
    other &= line
    pair = own & (own >> step)
    more = own & (own - 1)
    if pair == 0 or more & (more - 1) or other & (other - 1):
        return 0
    return other & (pair << 2 * step | pair >> step)
