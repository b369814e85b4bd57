"""The answer on the ratings of all runs, with a chart of the history of each engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from math import ceil, floor, isfinite

import pandas as pd

from arena.ratings.rating_list import HistoryRow, RatingList, RatingRow, VersionRow
from arena.report.answer import Answer
from arena.report.fault_texts import mark_meaning
from arena.report.numbers import format_elo, format_interval, marked
from arena.report.page.charts import ChartFrame, Plot
from arena.report.page.row_charts import FAR, elo_intervals, known
from arena.report.page.scales import around
from arena.report.page.svg import text_at
from arena.report.section import AnyPart, Figure, Section
from arena.report.table import Column, Table

HOUR, DAY = 3600.0, 86400.0
STEPS = [HOUR * n for n in (1, 3, 6, 12)] + [DAY * n for n in (1, 2, 7, 14, 28, 91, 182, 364)]
"""Seconds between two marks of an axis of time."""
MOST_MARKS = 5
LABELLED = 8
"""Versions of a chart that have their marks on it; of more, the table has them."""
PLAYER_COLUMNS = ["game", "limit", "name", "version", "engine", "elo", "elo_low", "elo_high"]
PLAYER_COLUMNS += ["doubtful", "group", "games", "faults", "won_by_faults", "last_played"]
PLAYER_COLUMNS += ["against"]
VERSION_COLUMNS = ["game", "limit", "engine", "before", "after", "elo", "elo_low", "elo_high"]
VERSION_COLUMNS += ["doubtful"]
HISTORY_COLUMNS = ["game", "limit", "engine", "version", "name", "first_played"]
HISTORY_COLUMNS += ["elo", "elo_low", "elo_high", "doubtful", "group", "games"]
TEXT = (
    "Players are one in all runs if engine, parameters and code are. Elo is on one scale for all "
    "that met, with a mean of 0; players of another group cannot be compared."
)


def ratings_answer(found: RatingList) -> Answer:
    """The ratings of all runs, for every form."""
    pools = list(dict.fromkeys((row.game, row.limit) for row in found.players))
    return Answer(
        title="Ratings over all runs",
        subtitle="By game, rule and limit",
        facts=[("Players", f"{len(found.players):,}"), ("Lists", f"{len(pools):,}")],
        notes=[*found.notes, *_doubt_notes(found)],
        make_sections=lambda: [_section(found, pool, i) for i, pool in enumerate(pools, start=1)],
        frames={
            "players": pd.DataFrame(map(asdict, found.players), columns=PLAYER_COLUMNS),
            "versions": pd.DataFrame(map(asdict, found.versions), columns=VERSION_COLUMNS),
            "history": pd.DataFrame(map(asdict, found.history), columns=HISTORY_COLUMNS),
        },
    )


def _section(found: RatingList, pool: tuple[str, str], number: int) -> Section:
    """The players of one game, rule and class of limits; how versions differ, and since when."""
    players = [row for row in found.players if (row.game, row.limit) == pool]
    versions = [row for row in found.versions if (row.game, row.limit) == pool]
    history = [row for row in found.history if (row.game, row.limit) == pool]
    game = pool[0].replace(":", ": ", 1).replace(",", ", ")
    parts: list[AnyPart] = [_players_table(players, ", ".join(pool))]
    if versions:
        title = f"Versions of engines, each against the one before: {', '.join(pool)}"
        parts.append(_versions_table(versions, title))
    parts += history_figures(history)
    return Section(f"list-{number}", f"{game}; {pool[1]}", parts, TEXT if number == 1 else "")


def history_figures(rows: Sequence[HistoryRow]) -> Iterator[Figure]:
    """A chart for each engine with versions on one scale whose first games have a time."""
    lines: dict[tuple[str, int], list[HistoryRow]] = {}
    for row in rows:
        if row.first_played:
            lines.setdefault((row.engine, row.group), []).append(row)
    for found in lines.values():
        if len(found) > 1:
            yield history_figure(found)


def history_figure(rows: Sequence[HistoryRow]) -> Figure:
    """The ratings of an engine's versions, with intervals, by the time of their first games."""
    ends = [known(row.elo_low, row.elo, row.elo_high) for row in rows]
    shown = [value for each in ends for value in each if abs(value) <= FAR]
    frame = ChartFrame(width=640, height=260, top=22, right=34)
    times = [row.first_played for row in rows]
    reach = around(shown, 0, 1, least=40, zero=False)
    x = around(times, 0, 1, least=HOUR, zero=False)
    plot = Plot(frame, frame.across(x.low, x.high), frame.upwards(reach.low, reach.high))
    step = _mark_step(x.high - x.low)
    ticks = [i * step for i in range(ceil(x.low / step), floor(x.high / step) + 1)]
    form = "%Y-%m-%d" if step >= DAY else "%m-%d %H:%M"
    plot.axes("first game (UTC)", "Elo", lambda value: _time_text(value, form), x_ticks=ticks)
    plot.line((time, end[1]) for time, end in zip(times, ends, strict=True))
    for row, (low, value, high) in zip(rows, ends, strict=True):
        plot.errors(row.first_played, value, low, high)
        if len(rows) <= LABELLED and isfinite(value):
            top = plot.y.at(high if isfinite(high) else reach.high)
            plot.marks.append(text_at(plot.x.at(row.first_played), top - 5, row.version, "tick"))
    name = _short_engine(rows[0].engine)
    caption = f"{name}: rating of its versions, with 95 % intervals, by their first games"
    told = "; ".join(map(history_text, rows))
    return Figure(plot.drawn(f"{caption}: {told}"), f"{caption}: {told}.")


