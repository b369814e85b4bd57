"""The player of the engines that search shapes selectively: one call of a kernel a move."""

from __future__ import annotations

import time
from collections.abc import Sequence

from arena.engine import LONGEST_MATE, Choice, Limit
from arena.game import Position
from arena.games.gomoku import Gomoku

from ..clock import NEVER, begin, clock_share
from ..record import new_board
from ..shapes.board import put
from ..shapes.codes import Tables
from ..shapes.table import move_of, moves_of
from .parameters import constants
from .positions import BELIEVED, LARGEST, WIN
from .search import forget_all, think_selectively

COUNTED = ("cutoffs", "first_cutoffs", "forced_nodes")


class SelectivePlayer:
    """A player, which holds the board and what it learnt in the game so far."""

    def __init__(
        self,
        game: Gomoku,
        depth: int,
        weights: Sequence[int],
        tables: Tables | None = None,
        /,
        **options: float,
    ) -> None:
        """`options` are fields of the search's record; constants not given have their defaults.

        `weights` evaluate positions and sort moves. Where there are `tables`, these do so, and
        `weights` only tell futile moves, and sort answers to two fours.
        """
        options = {**constants(), **options}
        self.size = game.size
        self.depth = depth
        self.deepest, self.share_most, self.clock_most = (
            int(options.pop(name)) for name in ("deepest", "share_most", "clock_most")
        )
        self.board = new_board(game.size, game.rule, weights, tables, with_classes=True, **options)
        self.seen: Position | None = None  # position of the last search, whose knowledge is kept
        # Compiles, or loads what is compiled: the first move of a game is as quick as any.
        self.choose(game.play(game.start(), game.size // 2), Limit(depth=1))
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        if self.seen is not None:
            forget_all(self.board)
        self.seen = None

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Search as deep as the limits allow; at depth 0, the move is the one to be tried first."""
        if not self._goes_on(p):
            self.new_game(0)
        self.seen = p
        self._begin(limit)
        put(self.board, p.cells, p.moves)
        bounded = self.board["max_nodes"] < NEVER or self.board["deadline"] < NEVER
        depth = self.deepest if bounded or limit.depth else self.depth
        score = int(think_selectively(self.board, p.turn - 1, min(depth, limit.depth or depth)))
        return self._answer(score)

    def _goes_on(self, p: Position) -> bool:
        """True if the game that was searched last led here."""
        if self.seen is None:
            return True
        known, new = self.seen.moves, len(p.moves) - len(self.seen.moves)
        stand = all(
            not stone or stone == here for stone, here in zip(self.seen.cells, p.cells, strict=True)
        )
        as_many = self.seen.cells.count(0) - p.cells.count(0) == new > 0
        return stand and as_many and p.moves[: len(known)] == known

    def _begin(self, limit: Limit) -> None:
        """Start counting. A move may take more than its share of a game clock, if it must."""
        share, bound = clock_share(limit), limit.seconds
        if share is not None and limit.time_left is not None:
            most = min(share * self.share_most, limit.time_left * self.clock_most) / 100
            most = max(share, most)
            bound = most if bound is None else min(bound, most)
        begin(self.board, Limit(nodes=limit.nodes, seconds=bound))
        self.board["begun"] = time.monotonic_ns()
        self.board["share"] = 0 if share is None else max(1, int(1e9 * share))
        for name in COUNTED:
            self.board[name] = 0

    def _answer(self, score: int) -> Choice:
        board, cell = self.board, int(self.board["root_move"])
        pv = moves_of(board["expected"], self.size)
        move = move_of(cell, self.size) if cell else None
        info: dict[str, int | float | str] = {name: int(board[name]) for name in COUNTED}
        proven = abs(score) > WIN - LONGEST_MATE
        info["proven"] = (WIN - abs(score)) * (1 if score > 0 else -1) if proven else 0
        if abs(score) > LARGEST and not proven:
            score += (WIN - BELIEVED) * (1 if score > 0 else -1)
        if pv[:1] != (move,):
            pv = () if move is None else (move,)
        return Choice(move, score, int(board["reached"]), int(board["nodes"]), pv, info)

    def close(self) -> None:
        """Do nothing: only memory is held."""
