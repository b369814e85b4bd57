"""`arena bench`: the rows of one benchmark, or of all."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence

from arena.bench import pool
from arena.bench.timing import Measurement, Timed, rows_in_turn, timed_program, timed_search
from arena.errors import ConfigError, Fault, unknown
from arena.plugins import load
from arena.plugins.engine_names import is_path
from arena.report.numbers import json_text

POOL = "pool"
"""The benchmark beside those of the engines: of the workers."""
WIDEST_NAME, WIDEST_FIGURE = 31, 11
"""The least width of a column: it is printed before it is known what comes into it."""


def measured(name: str | None, repeat: int, against: str | None) -> Iterator[Measurement]:
    """The rows of one benchmark, or of all, each as soon as it is there.

    Each is run so often, and its median counts. ConfigError, before the first row, for a name that
    is none.
    """
    known = [POOL, *filter(_has_benchmarks, load.names("engine"))]
    if name and name not in known and not is_path(name):
        raise ConfigError(unknown("benchmark", name, known))
    for each in [name] if name else known:
        yield from pool.pool_rows(repeat) if each == POOL else _engine_rows(each, repeat, against)


def _has_benchmarks(engine: str) -> bool:
    """True if the engine's file has searches to time."""
    return hasattr(load.engine_module(engine), "benchmarks")


def _engine_rows(engine: str, repeat: int, against: str | None) -> list[Measurement]:
    """A row for each search of an engine, and for a program run in turn with them."""
    program = words(against) if against else []
    load.description("engine", engine)  # a file that hangs or exits does so in another process
    if not _has_benchmarks(engine):
        raise ConfigError(f"engine {engine} has no benchmarks()")
    timed: dict[str, Timed] = {
        f"{engine}/{name}": timed_search(search)
        for name, search in load.engine_module(engine).benchmarks()
    }
    if against:
        timed[against] = timed_program(program)
    return rows_in_turn(timed, repeat, against)


def bench_lines(rows: Iterable[Measurement], as_json: bool) -> Iterator[str]:
    """The rows as lines for programs, or of a table for people; none waits for the next row."""
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
    """A program with its arguments, as a shell takes it apart; ConfigError if it cannot be."""
    try:
        if found := shlex.split(program):
            return found
        raise ValueError("this names no program")
    except ValueError as error:
        raise ConfigError(Fault("--against", str(error))) from None


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
