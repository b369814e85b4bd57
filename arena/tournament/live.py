"""A running tournament on the screen: a bar and standings in a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from arena.format import Row
from arena.match.record import summary
from arena.report.numbers import elo_text, interval_text, share_text, value_text
from arena.report.progress_bar import Panel
from arena.report.standings import Tally
from arena.tournament.run import RunProgress, RunWatcher

Print = Callable[[str], None]


@contextmanager
def watching(console: Console, out: Print) -> Iterator[RunWatcher]:
    """A watcher that shows each game on this console, or in lines, while this lasts."""
    if console.is_terminal:
        screen = Screen(console)
        with screen.panel.live:
            yield screen.show
            screen.panel.draw()
    else:
        yield partial(print_line, out)


def print_line(out: Print, progress: RunProgress) -> None:
    """One line for each game; BrokenPipeError once nobody reads them."""
    done = progress.tally.games
    total = "?" if progress.total is None else progress.total
    if progress.record:
        text = summary(progress.record)
    else:
        text = "games, played before" if done else "games"
    out(f"{done}/{total} {text}")


class Screen:
    """Holds the panel of a terminal."""

    def __init__(self, console: Console) -> None:
        self.panel = Panel(console)

    def show(self, progress: RunProgress) -> None:
        """Take in a game's end."""
        parts = partial(self._parts, progress)
        self.panel.show(progress.tally.games, progress.total, progress.record, parts)

    def _parts(self, progress: RunProgress) -> list[RenderableType]:
        """The standings as they are, and below them what the format decides."""
        rows = progress.matches()
        if any("decision" in row for row in rows):
            self.panel.may_end_early()
        return [standings_table(progress.tally), matches_table(rows)]


def matches_table(rows: list[Row]) -> Table | Text:
    """The matches that are being decided: of a tournament in stages, those of the last one."""
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
