"""A Gomocup brain: CPU time a ply of games between brains, against a bare C ping-pong."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from subprocess import PIPE, Popen, run as run_program
from typing import NamedTuple

from arena.bench import Measurement, seconds_of
from arena.config.settings import Config, Player
from arena.engine import Engine
from arena.game import Game
from arena.match.opening import Openings
from arena.match.play import play_game
from arena.match.record import Job
from arena.match.terms import Terms
from arena.plugins import build, load
from arena.plugins.load import Named
from arena.tournament.run import Run
from arena.workers.pool import Local
from benchmarks.measures.match import Script

COMPILERS = ("cc", "gcc", "clang")
FULL_GAMES = 2000
BRAIN_PLIES = 61
"""Plies of a game on 15 x 15 between brains that take the first empty point."""
TURNS = 3
"""Turns for each repetition: what is compared differs by little."""
GOMOKU = Named("gomoku")


class Programs(NamedTuple):
    """The compiled programs."""

    brain: Path
    ping_pong: Path


class BrainTurn(NamedTuple):
    """CPU seconds of what was run in one turn, and two speed-ups by a second process.

    All but `spread` kept to one core.
    """

    bare: float
    run: float
    spread: float
    brains: float
    adapter: float
    referee: float
    bare_speed_up: float
    speed_up: float


def rows(repeat: int, *, games: int = FULL_GAMES) -> Iterator[Measurement]:
    """Microseconds of CPU a ply of a run between brains, and of two brains and a C program alone.

    `ratio` is the one over the other, both kept to one core; `spread` is a run's where the system
    puts its processes on any. `speed_up_ratio` is a second worker's speed-up over that of two
    ping-pongs at once; medians over turns. The second row says what each part of a run takes.
    """
    if not (compiler := next(filter(None, map(shutil.which, COMPILERS)), None)):
        yield {"name": "brain", "not_measured": f"no C compiler here ({', '.join(COMPILERS)})"}
        return
    with tempfile.TemporaryDirectory() as folder:
        programs = compiled(compiler, Path(folder))
        turns = [brain_turn(programs, games) for _ in range(TURNS * repeat)]
    yield {
        "name": "brain",
        "games": games,
        "microseconds_per_ply": per_ply((turn.run for turn in turns), games),
        "ping_pong": per_ply((turn.bare for turn in turns), games),
        "ratio": median(turn.run / turn.bare for turn in turns),
        "spread": per_ply((turn.spread for turn in turns), games),
        "bare_speed_up": median(turn.bare_speed_up for turn in turns),
        "speed_up": median(turn.speed_up for turn in turns),
        "speed_up_ratio": median(turn.speed_up / turn.bare_speed_up for turn in turns),
    }
    yield {
        "name": "brain/parts",
        "brains": per_ply((turn.brains for turn in turns), games),
        "adapter": per_ply((turn.adapter for turn in turns), games),
        "referee": per_ply((turn.referee for turn in turns), games),
        "pool_and_store": per_ply((t.run - t.brains - t.adapter - t.referee for t in turns), games),
    }


def per_ply(seconds: Iterator[float], games: int) -> float:
    """The median, in microseconds a ply."""
    return 1e6 * median(seconds) / (games * BRAIN_PLIES)


def compiled(compiler: str, folder: Path) -> Programs:
    """The programs, compiled into a folder."""
    programs = Programs(folder / "at_once", folder / "ping_pong")
    for program in programs:
        source = Path(__file__).parents[1] / f"{program.name}.c"
        run_program([compiler, "-O2", "-o", str(program), str(source)], check=True)
    return programs


def brain_turn(programs: Programs, games: int) -> BrainTurn:
    """Run everything once."""
    one, two = (ping_pongs(programs, games, at_once) for at_once in (1, 2))
    with on_core(0):
        referee, adapter, brains = in_this_process(programs.brain, games)
        kept = run_of_brains(programs.brain, games, workers=1)
    alone, together = (run_of_brains(programs.brain, games, workers) for workers in (1, 2))
    return BrainTurn(
        bare=one.cpu,
        run=kept.cpu,
        spread=alone.cpu,
        brains=brains,
        adapter=adapter,
        referee=referee,
        bare_speed_up=2 * one.elapsed / two.elapsed,
        speed_up=alone.elapsed / together.elapsed,
    )


class Taken(NamedTuple):
    """CPU seconds of one ping-pong or run with its brains, and seconds until all have ended."""

    cpu: float
    elapsed: float


def ping_pongs(programs: Programs, games: int, at_once: int) -> Taken:
    """Seconds of `at_once` ping-pongs of `games` games each, on a core each."""
    command = [str(programs.ping_pong), str(programs.brain), str(games), str(BRAIN_PLIES)]
    began = time.perf_counter()
    with ExitStack() as stack:
        started = []
        for number in range(at_once):
            with on_core(number):
                started.append(stack.enter_context(Popen(command, stdout=PIPE)))
        printed = [process.communicate()[0] for process in started]
    if any(process.returncode for process in started):
        raise RuntimeError(f"{command} has failed")
    return Taken(sum(map(float, printed[0].split())), time.perf_counter() - began)


@contextmanager
def on_core(number: int) -> Iterator[None]:
    """Keep processes that are started meanwhile to one core, where the system can.

    A brain and its manager take turns. Where they are spread over cores, one loop alone waits for
    cores to wake, and two get into each other's way, by chance.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(cores)[number % len(cores)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def cpu_seconds() -> float:
    """CPU seconds of this process and of its ended children."""
    return sum(sum(getrusage(who)[:2]) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))


def in_this_process(brain: Path, games: int) -> tuple[float, float, float]:
    """CPU seconds of the referee, the adapter and the brains, without pool and store."""
    game, job = load.load_game(GOMOKU), Job("first", "second")
    script = Script(range(BRAIN_PLIES))
    referee = seconds_of(lambda: play_often(game, (script, script), job, games))
    children = sum(getrusage(RUSAGE_CHILDREN)[:2])
    engine = Named("gomocup", {"command": str(brain)})
    brains = (build.load_engine(engine, game), build.load_engine(engine, game))
    both = seconds_of(lambda: play_often(game, brains, job, games))
    for each in brains:
        each.close()
    taken = sum(getrusage(RUSAGE_CHILDREN)[:2]) - children
    return referee, both - referee, taken


def play_often(game: Game, engines: tuple[Engine, Engine], job: Job, games: int) -> None:
    """Play one game again and again, `games` times."""
    for _ in range(games):
        assert play_game(game, engines, job).reason == "line"


def run_of_brains(brain: Path, games: int, workers: int) -> Taken:
    """The time of a whole run between two brains: pairings, workers, records, database."""
    engine = Named("gomocup", {"command": str(brain)})
    config = Config(
        name="brains",
        terms=Terms(game=GOMOKU),
        format=Named("round_robin"),
        openings=Openings(Named("list", {"list": [""]}), GOMOKU),
        rounds=games // 2,
        players=(Player("one", engine), Player("two", engine)),
    )
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder) / "brains", config)
        before = cpu_seconds()
        elapsed = seconds_of(lambda: run.play(Local(workers)), time.perf_counter)
        return Taken(cpu_seconds() - before, elapsed)
