"""A run of a million made-up games: bytes a game, the report's CPU seconds and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import psutil

from arena.bench import Measurement
from arena.config.settings import Config, Player, to_data
from arena.engine import Remark
from arena.match.game_row import read_efforts, row_of
from arena.match.opening import Openings
from arena.match.pairs import Results
from arena.match.record import GameRecord, Job, columns
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.processes.child import MEGABYTE
from arena.report.standings import Tally
from arena.storage.database import Store
from arena.storage.folder import DATABASE, keep_config, make_folder
from arena.tournament.schedule import Schedule

MANY_GAMES = 1_000_000
PLIES, LAID = 37, 3
"""Moves of a game, and those of its opening."""
TEMPLATES = 500
"""Games that differ in moves, times, nodes and scores; the others are these with other marks."""
OPENINGS = 50
STEADY_FROM = 5_000
"""Games after which memory should not grow any more."""
PLAYERS = ("one", "two", "three", "four")


class Cost(NamedTuple):
    """The cost of a command."""

    cpu: float
    """CPU seconds, its own and the system's for it."""
    peak: float
    """Megabytes resident at most."""


def rows(repeat: int, *, games: int = MANY_GAMES) -> Iterator[Measurement]:
    """Make up the games, count them as the live screen does, and report; `repeat` is ignored."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "million"
        config = made_up_config(games)
        kept = keep_games(run, config, games)
        size = (run / DATABASE).stat().st_size
        ratio, growth = live_cost(config, games)
        table, page = report_cost(run), report_cost(run, "--format", "json", "--frame", "standings")
    yield {
        "name": "million",
        "games": games,
        "bytes_per_game": size / games,
        "kept_per_cpu_second": games / kept,
        "live_ratio": ratio,
        "live_growth_megabytes": growth,
        "report_cpu_seconds": table.cpu,
        "report_megabytes": table.peak,
        "standings_cpu_seconds": page.cpu,
        "standings_megabytes": page.peak,
    }


def made_up_config(games: int) -> Config:
    """A round robin of four players with this many games, or a few more."""
    random = Random(7)
    laid = [" ".join(random_moves(random, LAID)) for _ in range(OPENINGS)]
    game = Named("gomoku")
    meetings = len(PLAYERS) * (len(PLAYERS) - 1)
    return Config(
        name="million",
        terms=Terms(game=game),
        format=Named("round_robin"),
        openings=Openings(Named("list", {"list": laid}), game),
        rounds=-(-games // (meetings * OPENINGS)),
        players=tuple(Player(name, Named("random_mover")) for name in PLAYERS),
    )


def random_moves(random: Random, count: int) -> list[str]:
    """Different points of the board."""
    return [f"{cell // 15},{cell % 15}" for cell in random.sample(range(225), count)]


def templates() -> list[dict[str, str]]:
    """The fields of games that engines with a search might have played."""
    random, found = Random(1), []
    for _ in range(TEMPLATES):
        said = [
            Remark(
                (LAID + i) % 2 + 1,
                random.lognormvariate(-3.5, 1.0),
                int(random.lognormvariate(9.5, 1.0)),
                random.randint(4, 9),
                round(random.gauss(0, 300)),
            )
            for i in range(PLIES - LAID)
        ]
        moves = " ".join(random_moves(random, PLIES - LAID))
        found.append({"moves": moves, **columns(said)})
    return found


def records(config: Config, games: int, made: list[dict[str, str]]) -> Iterator[GameRecord]:
    """The games of the schedule, with results drawn at random."""
    random = Random(2)
    # A schedule that hears of no results would hold all pairings until their faults are known.
    unwatched = replace(config, terms=config.terms.going_on(True))
    jobs: Iterable[Job | None] = Schedule(unwatched).jobs(Results())
    for number, job in enumerate(islice(jobs, games)):
        assert job
        fields: dict[str, Any] = dict(made[number % TEMPLATES])
        fields["moves"] = f"{job.opening} {fields['moves']}"
        played = GameRecord(
            *(job.first, job.second, job.opening, job.round, job.seed),
            *(random.choice((1, 1, 2, None)), "line", "", PLIES),
            **fields,
            start=job.opening.replace(",", "")[:8].replace(" ", "a"),
            digest=f"{number:013d}",
        )
        yield replace(played, efforts=read_efforts(played))


def keep_games(folder: Path, config: Config, games: int) -> float:
    """Keep the games as a run does; CPU seconds of keeping alone."""
    make_folder(folder)
    made, spent = templates(), 0.0
    data = {"kind": "tournament", **to_data(config)}
    keep_config(folder, data)
    with closing(Store(folder / DATABASE)) as store:
        store.note(data)
        found = records(config, games, made)
        while batch := list(islice(found, 1000)):
            began = time.process_time()
            deque(map(store.add, batch), maxlen=0)
            spent += time.process_time() - began
        store.flush()
    return spent


def live_cost(config: Config, games: int) -> tuple[float, float]:
    """The count for the live screen: CPU time of a game in the last tenth over the first, and the
    megabytes by which it grew from game 5 000 on."""
    tally, made, tenth = Tally(config.names), templates(), games // 10
    Tally(config.names).standings()  # imports what the first standings need
    spent, settled, count = [0.0] * 11, 0.0, 0
    found = records(config, games, made)
    while batch := list(islice(found, 1000)):
        began = time.process_time()
        for row in map(row_of, batch):
            tally.add([row])
        tally.standings()
        spent[count // tenth] += time.process_time() - began
        count += len(batch)
        if count == STEADY_FROM:
            settled = resident()
    return spent[9] / spent[0], resident() - settled


def resident() -> float:
    """Megabytes of this process."""
    return float(psutil.Process().memory_info().rss / MEGABYTE)


def report_cost(folder: Path, *options: str) -> Cost:
    """The cost of `arena report`."""
    return command_cost("report", str(folder), *options)


def command_cost(*words: str) -> Cost:
    """The cost of a command of ours, as a process of its own."""
    command = [sys.executable, "-m", "arena", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
