"""What things cost, measured here and now: an engine's searches, the referee, the workers."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from random import Random
from statistics import median
from typing import Any, cast

from arena.bench.landscapes import tuning_rows
from arena.bench.measures.endurance import endurance_row
from arena.bench.measures.pool import scaling_row
from arena.bench.measures.ratings import league_row
from arena.bench.measures.study import study_row
from arena.engine import Choice, Limit
from arena.errors import ConfigError, Fault, unknown
from arena.game import Forbids, Move, Position
from arena.match.play import play_game
from arena.match.record import Job
from arena.plugins import load

Row = dict[str, Any]
Timed = Callable[[], tuple[float, Row]]
"""Runs something once: its CPU seconds, and what it found."""


def run_bench(name: str | None, repeat: int, against: str | None) -> list[Row]:
    """The rows of one benchmark, or of all; each is run so often, and its median counts."""
    engines = [each for each in load.names("engine") if has_benchmarks(each)]
    known = [*engines, *MEASURES]
    if name and name not in known and not load.is_path(name):
        raise ConfigError(unknown("benchmark", name, known))
    rows: list[Row] = []
    for each in [name] if name else known:
        if each in MEASURES:
            rows += MEASURES[each](repeat)
        else:
            rows += engine_rows(each, repeat, against)
    return rows


def has_benchmarks(engine: str) -> bool:
    """Whether the engine's file has searches to time."""
    return hasattr(load.module("engine", engine), "benchmarks")


def engine_rows(engine: str, repeat: int, against: str | None) -> list[Row]:
    """A row for each search of an engine, and for a program run in turn with them."""
    if not has_benchmarks(engine):
        raise ConfigError(f"engine {engine} has no benchmarks()")
    timed: dict[str, Timed] = {
        f"{engine}/{name}": timed_search(search)
        for name, search in load.module("engine", engine).benchmarks()
    }
    if against:
        timed[against] = timed_program(shlex.split(against))
    return rows_in_turn(timed, repeat, against)


def rows_in_turn(timed: dict[str, Timed], repeat: int, against: str | None) -> list[Row]:
    """Run all, in turn, so often; medians, and the median of the ratios within each turn."""
    for once in timed.values():
        once()  # kernels are loaded, or compiled
    turns = [{name: once() for name, once in timed.items()} for _ in range(repeat)]
    rows = []
    for name in timed:
        seconds = median(turn[name][0] for turn in turns)
        found = turns[0][name][1]
        row = {"name": name, **found, "seconds": seconds}
        if nodes := found.get("nodes"):
            row["nodes_per_second"] = nodes / seconds
        if against and name != against:
            row["ratio"] = median(turn[name][0] / turn[against][0] for turn in turns)
        rows.append(row)
    return rows


def timed_search(search: Callable[[], Choice]) -> Timed:
    """Times a search in this process."""

    def once() -> tuple[float, Row]:
        began = time.process_time()
        choice = search()
        seconds = time.process_time() - began
        return seconds, {"depth": choice.depth, "value": choice.score, "nodes": choice.nodes}

    return once


def timed_program(command: Sequence[str]) -> Timed:
    """Times a program as a whole; from what it prints, `depth 6 value -3 nodes 9` is taken over."""

    def once() -> tuple[float, Row]:
        before = os.times()
        try:
            printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            raise ConfigError(Fault(shlex.join(command), str(error))) from None
        after = os.times()
        seconds = after.children_user - before.children_user
        seconds += after.children_system - before.children_system
        words = re.findall(r"\b(depth|value|nodes) (-?\d+)", printed)
        return seconds, {key: int(number) for key, number in words}

    return once


class Script:
    """An engine that plays moves known beforehand, as nearly for nothing as Python can."""

    def __init__(self, moves: Sequence[Move]) -> None:
        self.choices = [Choice(move) for move in moves]

    def new_game(self, seed: int) -> None:
        """Nothing to forget."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        """The move of this ply."""
        return self.choices[len(p.moves)]

    def close(self) -> None:
        """Nothing is held."""


def match_row(repeat: int, games: int = 50) -> Row:
    """Microseconds a ply of `play_game` on Gomoku, 15 x 15, without what the engines take."""
    game = load.load_game("gomoku")
    scripts = [Script(random_game(seed)) for seed in range(games)]
    job, positions = Job("first", "second"), {}
    for script in scripts:
        seen: list[Position] = []
        play_game(game, (script, script), job, watch=seen.append)
        positions[script] = seen[:-1]
    plies = sum(map(len, positions.values()))

    def played() -> None:
        for script in scripts:
            play_game(game, (script, script), job)

    def asked() -> None:
        limit = Limit()
        for script, seen in positions.items():
            for p in seen:
                script.choose(p, limit)

    seconds = median(cpu(played) - cpu(asked) for _ in range(10 * repeat))
    return {
        "name": "match",
        "plies": plies,
        "seconds": seconds,
        "microseconds_per_ply": 1e6 * seconds / plies,
    }


def renju_row(repeat: int, boards: int = 100) -> Row:
    """Milliseconds in which the referee finds all points that are forbidden on a crowded board."""
    game = cast(Forbids, load.load_game("renju"))
    crowded = [crowded_board(seed) for seed in range(boards)]

    def asked() -> None:
        for p in crowded:
            for move in range(len(p.cells)):
                game.forbidden(p, move)

    asked()  # lines that have been seen are known from then on, as in a game
    seconds = median(cpu(asked) for _ in range(repeat))
    return {
        "name": "renju",
        "boards": boards,
        "seconds": seconds,
        "milliseconds_per_board": 1e3 * seconds / boards,
    }


def crowded_board(seed: int) -> Position:
    """From 8 to 40 stones in the middle of 15 x 15, more of them black; Black is to move."""
    random, cells = Random(seed), bytearray(15 * 15)
    middle = [row * 15 + column for row in range(3, 12) for column in range(3, 12)]
    for move in random.sample(middle, random.randint(8, 40)):
        cells[move] = random.choice((1, 1, 2))
    return Position(bytes(cells), 1)


def random_game(seed: int) -> Sequence[Move]:
    """The moves of a random game of Gomoku."""
    game, random = load.load_game("gomoku"), Random(seed)
    p = game.start()
    while moves := game.moves(p):
        p = game.play(p, random.choice(moves))
    return p.moves


def cpu(work: Callable[[], None]) -> float:
    """CPU seconds of this process."""
    began = time.process_time()
    work()
    return time.process_time() - began


def rows_text(rows: list[Row], as_json: bool) -> str:
    """The rows for programs, or a table for people."""
    if as_json:
        return json.dumps(rows, indent=1)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    cells = [columns, *([cell_text(row.get(column)) for column in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True))
        for line in cells
    )


def cell_text(value: object) -> str:
    """A number as people read it."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


MEASURES: dict[str, Callable[[int], Iterable[Row]]] = {
    "match": lambda repeat: [match_row(repeat)],
    "renju": lambda repeat: [renju_row(repeat)],
    "pool": lambda repeat: [scaling_row(repeat)],
    "ratings": lambda repeat: [league_row(repeat)],
    "tune": lambda repeat: tuning_rows(),
    "study": lambda repeat: [study_row(repeat)],
    "endurance": lambda repeat: [endurance_row()],
}
"""What is measured beside engines."""
