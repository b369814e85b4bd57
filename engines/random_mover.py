"""A player that makes any legal move: the lower end of every rating list."""

from __future__ import annotations

import random

from arena.engine import Choice, Engine, Limit
from arena.game import Game, Position

GAMES = ("*",)
DOCUMENT = "none of the source documents: it is what any engine should beat"


def engine(game: Game) -> Engine:
    """Uniform over the legal moves, from the game's seed."""
    return _RandomMover(game)


class _RandomMover:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.random = random.Random(0)

    def new_game(self, seed: int) -> None:
        self.random.seed(seed)

    def choose(self, p: Position, limit: Limit) -> Choice:
        return Choice(self.random.choice(self.game.moves(p)))

    def close(self) -> None:
        """Do nothing: nothing is held."""
