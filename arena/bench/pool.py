"""The workers: the speed-up of a tournament by a second one, and of a bare kernel beside it.

The engine that plays is this file's own: it only burns processor time.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Annotated

from arena.bench.timing import Measurement, seconds_of
from arena.config.settings import Config, Player
from arena.engine import Choice, Engine, Limit, Range
from arena.game import Game, Position
from arena.jit import kernel
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.processes.child import fork_context
from arena.tournament.run import Run
from arena.workers.pool import Local

SPINS = 1_000_000
"""Rounds of the kernel for each move: some milliseconds."""
PLIES = 20
TIMED_OPENINGS = 30
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


def pool_rows(repeat: int) -> Iterator[Measurement]:
    """The speed-up of a tournament by a second worker, of a bare kernel, and their ratio.

    Both run the same kernel equally often. The four are timed in turn, because cores are shared,
    and each speed-up is the median over the turns.
    """
    spin(0)
    turns = [_pool_turn() for _ in range(repeat)]
    bare = median(2 * one / two for one, two, _, _ in turns)
    pool = median(one / two for _, _, one, two in turns)
    ratio = median((p1 / p2) / (2 * b1 / b2) for b1, b2, p1, p2 in turns)
    yield {"name": "pool", "bare_speed_up": bare, "pool_speed_up": pool, "ratio": ratio}


def _pool_turn() -> tuple[float, float, float, float]:
    """Seconds of a bare kernel on one process and on two (each as much again), and of a run."""
    with tempfile.TemporaryDirectory() as folder:
        return (
            bare_seconds(1),
            bare_seconds(2),
            _run_seconds(Path(folder) / "one", workers=1),
            _run_seconds(Path(folder) / "two", workers=2),
        )


def bare_seconds(processes: int) -> float:
    """Seconds of `processes` run at once, each spinning for half of the run's moves."""
    context = fork_context()
    found = [context.Process(target=_spin_often) for _ in range(processes)]
    began = time.perf_counter()
    for process in found:
        process.start()
    for process in found:
        process.join()
    return time.perf_counter() - began


def _spin_often() -> None:
    """Spin for half of the moves of the run: one game of each pair."""
    for _ in range(TIMED_OPENINGS * PLIES):
        spin(SPINS)


def _run_seconds(folder: Path, workers: int) -> float:
    """Seconds of a whole run: pairings, workers, records, database."""
    engine, game = Named(__name__, {"rounds": SPINS}), Named("gomoku")
    drawn = {"plies": 2, "count": TIMED_OPENINGS, "seed": 0, "spread": 7}
    config = Config(
        name=folder.name,
        terms=Terms(game=game, max_plies=2 + PLIES, margin=0.0),
        format=Named("round_robin"),
        openings=Openings(Named("random", drawn), game),
        players=(Player("one", engine), Player("two", engine)),
    )
    run = Run(folder, config)
    return seconds_of(lambda: run.play(Local(workers)), time.perf_counter)
