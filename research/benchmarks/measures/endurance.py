"""A long run of 100 000 games: time per game, memory and file handles, and the report."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psutil

from arena.bench import Measurement, seconds_of
from arena.config.settings import Config, Player
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.processes.child import MEGABYTE
from arena.tournament.run import Run, RunProgress
from arena.workers.pool import Local

MANY_GAMES = 100_000
STEADY_FROM = 5_000
"""Games after which nothing should grow any more."""
SPAN = 10_000
"""Games over which the time of one is taken, after the settling and at the end."""


class Usage(NamedTuple):
    """Resources that the parent and its workers have taken by one moment."""

    cpu: float
    """CPU seconds of these processes."""
    parent: float
    """Megabytes resident in the parent."""
    worker: float
    """Megabytes resident in the largest worker."""
    handles: int
    """Open file handles of these processes."""


def usage() -> Usage:
    """The resources of this process and its children now."""
    parent = psutil.Process()
    workers = parent.children()
    cpu = sum(sum(process.cpu_times()[:2]) for process in (parent, *workers))
    return Usage(
        cpu=cpu,
        parent=parent.memory_info().rss / MEGABYTE,
        worker=max((worker.memory_info().rss / MEGABYTE for worker in workers), default=0.0),
        handles=sum(process.num_fds() for process in (parent, *workers)),
    )


def rows(repeat: int, *, games: int = MANY_GAMES) -> Iterator[Measurement]:
    """Play instant games on two workers, and report on them; `repeat` is ignored.

    Growth, in megabytes and handles, is from game 5 000 to the end; `cpu_ratio` is the CPU time of
    a game at the end over that after the settling.
    """
    used: dict[int, Usage] = {}

    def watch(progress: RunProgress) -> None:
        if progress.tally.games in (STEADY_FROM, STEADY_FROM + SPAN, games - SPAN, games - 2):
            used[progress.tally.games] = usage()

    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder) / "endurance", instant_games(games))
        seconds = seconds_of(lambda: run.play(Local(2), watch=watch), time.perf_counter)
        settled, after, before, end = (used[played] for played in sorted(used))
        reported, peak = report_cost(run.folder)
    yield {
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
    """A run of games of three moves each, drawn at random, on a small board."""
    engine = Named("arena.bench", {"rounds": 0})
    game = Named("gomoku", {"size": 7})
    return Config(
        name="endurance",
        terms=Terms(game=game, max_plies=4, margin=0.0),
        format=Named("round_robin"),
        openings=Openings(Named("list", {"list": ["3,3"]}), game),
        rounds=games // 2,
        players=(Player("one", engine), Player("two", engine)),
    )


def report_cost(folder: Path) -> tuple[float, float]:
    """Seconds and peak megabytes of `arena report`, as a process of its own."""
    command = [sys.executable, "-m", "arena", "report", str(folder)]
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return time.perf_counter() - began, usage.ru_maxrss / 1024
