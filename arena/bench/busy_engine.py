"""An engine that only burns processor time, for `arena bench`."""

from __future__ import annotations

from random import Random
from typing import Annotated

from arena.engine import Choice, Engine, Limit, Range
from arena.game import Game, Position
from arena.jit import kernel

GAMES = ("*",)


@kernel
def spin(rounds: int) -> int:
    """A chain of dependent arithmetic that no compiler can shorten."""
    state = 1
    for _ in range(rounds):
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
    return state


def engine(
    game: Game, *, rounds: Annotated[int, Range(0, 1e12), "rounds of the kernel"] = 1_000_000
) -> Engine:
    """Spin, then play a random move."""
    return BusyEngine(game, rounds)


class BusyEngine:
    """An engine that spins, and draws its moves; it holds the random numbers of one game."""

    def __init__(self, game: Game, rounds: int) -> None:
        self.game = game
        self.rounds = rounds
        self.random = Random(0)
        spin(0)

    def new_game(self, seed: int) -> None:
        """Start the game's random numbers afresh."""
        self.random.seed(seed)

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Spin, and draw one of the legal moves."""
        spin(self.rounds)
        return Choice(self.random.choice(self.game.moves(p)), nodes=self.rounds)

    def close(self) -> None:
        """Do nothing: nothing is held."""