def history_text(row: HistoryRow) -> str:
    """A version in words."""
    elo = marked(format_elo(row.elo, row.elo_low, row.elo_high), row.doubtful)
    interval = format_interval(row.elo_low, row.elo_high, row.elo)
    return f"{row.version or 'unknown code'} {elo} ({interval}) since {day_of(row.first_played)}"


def _mark_step(span: float) -> float:
    """The seconds between two marks of an axis as long as this."""
    return next((step for step in STEPS if span / step <= MOST_MARKS), span / MOST_MARKS)


def day_of(seconds: float) -> str:
    """A day by UTC."""
    return _time_text(seconds, "%Y-%m-%d")


def _time_text(seconds: float, form: str) -> str:
    """A moment by UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime(form)


def _doubt_notes(found: RatingList) -> list[str]:
    """The meaning of the mark at a rating, where there is one."""
    players, versions = found.players, found.versions
    return mark_meaning([row.doubtful for row in players] + [row.doubtful for row in versions])


def _players_table(rows: Sequence[RatingRow], title: str) -> Table:
    """The players of one game and class of limits, with their intervals as bars; without columns
    that say nothing."""
    frame = pd.DataFrame(map(asdict, rows))
    met = frame["against"].map(lambda names: len(names.split(", ")) if names else 0)
    columns = [
        Column("rank"),
        Column("name"),
        *_elo_columns(frame),
        *([Column("group")] if frame["group"].nunique() > 1 else []),
        Column("games", "games", "{:,}"),
        *([Column("faults")] if frame["faults"].any() else []),
        Column("version", "version", _or_dash),
        Column("last_played", "last played", _or_dash),
        Column("opponents", opens="against"),
    ]
    frame = frame.assign(rank=range(1, len(frame) + 1), opponents=met)
    return Table(title, frame, columns)


def _versions_table(rows: Sequence[VersionRow], title: str) -> Table:
    """The lead of each version of an engine over the one before."""
    frame = pd.DataFrame(map(asdict, rows))
    columns = [
        Column("engine", "engine", _short_engine),
        Column("before", "before", _or_dash),
        Column("after", "after", _or_dash),
        *_elo_columns(frame),
    ]
    return Table(title, frame, columns)


def _elo_columns(frame: pd.DataFrame) -> list[Column]:
    """The columns of an Elo with its interval."""
    return [
        Column("elo", "Elo", format_elo, ("elo_low", "elo_high", "doubtful")),
        Column("elo_low", "95 %", format_interval, ("elo_high", "elo"), is_number=False),
        elo_intervals(frame, "elo_low", "elo", "elo_high"),
    ]


def _or_dash(text: str) -> str:
    """A text, or a dash for none."""
    return text or "-"


def _short_engine(engine: str) -> str:
    """An engine with its parameters; of a file or program, only the last part of its path."""
    place, _, values = engine.partition(":")
    told = place.rpartition("/")[2] or place
    return f"{told}: {values.replace(',', ', ')}" if values else told
