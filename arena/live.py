"""A running tournament on the screen: a bar and standings in a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from arena.figures import elo_text, interval_text, share_text, value_text
from arena.pairing import Row
from arena.record import summary
from arena.tally import Tally
from arena.tournament import Progress, Watch

REFRESH = 0.25
"""Seconds between two looks of the live standings: drawing them takes a worker's time."""
SHARE = 0.05
"""Of all time, the most that drawing may take, however long the run."""


@contextmanager
def watching(console: Console) -> Iterator[Watch]:
    """What shows each game's end on this console, while this lasts."""
    if console.is_terminal:
        screen = Screen(console)
        with screen.live:
            yield screen.show
            screen.draw()
    else:
        yield print_line


def print_line(progress: Progress) -> None:
    """One line for each game; BrokenPipeError once nobody reads them."""
    done = progress.tally.games
    total = "?" if progress.total is None else progress.total
    if progress.record:
        text = summary(progress.record)
    else:
        text = "games, played before" if done else "games"
    click.echo(f"{done}/{total} {text}")


class Screen:
    """Holds the live part of a terminal."""

    def __init__(self, console: Console) -> None:
        # No thread of rich's own: workers are forked, and a thread's locks do not survive that.
        self.live = Live(
            console=console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._bar = Bar(
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("games, {task.fields[rate]:.1f}/s,"),
            TimeRemainingColumn(),
            TextColumn("left{task.fields[bound]}"),
            console=console,
            expand=True,
        )
        self._task = self._bar.add_task("", total=None, rate=0.0, bound="")
        self._tally = Tally(())
        self._before = 0
        self._began = self._due = time.monotonic()
        self._last = Text()
        self._matches: Callable[[], list[Row]] = list

    def show(self, progress: Progress) -> None:
        """Take in a game's end; draw if the last look is old enough."""
        self._tally, self._matches = progress.tally, progress.matches
        done = progress.tally.games
        if progress.record:
            self._last = Text(summary(progress.record), style="dim")
        else:
            self._before = done
        now = time.monotonic()
        rate = (done - self._before) / max(now - self._began, 1e-9)
        self._bar.update(self._task, completed=done, total=progress.total, rate=rate)
        if progress.record is None or now >= self._due:
            self.draw()
            took = time.monotonic() - now
            self._due = now + max(REFRESH, took / SHARE)

    def draw(self) -> None:
        """Draw the standings as they are, and below them what the format decides."""
        rows = self._matches()
        # What may be decided at any time has no end that could be foreseen.
        self._bar.update(self._task, bound=" at most" * any("decision" in row for row in rows))
        parts = standings_table(self._tally), matches_table(rows)
        self.live.update(Group(*parts, self._last, self._bar), refresh=True)


def matches_table(rows: list[Row]) -> Table | Text:
    """What is being decided: of a tournament in stages, the last one."""
    if not rows:
        return Text()
    table = Table(box=None, header_style="bold")
    for column in rows[-1]:
        table.add_column(column)
    for row in rows:
        if row.get("stage") == rows[-1].get("stage"):
            table.add_row(*map(value_text, row.values()))
    return table


def standings_table(tally: Tally) -> Table:
    """The standings so far."""
    table = Table(box=None, header_style="bold")
    table.add_column("name")
    for column in ("games", "wins", "draws", "losses", "score", "Elo", "95 %", "LOS"):
        table.add_column(column, justify="right")
    for row in tally.standings():
        bounds = row.elo_low, row.elo_high
        counts = (str(n) for n in (row.games, row.wins, row.draws, row.losses))
        table.add_row(
            Text(row.name),
            *counts,
            share_text(row.score),
            elo_text(row.elo, *bounds),
            interval_text(*bounds),
            share_text(row.los),
        )
    return table
