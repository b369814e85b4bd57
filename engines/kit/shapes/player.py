"""The player of the engines that search shapes: one position, one search, one answer a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena.engine import Choice, Limit
from arena.game import Position
from arena.games.gomoku import Gomoku

from ..clock import begin, deepen
from ..record import new_board
from .board import put
from .search import think
from .table import moves_of

COUNTERS = ("cutoffs", "extensions", "probes", "hits", "searches", "saved")


class ShapePlayer:
    def __init__(
        self,
        game: Gomoku,
        depth: int,
        weights: Sequence[int],
        info: Callable[[Any], Mapping[str, int | float]],
        **options: float,
    ) -> None:
        """`info` reads the counters for `Choice`; `options` are fields of the search's record."""
        self.size = game.size
        self.depth = depth
        self.info = info
        self.board = new_board(game.size, game.rule, weights, **options)
        # Compiles, or loads what is compiled: the first move of a game is as quick as any.
        self.choose(game.start(), Limit(depth=1))

    def new_game(self, seed: int) -> None:
        """Do nothing: only facts that any search would find again are kept."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Search as deep as the limits allow; depth 1 always finishes."""
        self._show(p, limit)
        choice = deepen(self.board, self.depth, limit, lambda d: self._answer(p.turn - 1, d))
        return replace(choice, info=dict(self.info(self.board)))

    def _show(self, p: Position, limit: Limit) -> None:
        begin(self.board, limit)
        put(self.board, p.cells, p.moves)
        self.board["unordered"] = int(self.board["stones"]) - len(p.moves)
        for name in COUNTERS:
            self.board[name] = 0

    def _answer(self, player: int, depth: int) -> Choice:
        """The search's answer at one depth; meaningless once stopped."""
        score = int(think(self.board, player, depth))
        pv = moves_of(self.board["line"], self.size)
        return Choice(pv[0] if pv else None, score, int(self.board["reached"]), pv=pv)

    def close(self) -> None:
        """Do nothing: only memory is held."""
