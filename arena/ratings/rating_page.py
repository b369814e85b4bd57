"""The ratings of all runs as a page, with a chart of the history of each engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from math import ceil, floor, isfinite

from arena.ratings.rating_list import HistoryRow, RatingList, RatingRow
from arena.ratings.rating_tables import doubt_notes, players_table, short_engine, versions_table
from arena.report.numbers import format_elo, format_interval, marked
from arena.report.page.charts import ChartFrame, Plot
from arena.report.page.document import Page, PageFigure, Part, Section, page_table
from arena.report.page.row_charts import FAR, known
from arena.report.page.scales import around
from arena.report.page.svg import text_at
from arena.report.table import Column, Table

HOUR, DAY = 3600.0, 86400.0
STEPS = [HOUR * n for n in (1, 3, 6, 12)] + [DAY * n for n in (1, 2, 7, 14, 28, 91, 182, 364)]
"""Seconds between two marks of an axis of time."""
MOST_MARKS = 5
LABELLED = 8
"""Versions of a chart that have their marks on it; of more, the table has them."""
SOME_OPPONENTS = 8
"""Opponents that a player's row names."""
TEXT = (
    "Players are one in all runs if engine, parameters and code are. Elo is on one scale for all "
    "that met, with a mean of 0; players of another group cannot be compared."
)


def ratings_document(found: RatingList) -> Page:
    """The ratings, ready to be written."""
    pools = list(dict.fromkeys((row.game, row.limit) for row in found.players))
    return Page(
        title="Ratings over all runs",
        subtitle="By game, rule and limit",
        facts=[("Players", f"{len(found.players):,}"), ("Lists", f"{len(pools):,}")],
        notes=[*found.notes, *doubt_notes(found)],
        sections=[pool_section(found, pool, i) for i, pool in enumerate(pools, start=1)],
        configs=[],
    )


def pool_section(found: RatingList, pool: tuple[str, str], number: int) -> Section:
    """The players of one game, rule and class of limits; how versions differ, and since when."""
    players = [row for row in found.players if (row.game, row.limit) == pool]
    versions = [row for row in found.versions if (row.game, row.limit) == pool]
    history = [row for row in found.history if (row.game, row.limit) == pool]
    game = pool[0].replace(":", ": ", 1).replace(",", ", ")
    parts: list[Part] = [page_table(_page_players(players))]
    if versions:
        caption = "Versions of engines whose code changed, each against the one before"
        parts.append(page_table(versions_table(versions, caption), caption))
    parts += history_figures(history)
    return Section(f"list-{number}", f"{game}; {pool[1]}", parts, TEXT if number == 1 else "")


def _page_players(rows: Sequence[RatingRow]) -> Table:
    """The players, with the names of their opponents, without columns that say nothing."""
    table = players_table(rows, "")
    hidden = {"opponents"}
    hidden |= {"group"} if len({row.group for row in rows}) == 1 else set()
    hidden |= set() if any(row.faults for row in rows) else {"faults"}
    columns = [column for column in table.columns if column.name not in hidden]
    return replace(table, columns=[*columns, Column("against", "against", some_of)])


def some_of(names: str) -> str:
    """The first of many names, and how many are left."""
    found = names.split(", ")
    more = len(found) - SOME_OPPONENTS
    told = ", ".join(found[:SOME_OPPONENTS]) or "-"
    return f"{told} and {more} more" if more > 1 else ", ".join(found) or "-"


def history_figures(rows: Sequence[HistoryRow]) -> Iterator[PageFigure]:
    """A chart for each engine with versions on one scale whose first games have a time."""
    lines: dict[tuple[str, int], list[HistoryRow]] = {}
    for row in rows:
        if row.first_played:
            lines.setdefault((row.engine, row.group), []).append(row)
    for found in lines.values():
        if len(found) > 1:
            yield history_figure(found)


def history_figure(rows: Sequence[HistoryRow]) -> PageFigure:
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
    name = short_engine(rows[0].engine)
    caption = f"{name}: rating of its versions, with 95 % intervals, by their first games"
    told = "; ".join(map(history_text, rows))
    return PageFigure(plot.drawn(f"{caption}: {told}"), f"{caption}: {told}.")


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
