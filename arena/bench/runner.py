"""`arena bench`: the rows of one benchmark, or of all."""

from __future__ import annotations

import json
import shlex

from arena.bench.timing import Measurement, Timed, rows_in_turn, timed_program, timed_search
from arena.errors import ConfigError, Fault, unknown
from arena.plugins import load


def run_bench(name: str | None, repeat: int, against: str | None) -> list[Measurement]:
    """The rows of one benchmark, or of all; each is run so often, and its median counts."""
    engines = [each for each in load.names("engine") if has_benchmarks(each)]
    measures = load.names("benchmark")
    known = [*engines, *measures]
    if name and name not in known and not load.is_path(name):
        raise ConfigError(unknown("benchmark", name, known))
    rows: list[Measurement] = []
    for each in [name] if name else known:
        if each in measures:
            rows += load.factory("benchmark", each)(repeat)
        else:
            rows += engine_rows(each, repeat, against)
    return rows


def has_benchmarks(engine: str) -> bool:
    """True if the engine's file has searches to time."""
    return hasattr(load.module("engine", engine), "benchmarks")


def engine_rows(engine: str, repeat: int, against: str | None) -> list[Measurement]:
    """A row for each search of an engine, and for a program run in turn with them."""
    if not has_benchmarks(engine):
        raise ConfigError(f"engine {engine} has no benchmarks()")
    timed: dict[str, Timed] = {
        f"{engine}/{name}": timed_search(search)
        for name, search in load.module("engine", engine).benchmarks()
    }
    if against:
        timed[against] = timed_program(words(against))
    return rows_in_turn(timed, repeat, against)


def words(program: str) -> list[str]:
    """A program with its arguments, as a shell takes it apart; ConfigError if it cannot be."""
    try:
        if found := shlex.split(program):
            return found
        raise ValueError("this names no program")
    except ValueError as error:
        raise ConfigError(Fault("--against", str(error))) from None


def rows_text(rows: list[Measurement], as_json: bool) -> str:
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
