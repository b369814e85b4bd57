"""An engine around the search: shows it the position, deepens within limits, reads its answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from arena.engine import Choice, Limit
from arena.game import Game, Position
from engines.kit.board import put, set_up
from engines.kit.clock import NEVER, deadline
from engines.kit.geometry import move_of
from engines.kit.record import new_record
from engines.kit.search import think
from engines.kit.shapes import Rule

COUNTERS = ("nodes", "cutoffs", "extensions", "probes", "hits", "searches", "saved", "visits")


class ShapePlayer:
    """Holds the board, tables and counters of one engine."""

    def __init__(
        self,
        game: Game,
        depth: int,
        weights: Mapping[str, int],
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
        rule: Rule = getattr(game, "rule", "freestyle")
        set_up(self.board, game.size, rule, weights, with_lines)
        self.choose(game.start(), Limit(depth=1))

    def new_game(self, seed: int) -> None:
        """Nothing is kept from one move to the next but what any search would find again."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Search as deep as the limits allow; depth 1 always finishes."""
        until = deadline(limit)
        most = min(self.depth, limit.depth or self.depth)
        unlimited = until == NEVER and limit.nodes is None
        self._show(p)
        choice = Choice(None)
        for depth in range(most if unlimited else 1, most + 1):
            found = self._search(p, depth)
            if found is None:
                break
            choice = found
            if found.depth < depth or (until != NEVER and time.monotonic_ns() >= until):
                break
            self.board["deadline"] = until
            self.board["node_limit"] = NEVER if limit.nodes is None else limit.nodes
        return self._with_counts(choice)

    def _show(self, p: Position) -> None:
        """Put the position on the board and start counting."""
        put(self.board, p.cells, p.moves)
        self.board["unordered"] = int(self.board["stones"]) - len(p.moves)
        for name in COUNTERS:
            self.board[name] = 0
        self.board["deadline"] = self.board["node_limit"] = NEVER
        self.board["salt"] += 1

    def _search(self, p: Position, depth: int) -> Choice | None:
        """The answer at one depth; None if a limit came first."""
        score = think(self.board, p.turn - 1, depth)
        if self.board["stopped"]:
            return None
        line = self.board["line"]
        pv = tuple(move_of(int(cell), self.size) for cell in line[: int(np.argmin(line > 0))])
        return Choice(pv[0], int(score), int(self.board["reached"]), pv=pv)

    def _with_counts(self, choice: Choice) -> Choice:
        """The answer with what was counted on the way."""
        return Choice(
            choice.move,
            choice.score,
            choice.depth,
            int(self.board["nodes"]),
            choice.pv,
            dict(self.info(self.board)),
        )

    def close(self) -> None:
        """Nothing is held but memory."""
