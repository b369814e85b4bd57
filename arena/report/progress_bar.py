"""The live part of a terminal: a bar of the games, and above it what changes as they end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress as Bar,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from arena.match.record import GameRecord, summary
from arena.report.planning.outlook import SprtProgress

REFRESH = 0.25
"""Seconds between two looks: drawing takes a worker's time."""
SHARE = 0.05
"""The most of all time that drawing may take, however long the run."""

MOST_MACHINES = 20
"""Lines of machines that a terminal has room for."""

P = TypeVar("P")
Parts = Callable[[], Sequence[RenderableType]]


class Panel:
    """The terminal's live part; it is drawn again only after a while."""

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
        self.test: SprtProgress | None = None
        """The progress of a run that is a test: its bar goes from one bound to the other."""
        self._test_bar = Bar(
            TextColumn("H0"),
            BarColumn(bar_width=None),
            TextColumn("H1 {task.description}"),
            console=console,
            expand=True,
        )
        self._test_task = self._test_bar.add_task("", total=1.0)
        self._before = 0
        self._began = self._due = time.monotonic()
        self._last = Text()
        self._parts: Parts = tuple

    def show(self, games: int, total: int | None, record: GameRecord | None, parts: Parts) -> None:
        """Take in a game's end (None: the start); draw if the last look is old enough."""
        self._parts = parts
        if record:
            self._last = Text(summary(record), style="dim")
        else:
            self._before = games
        now = time.monotonic()
        rate = (games - self._before) / max(now - self._began, 1e-9)
        self._bar.update(self._task, completed=games, total=total, rate=rate)
        if record is None or now >= self._due:
            self.draw()
            took = time.monotonic() - now
            self._due = now + max(REFRESH, took / SHARE)

    def draw(self) -> None:
        """Draw everything as it is."""
        self.live.update(self.shown(), refresh=True)

    def shown(self) -> Group:
        """What changes as games end, the last of them, and the bar."""
        parts = self._parts()
        bar = self._bar
        if self.test:
            bar, task = self._test_bar, self._bar.tasks[self._task]
            told = f"{task.completed:.0f} games, {self.test.text(task.fields['rate'])}"
            bar.update(self._test_task, completed=self.test.share, description=told)
        return Group(*parts, self._last, bar)

    def may_end_early(self) -> None:
        """Say that the time left is no more than an upper bound."""
        self._bar.update(self._task, bound=" at most")


def machine_lines(lines: Sequence[str]) -> list[Text]:
    """The machines of a cluster, as they are shown: the first ones, if there are many."""
    shown = [Text(line, no_wrap=True, overflow="ellipsis") for line in lines[:MOST_MACHINES]]
    left = len(lines) - len(shown)
    return [*shown, Text(f"and {left} more machines")] if left else shown


@contextmanager
def watching(
    console: Console, show: Callable[[Panel, P], None], tell: Callable[[P], None]
) -> Iterator[Callable[[P], None]]:
    """A watcher that shows progress on this console while this lasts, or else tells it in lines."""
    if not console.is_terminal:
        yield tell
        return
    panel = Panel(console)
    with panel.live:
        yield partial(show, panel)
        panel.draw()
