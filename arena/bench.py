"""`arena bench`: rows timed in turn, by CPU time, and the speed-up of a pool of workers."""

from __future__ import annotations

import re
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import Annotated, Any

from arena.config.settings import Config, Player
from arena.engine import Choice, Engine, Limit, Range
from arena.errors import ConfigError, Fault, unknown
from arena.game import Game, Position
from arena.jit import kernel
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins import load
from arena.plugins.engine_names import is_path
from arena.plugins.load import Named
from arena.processes.child import fork_context
from arena.report.numbers import json_text
from arena.tournament.run import Run
from arena.workers.pool import Local

POOL = "pool"  # The benchmark beside those of the engines: of the workers
WIDEST_NAME, WIDEST_FIGURE = 31, 11  # Columns are printed before all that comes into them


def measured(name: str | None, repeat: int, against: str | None) -> Iterator[Measurement]:
    """Each is run so often, and its median counts; ConfigError, before any, for an unknown name."""
    known = [POOL, *filter(_has_benchmarks, load.names("engine"))]
    if name and name not in known and not is_path(name):
        raise ConfigError(unknown("benchmark", name, known))
    benchmarks = [name] if name else known
    for each in benchmarks:
        yield from pool_rows(repeat) if each == POOL else _engine_rows(each, repeat, against)


def _has_benchmarks(engine: str) -> bool:
    return hasattr(load.engine_module(engine), "benchmarks")


def _engine_rows(engine: str, repeat: int, against: str | None) -> list[Measurement]:
    program = words(against) if against else []
    load.description("engine", engine)  # a file that hangs or exits does so in another process
    if not _has_benchmarks(engine):
        raise ConfigError(f"engine {engine} has no benchmarks()")
    timed: dict[str, Timed] = {
        f"{engine}/{name}": _timed_search(search)
        for name, search in load.engine_module(engine).benchmarks()
    }
    if against:
        timed[against] = timed_program(program)
    return rows_in_turn(timed, repeat, against)


def bench_lines(rows: Iterable[Measurement], as_json: bool) -> Iterator[str]:
    return _json_lines(rows) if as_json else _table_lines(rows)


def _json_lines(rows: Iterable[Measurement]) -> Iterator[str]:
    """One line for each row, and a last one; together they are a list in JSON."""
    mark = "["
    for row in rows:
        yield mark + json_text(row)
        mark = ","
    yield "]" if mark == "," else "[]"


def _table_lines(rows: Iterable[Measurement]) -> Iterator[str]:
    """One line for each row; before it a header, where its columns are not those of the last."""
    columns: list[str] = []
    widths: list[int] = []
    for row in rows:
        cells = [_cell_text(value) for value in row.values()]
        is_new = list(row) != columns
        if is_new:
            columns = list(row)
            widths = [
                max(len(column), WIDEST_NAME if column == "name" else WIDEST_FIGURE)
                for column in columns
            ]
        widths = [max(width, len(cell)) for width, cell in zip(widths, cells, strict=True)]
        if is_new:
            yield _aligned(columns, widths)
        yield _aligned(cells, widths)


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def words(program: str) -> list[str]:
    try:
        command = shlex.split(program)
    except ValueError as error:
        raise ConfigError(Fault("--against", str(error))) from None
    if not command:
        raise ConfigError(Fault("--against", "this names no program"))
    return command


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


SPINS = 1_000_000  # Rounds of the kernel for each move: some milliseconds
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
        self.random.seed(seed)

    def choose(self, p: Position, limit: Limit) -> Choice:
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
    with tempfile.TemporaryDirectory() as folder:
        return (
            bare_seconds(1),
            bare_seconds(2),
            _run_seconds(Path(folder) / "one", workers=1),
            _run_seconds(Path(folder) / "two", workers=2),
        )


def bare_seconds(processes: int) -> float:
    context = fork_context()
    workers = [context.Process(target=_spin_often) for _ in range(processes)]
    began = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return time.perf_counter() - began


def _spin_often() -> None:
    """Spin for half of the moves of the run: one game of each pair."""
    for _ in range(TIMED_OPENINGS * PLIES):
        spin(SPINS)


def _run_seconds(folder: Path, workers: int) -> float:
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


Measurement = dict[str, Any]  # One row of `arena bench`: its name, and figures by their columns
Timed = Callable[[], tuple[float, Measurement]]  # Runs once: CPU seconds, and what it found


def seconds_of(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    began = clock()
    work()
    return clock() - began


def rows_in_turn(timed: dict[str, Timed], repeat: int, against: str | None) -> list[Measurement]:
    """Run all in turn, `repeat` times: medians, and the median of the ratios within each turn."""
    # Kernels are loaded, or compiled; a program, which is the last, may not be there.
    for once in reversed(timed.values()):
        once()
    turns = [{name: once() for name, once in timed.items()} for _ in range(repeat)]
    rows = []
    for name in timed:
        seconds = median(turn[name][0] for turn in turns)
        figures = turns[0][name][1]
        row = {"name": name, **figures, "seconds": seconds}
        if nodes := figures.get("nodes"):
            row["nodes_per_second"] = nodes / seconds
        if against and name != against:
            row["ratio"] = median(turn[name][0] / turn[against][0] for turn in turns)
        rows.append(row)
    return rows


def _timed_search(search: Callable[[], Choice]) -> Timed:
    def once() -> tuple[float, Measurement]:
        began = time.process_time()
        choice = search()
        seconds = time.process_time() - began
        return seconds, {"depth": choice.depth, "value": choice.score, "nodes": choice.nodes}

    return once


def timed_program(command: Sequence[str]) -> Timed:
    """Time a program as a whole; from what it prints, `depth 6 value -3 nodes 9` is taken over."""

    def once() -> tuple[float, Measurement]:
        before = sum(getrusage(RUSAGE_CHILDREN)[:2])
        try:
            printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            raise ConfigError(Fault(shlex.join(command), str(error))) from None
        seconds = sum(getrusage(RUSAGE_CHILDREN)[:2]) - before
        if not seconds:
            raise ConfigError(Fault(shlex.join(command), "took no measurable time"))
        words = re.findall(r"\b(depth|value|nodes) (-?\d+)", printed)
        return seconds, {key: int(number) for key, number in words}

    return once
