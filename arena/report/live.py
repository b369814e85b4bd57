"""What is being played, on the screen: boards, and tables above a bar or plain lines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress as Bar,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from arena.report.board import Print
from arena.report.outlook import LiveTable, Progress

if TYPE_CHECKING:
    from IPython.display import DisplayHandle

REFRESH = 0.25  # Seconds between two looks: drawing takes a worker's time
SHARE = 0.05  # The most of all time that drawing may take, however long the run

MAX_LINES = 200  # Lines, where there is no terminal, before standings now and then take their place
BLOCK_SECONDS, BLOCKS, SILENCE = 60.0, 20, 600.0
"""Standings come after so many seconds at least, and with such a part of all games or that many
seconds at most."""
BLOCK_WIDTH = 120

MOST_MACHINES = 20  # Lines of machines that a terminal has room for


@contextmanager
def watching(
    console: Console, out: Print, first: str = "", quiet: bool = False
) -> Iterator[Callable[[Progress], None]]:
    """A watcher that shows games on this console while this lasts, or else tells them in lines:
    many of them by standings now and then, and none if it is `quiet`.

    The line `first` comes before the notes on what is to be played. Raises BrokenPipeError once
    the lines are read no more.
    """

    def notes(progress: Progress) -> list[str]:
        return [] if progress.record else [*([first] if first else []), *progress.notes]

    lines = _Lines(out)

    def tell(progress: Progress) -> None:
        done = f"{progress.games}/{'?' if progress.total is None else progress.total}"
        if not progress.record:
            before = ", played before" if progress.games else ""
            begun = [] if quiet else [f"{done} games{before}"]
            out("\n".join([*notes(progress), *begun]))
        if not quiet:
            lines.tell(progress, done)

    if quiet or not (console.is_terminal or console.is_jupyter):
        yield tell
        return
    panel = NotebookPanel(console) if console.is_jupyter else Panel(console)

    def show(progress: Progress) -> None:
        for note in notes(progress):
            console.print(Text(note))
        panel.show(progress)

    with panel.opened():
        yield show
        panel.draw()


class _Lines:
    def __init__(self, out: Print) -> None:
        self._out, self._told, self._games = out, 0, 0
        self._at = time.monotonic()

    def tell(self, progress: Progress, done: str) -> None:
        lines = progress.lines
        if lines and self._told < MAX_LINES:
            self._told += len(lines)
            self._out("\n".join(f"{done} {line}" for line in lines))
            self._at, self._games = time.monotonic(), progress.games
        waited, share = time.monotonic() - self._at, (progress.total or 0) / BLOCKS
        is_much = bool(share) and progress.games - self._games >= share
        if waited >= BLOCK_SECONDS and (is_much or waited >= SILENCE):
            drawn = Console(file=StringIO(), width=BLOCK_WIDTH)
            drawn.print(f"{done} games", *map(_rendered, progress.view().parts), sep="\n")
            self._out(f"\n{drawn.file.getvalue().rstrip()}")  # type: ignore[attr-defined]
            self._at, self._games = time.monotonic(), progress.games


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
        self._progress: Progress | None = None

    def opened(self) -> AbstractContextManager[object]:
        """What holds the place of the panel on the screen."""
        return self.live

    def show(self, progress: Progress) -> None:
        """Take in a game's end, or the start; draw if the last look is old enough."""
        self._progress = progress
        if progress.record:
            self._last = Text(progress.last_game, style="dim")
        else:
            self._before = progress.games
        now = time.monotonic()
        rate = (progress.games - self._before) / max(now - self._began, 1e-9)
        self._bar.update(self._task, completed=progress.games, total=progress.total, rate=rate)
        if progress.record is None or now >= self._due:
            self.draw()
            took = time.monotonic() - now
            self._due = now + max(REFRESH, took / SHARE)

    def draw(self) -> None:
        self.live.update(self.shown(), refresh=True)

    def shown(self) -> Group:
        if not self._progress:
            return Group(self._last, self._bar)
        view, bar = self._progress.view(), self._bar
        if view.may_end_early:
            bar.update(self._task, bound=" at most")
        if view.test:
            bar, task = self._test_bar, self._bar.tasks[self._task]
            told = f"{task.completed:.0f} games, {view.test.text(task.fields['rate'])}"
            bar.update(self._test_task, completed=view.test.share, description=told)
        machines = _machine_lines(self._progress.machines())
        return Group(*map(_rendered, view.parts), *machines, self._last, bar)


class NotebookPanel(Panel):
    """The live part of a cell's output. It needs no widgets, and stays when the games are over."""

    _place: DisplayHandle | None = None

    def opened(self) -> AbstractContextManager[object]:
        return nullcontext()

    def draw(self) -> None:
        from IPython.display import display

        drawn = Padding(self.shown(), 0)  # which notebooks can show, unlike a group
        if self._place:
            self._place.update(drawn)
        else:
            self._place = display(drawn, display_id=True)


def _rendered(part: str | LiveTable) -> RenderableType:
    """A line or a table as rich draws it; each is text, since a player's name may look like
    markup."""
    if isinstance(part, str):
        return Text(part)
    table = Table(box=None, header_style="bold")
    for i, heading in enumerate(part.headings):
        table.add_column(Text(heading), justify=part.justify if i else "left")
    for row in part.rows:
        table.add_row(*map(Text, row))
    return table


def _machine_lines(lines: Sequence[str]) -> list[Text]:
    shown = [Text(line, no_wrap=True, overflow="ellipsis") for line in lines[:MOST_MACHINES]]
    left = len(lines) - len(shown)
    return [*shown, Text(f"and {left} more machines")] if left else shown
