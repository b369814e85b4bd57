"""What many games cost in the long run: time per game, memory and file handles, and the report."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from arena.config.settings import Config, Player
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.tournament.run import Run, RunProgress
from arena.workers.pool import Local

GAMES = 100_000
SETTLED = 5_000
"""Games after which nothing should grow any more."""
SPAN = 10_000
"""Games over which the time of one is taken, after the settling and at the end."""
MEGABYTE = 2**20


class Look(NamedTuple):
    """The parent and its workers at one moment."""

    cpu: float
    """Seconds of all of them."""
    parent: float
    """Megabytes resident; of the workers, the largest."""
    worker: float
    handles: int


def look() -> Look:
    """Look at this process and its children now."""
    parent = psutil.Process()
    workers = parent.children()
    cpu = sum(sum(process.cpu_times()[:2]) for process in (parent, *workers))
    return Look(
        cpu=cpu,
        parent=parent.memory_info().rss / MEGABYTE,
        worker=max((worker.memory_info().rss / MEGABYTE for worker in workers), default=0.0),
        handles=sum(process.num_fds() for process in (parent, *workers)),
    )


class Looks:
    """Holds what was seen at the games in question."""

    def __init__(self, games: int) -> None:
        self.at: dict[int, Look] = {}
        self._when = {SETTLED, SETTLED + SPAN, games - SPAN, games - 2}

    def __call__(self, progress: RunProgress) -> None:
        games = progress.tally.games
        if games in self._when:
            self.at[games] = look()


def endurance_row(games: int = GAMES) -> dict[str, Any]:
    """So many instant games on two workers, and a report over them.

    Growth, in megabytes and handles, is from game 5 000 to the end; `cpu_ratio` is the CPU time of
    a game at the end over that after the settling.
    """
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder) / "endurance", instant_games(games))
        looks = Looks(games)
        began = time.perf_counter()
        run.play(Local(2), watch=looks)
        seconds = time.perf_counter() - began
        settled, after, before, end = (looks.at[games] for games in sorted(looks.at))
        reported, peak = report_cost(run.folder)
    return {
        "name": "endurance",
        "games": games,
        "games_per_second": games / seconds,
        "cpu_ratio": (end.cpu - before.cpu) / (after.cpu - settled.cpu) * SPAN / (SPAN - 2),
        "parent_megabytes": settled.parent,
        "parent_growth": end.parent - settled.parent,
        "worker_growth": end.worker - settled.worker,
        "handles_growth": end.handles - settled.handles,
        "report_seconds": reported,
        "report_megabytes": peak,
    }


def instant_games(games: int) -> Config:
    """Three moves each, drawn at random, on a small board."""
    engine = Named("arena.bench.busy_engine", {"rounds": 0})
    players = [Player(name, engine) for name in ("one", "two")]
    game = Named("gomoku", {"size": 7})
    return Config(
        name="endurance",
        terms=Terms(game=game, max_plies=4, margin=0.0),
        openings=Openings(Named("list", {"list": ["3,3"]}), game),
        rounds=games // 2,
        players=tuple(players),
    )


def report_cost(folder: Path) -> tuple[float, float]:
    """Seconds and peak megabytes of `arena report`, as a process of its own."""
    command = [sys.executable, "-m", "arena", "report", str(folder)]
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return time.perf_counter() - began, usage.ru_maxrss / 1024
