"""Tic-tac-toe's tree is known to the last leaf."""

from __future__ import annotations

from arena import load_game
from arena.game import Position

POSITIONS = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
"""Lines of play of each length, those included that end there."""
GAMES = 255_168


def test_the_whole_tree_is_as_large_as_known() -> None:
    game = load_game("tictactoe")
    lines: list[Position] = [game.start()]
    games = 0
    for expected in POSITIONS:
        lines = [game.play(p, move) for p in lines for move in game.moves(p)]
        assert len(lines) == expected
        games += sum(game.outcome(p) is not None for p in lines)
    assert games == GAMES
    assert all(map(game.outcome, lines))
