"""The referee: microseconds a ply of Gomoku, 15 x 15, without what the engines take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from statistics import median

from arena.bench import Measurement, seconds_of
from arena.engine import Choice, Limit
from arena.game import Move, Position
from arena.match.play import play_game
from arena.match.record import Job
from arena.plugins import load

REPLAYED_GAMES = 50


def rows(repeat: int) -> Iterator[Measurement]:
    """Random games, replayed by `play_game` with players that know their moves beforehand."""
    game = load.load_game("gomoku")
    scripts = [Script(random_game(seed)) for seed in range(REPLAYED_GAMES)]
    job, positions = Job("first", "second"), {}
    for script in scripts:
        seen: list[Position] = []
        play_game(game, (script, script), job, watch=seen.append)
        positions[script] = seen[:-1]
    plies = sum(map(len, positions.values()))

    def play() -> None:
        for script in scripts:
            play_game(game, (script, script), job)

    def ask() -> None:
        limit = Limit()
        for script, seen in positions.items():
            for p in seen:
                script.choose(p, limit)

    seconds = median(seconds_of(play) - seconds_of(ask) for _ in range(10 * repeat))
    yield {
        "name": "match",
        "plies": plies,
        "seconds": seconds,
        "microseconds_per_ply": 1e6 * seconds / plies,
    }


class Script:
    """An engine that plays moves known beforehand, as nearly for nothing as Python can."""

    def __init__(self, moves: Sequence[Move]) -> None:
        self.choices = [Choice(move) for move in moves]

    def new_game(self, seed: int) -> None:
        """Do nothing: there is nothing to forget."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        """The move of this ply."""
        return self.choices[len(p.moves)]

    def close(self) -> None:
        """Do nothing: nothing is held."""


def random_game(seed: int) -> Sequence[Move]:
    """The moves of a random game of Gomoku."""
    game, random = load.load_game("gomoku"), Random(seed)
    p = game.start()
    while moves := game.moves(p):
        p = game.play(p, random.choice(moves))
    return p.moves
