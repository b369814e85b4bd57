"""The moves that `patterns` sorts in a position, and the weights of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.engines.kit.pattern_tables import MOVE_UNIT, move_weights_in, weights_in
from arena.engines.kit.selective.moves import list_sorted
from arena.engines.kit.shapes.board import put
from arena.engines.kit.shapes.table import move_of
from arena.engines.patterns import pattern_board
from arena.game import Move, Position
from arena.games.gomoku import Gomoku
from arena.stats.score_scale import Floats
from arena.tuning.fit.terms import Ints


@dataclass(frozen=True, slots=True)
class PatternMoves:
    """The weights that sort moves: a board on which a position is put, and the weights."""

    board: Any
    start: Floats
    unit: float = float(MOVE_UNIT)

    def of(self, p: Position) -> tuple[Sequence[Move], Ints]:
        """The moves, and the numbers of the weights of each; none where moves are forced."""
        size = int(self.board["size"])
        put(self.board, p.cells, ())
        rows = np.empty((size * size, 3), np.int64)
        rows = rows[: list_sorted(self.board, p.turn - 1, rows)]
        return [move_of(cell, size) for cell in rows[:, 0].tolist()], rows[:, 1:]


def pattern_moves(game: Gomoku, *, moves: str, fitted_moves: bool, **others: Any) -> PatternMoves:
    """The tables that sort moves, with these parameters of `patterns`: patterns of the mover, and
    of the other side."""
    worths = move_weights_in(game, moves, fitted_moves)
    return PatternMoves(pattern_board(game, weights_in(game)), worths.astype(np.float64))
