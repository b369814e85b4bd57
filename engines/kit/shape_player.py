"""An engine around the search: shows it the position, deepens within limits, reads its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from arena.engine import Choice, Limit
from arena.game import Move, Position
from arena.games.gomoku import Gomoku
from arena.jit import kernel
from engines.kit.benchmarks import DEEP, ROUNDS
from engines.kit.clock import UNLIMITED, begin, bounds, deepen
from engines.kit.record import new_record
from engines.kit.shapes.board import play, undo
from engines.kit.shapes.geometry import cell_of, move_of
from engines.kit.shapes.search import think
from engines.kit.shapes.setup import put, set_up

COUNTERS = ("cutoffs", "extensions", "probes", "hits", "searches", "saved")


class ShapePlayer:
    """Holds the board, tables and counters of one engine."""

    def __init__(
        self,
        game: Gomoku,
        depth: int,
        weights: Sequence[int],
        *,
        with_lines: bool,
        options: Mapping[str, float],
        info: Callable[[Any], Mapping[str, int | float]],
    ) -> None:
        """`options` are fields of the search's record; `info` reads the counters for `Choice`."""
        self.size = game.size
        self.depth = depth
        self.info = info
        self.board = new_record()
        for name, value in options.items():
            self.board[name] = value
        set_up(self.board, game.size, game.rule, weights, with_lines)
        # Compiles, or loads what is compiled: the first move of a game is as quick as any.
        self.choose(game.start(), Limit(depth=1))

    def new_game(self, seed: int) -> None:
        """Nothing is kept from one move to the next but what any search would find again."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Search as deep as the limits allow; depth 1 always finishes."""
        within = bounds(limit)
        self._show(p)
        depth = min(self.depth, limit.depth or self.depth)
        depths = range(depth if within == UNLIMITED else 1, depth + 1)
        choice = deepen(self.board, depths, within, lambda plies: self._answer(p.turn - 1, plies))
        return replace(choice, info=dict(self.info(self.board)))

    def _show(self, p: Position) -> None:
        """Put the position on the board and start counting."""
        put(self.board, p.cells, p.moves)
        self.board["unordered"] = int(self.board["stones"]) - len(p.moves)
        for name in COUNTERS:
            self.board[name] = 0
        self.board["salt"] += 1
        begin(self.board)

    def _answer(self, player: int, depth: int) -> Choice:
        """What the search says at one depth; nothing of use once stopped."""
        score = int(think(self.board, player, depth))
        line = self.board["line"]
        pv = tuple(move_of(int(cell), self.size) for cell in line[: int(np.argmin(line > 0))])
        return Choice(pv[0] if pv else None, score, int(self.board["reached"]), pv=pv)

    def play_undo(self, p: Position, moves: Sequence[Move]) -> int:
        """Play and take back, as `midgame.play_undo` wants it."""
        self._show(p)
        return int(play_and_undo(self.board, np.array([cell_of(m, self.size) for m in moves])))

    def close(self) -> None:
        """Nothing is held but memory."""


@kernel
def play_and_undo(b: Any, cells: Any) -> int:
    """Play DEEP of the cells, by both players in turn, take them back, and so on, ROUNDS times."""
    for first in range(ROUNDS):
        for step in range(DEEP):
            play(b, cells[(first + step) % cells.size], step & 1)
        for _ in range(DEEP):
            undo(b)
    return ROUNDS * DEEP
