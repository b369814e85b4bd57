"""Tic-tac-toe's tree is known to the last leaf."""

from __future__ import annotations

from collections import Counter

from arena import load_game
from arena.game import Game, Position

POSITIONS = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
"""Lines of play of each length, those included that end there."""
GAMES = 255_168


def test_the_whole_tree_is_as_large_as_known() -> None:
    game = load_game("tictactoe")
    lines, games = Counter([game.start()]), 0
    for expected in POSITIONS:
        lines = grown(game, lines)
        assert lines.total() == expected
        games += sum(count for p, count in lines.items() if game.outcome(p) is not None)
    assert games == GAMES
    assert all(map(game.outcome, lines))


def grown(game: Game, lines: Counter[Position]) -> Counter[Position]:
    """Lines of play a ply longer: of those with the same board and last move, one and a number."""
    found: dict[tuple[bytes, int], Position] = {}
    longer: Counter[Position] = Counter()
    for p, count in lines.items():
        for move in game.moves(p):
            q = game.play(p, move)
            longer[found.setdefault((q.cells, move), q)] += count
    return longer
