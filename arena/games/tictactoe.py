"""Tic-tac-toe: Gomoku's rules with three in a row on 3 x 3 cells."""

from __future__ import annotations

from arena.game import Game
from arena.games.gomoku import Gomoku

DOCUMENT = "source document 002: three in a row, small enough to be searched to its end"


def game() -> Game:
    """Three in a row on 3 x 3 cells; a full board is a draw."""
    return Gomoku("tictactoe", 3, 3, "freestyle")
