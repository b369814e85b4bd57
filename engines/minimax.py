"""A player that looks at every line of play to its end."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from arena.engine import Choice, Limit, Range
from arena.game import Game, Position

from .kit.clock import LIMITS, begin, deepen, visit

DOCUMENT = "source document 002: tic-tac-toe searched to its end"
GAMES = ("tictactoe",)  # the document's own; any would do whose lines of play are few and short


def engine(
    game: Game,
    *,
    depth: Annotated[int, Range(1, 50), "plies searched; by default, to the end"] = 50,
) -> Minimax:
    """A win is worth 1, a loss -1, a draw 0, and so is a game that goes on beyond the depth."""
    return Minimax(game, depth)


class Minimax:
    def __init__(self, game: Game, depth: int) -> None:
        self.game = game
        self.depth = depth
        self.state = np.zeros(1, np.dtype(LIMITS, align=True))[0]
        self.values: dict[tuple[bytes, int, int], int] = {}
        self.reached = 0

    def new_game(self, seed: int) -> None:
        """Do nothing: no move depends on an earlier one."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Search to the end, or deepen until a limit of nodes or time; the first of the best."""
        begin(self.state, limit)
        return deepen(self.state, self.depth, limit, lambda depth: self._answer(p, depth))

    def _answer(self, p: Position, depth: int) -> Choice:
        """The best move, and its value, to a depth; meaningless once stopped."""
        self.values.clear()
        self.reached = 0
        moves = self.game.moves(p)
        values = {m: -self._value(self.game.play(p, m), depth - 1, 1) for m in moves}
        best = max(values, key=values.__getitem__)
        return Choice(best, values[best], self.reached, pv=(best,))

    def _value(self, p: Position, depth: int, ply: int) -> int:
        """The value of a position to the side to move."""
        key = p.cells, p.turn, depth
        if (known := self.values.get(key)) is not None:
            return known
        if not visit(self.state):
            return 0
        self.reached = max(self.reached, ply)
        if outcome := self.game.outcome(p):
            value = 0 if outcome.winner is None else 1 if outcome.winner == p.turn else -1
        elif depth == 0:
            value = 0
        else:
            value = -1
            for move in self.game.moves(p):
                value = max(value, -self._value(self.game.play(p, move), depth - 1, ply + 1))
                if value == 1:
                    break
        self.values[key] = value
        return value

    def close(self) -> None:
        """Do nothing: only memory is held."""
