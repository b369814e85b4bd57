"""A running tournament on the screen: a bar and standings in a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from functools import partial

from rich.console import Console, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from arena.format import Row
from arena.match.record import summary
from arena.report.board import Print
from arena.report.fault_texts import fault_sentences, mark_meaning
from arena.report.numbers import format_value
from arena.report.planning.outlook import sprt_progress
from arena.report.progress_bar import Panel, machine_lines, watching
from arena.report.standings import Standing, standings_columns
from arena.tournament.run import RunProgress, RunWatcher


def watching_run(console: Console, out: Print) -> AbstractContextManager[RunWatcher]:
    """A watcher that shows each game on this console, or in lines.

    Raises BrokenPipeError once the lines are read no more.
    """
    return watching(console, show_run, lambda progress: out(_run_line(progress)))


def _run_line(progress: RunProgress) -> str:
    """One line for each game; before the first, the notes on what is to be played."""
    done = progress.tally.games
    total = "?" if progress.total is None else progress.total
    if progress.record:
        return f"{done}/{total} {summary(progress.record)}"
    start = f"{done}/{total} games{', played before' if done else ''}"
    return "\n".join([*progress.notes, start])


def show_run(panel: Panel, progress: RunProgress) -> None:
    """Take in a game's end; before the first, show the notes on what is to be played."""
    for note in () if progress.record else progress.notes:
        panel.live.console.print(Text(note))
    parts = partial(run_parts, panel, progress)
    panel.show(progress.tally.games, progress.total, progress.record, parts)


def run_parts(panel: Panel, progress: RunProgress) -> list[RenderableType]:
    """The standings as they are, and below them the matches that the format decides."""
    rows, standings = progress.matches(), progress.tally.standings()
    total, games = progress.total, progress.tally.games
    panel.test = sprt_progress(rows, total and total - games)
    if any("decision" in row for row in rows):
        panel.may_end_early()
    return [
        *map(Text, fault_sentences(standings, progress.tally.faults)),
        *standings_so_far(standings),
        matches_table(rows),
        *machine_lines(progress.machines()),
    ]


def matches_table(rows: list[Row]) -> Table | Text:
    """The matches that are being decided: of a tournament in stages, those of the last one."""
    if not rows:
        return Text()
    table = Table(*rows[-1], box=None, header_style="bold")
    for row in rows:
        if row.get("stage") == rows[-1].get("stage"):
            table.add_row(*map(format_value, row.values()))
    return table


def standings_so_far(standings: Sequence[Standing]) -> list[RenderableType]:
    """The standings as they are, and below them the meaning of a mark in them."""
    columns = standings_columns(any(row.faults for row in standings))
    table = Table(box=None, header_style="bold")
    for column in columns:
        justify: JustifyMethod = "left" if column.name == "name" else "right"
        table.add_column(column.heading, justify=justify)
    for row in standings:
        # Text: a player's name may look like markup.
        table.add_row(*(Text(column.text(asdict(row))) for column in columns))
    return [table, *map(Text, mark_meaning(row.doubtful for row in standings))]
