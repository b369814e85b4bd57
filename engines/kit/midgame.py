"""Fixed positions from the middle of games, to time searches on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from arena.engine import Choice, Engine, Limit
from arena.game import Game, Position
from arena.games import gomoku

GAMES = {
    "ply16": "8,6 9,6 10,9 9,8 9,7 10,7 11,8 8,9 11,6 11,9 6,4 7,5 12,7 9,10 13,6 14,5",
    "ply22": (
        "7,5 5,4 10,4 5,10 8,6 7,7 8,7 8,4 10,5 6,4 7,4 9,6 9,5 8,5 10,3 10,2 11,3 12,2 9,3 8,3 "
        "8,2 11,5"
    ),
    "ply28": (
        "9,9 5,5 9,5 7,6 7,7 8,6 9,6 9,7 10,8 8,8 8,5 10,7 11,7 12,6 10,6 12,8 10,5 11,5 9,3 8,4 "
        "11,4 12,3 12,5 9,2 10,3 10,4 8,3 7,3"
    ),
}
"""15 x 15, freestyle: random first moves, then `balance` at depth 4 against itself."""


def positions(game: Game) -> Iterator[tuple[str, Position]]:
    """Each position and its name."""
    for name, moves in GAMES.items():
        p = game.start()
        for move in moves.split():
            p = game.play(p, game.parse(move))
        yield name, p


def searches(engine: Callable[[Game], Engine]) -> Iterator[tuple[str, Callable[[], Choice]]]:
    """A search of each position by a fresh engine, to the depth that it is built with."""
    game = gomoku.game()
    for name, p in positions(game):
        player = engine(game)
        yield name, lambda player=player, p=p: player.choose(p, Limit())  # type: ignore[misc]
