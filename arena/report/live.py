"""What is being played, on the screen: boards, and tables above a bar or plain lines."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import StringIO
from itertools import product
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

from arena.coordinates import Coordinates
from arena.engine import Remark, mate_text
from arena.game import Game, Move, Position
from arena.match.play import Spectator
from arena.match.record import FIELDS, GameRecord, remarks_of, summary, values_of
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


Print = Callable[[str], None]

STONES = "●○"
CROSSINGS = dict(zip(product(range(3), range(3)), "┌┬┐├┼┤└┴┘", strict=True))
"""Crossings, by the thirds of the board in which their row and column are."""


def diagram(game: Game, p: Position, coordinates: Coordinates) -> str:
    """The board, names of rows and columns around it, the last move in brackets."""
    size = game.size
    last = None if p.last is None else p.last % size**2
    height = max(map(len, coordinates.columns))
    heads = zip(*(name.rjust(height) for name in coordinates.columns), strict=True)
    lines = ["    " + " ".join(head) for head in heads]
    for row, name in enumerate(coordinates.rows):
        lines.append(f"{name:>2} {_row_text(p, size, row, last)}")
    return "\n".join(lines)


def _row_text(p: Position, size: int, row: int, last: int | None) -> str:
    text = ""
    for column in range(size):
        cell = row * size + column
        if cell == last:
            text += "("
        elif column and last == cell - 1:
            text += ")"
        else:
            text += "─" if column else " "
        stone = p.cells[cell]
        text += STONES[stone - 1] if stone else CROSSINGS[_third(row, size), _third(column, size)]
    return text + (")" if last == row * size + size - 1 else "")


def _third(index: int, size: int) -> int:
    return 0 if index == 0 else 2 if index == size - 1 else 1


def broadcast(
    form: str, game: Game, names: tuple[str, str], out: Print, coordinates: Coordinates
) -> Spectator | None:
    """A watcher that shows each position: its `board`, or its last move only (`moves`)."""
    if form == "board":
        return lambda p: out(
            f"{title(game, p, names, coordinates)}\n{diagram(game, p, coordinates)}\n"
        )
    if form == "moves":
        return _move_lines(game, out)
    return None


def title(game: Game, p: Position, names: tuple[str, str], coordinates: Coordinates) -> str:
    """The last move and its player; before the first, both players."""
    if p.last is None:
        return f"{STONES[0]} {names[0]}  {STONES[1]} {names[1]}"
    seat, move = 3 - p.turn, coordinates.text(game.text(p.last))
    return f"{p.ply}. {STONES[seat - 1]} {names[seat - 1]} {move}"


def _move_lines(game: Game, out: Print) -> Spectator:
    """A watcher that prints each move in a line, as records have it, for other programs.

    The first position may bring a whole opening.
    """
    shown: list[Move] = []

    def show(p: Position) -> None:
        for move in p.moves[len(shown) :]:
            out(game.text(move))
            shown.append(move)

    return show


def remark_lines(record: GameRecord, coordinates: Coordinates) -> list[str]:
    opening, moves = len(record.opening.split()), record.moves.split()
    lines = []
    for i, remark in enumerate(remarks_of(record), start=opening):
        # An answer that was no legal move is not among the moves.
        move = coordinates.text(moves[i]) if i < len(moves) else "no move"
        name = record.first if remark.seat == 1 else record.second
        words = f"{i + 1}. {STONES[remark.seat - 1]} {name} {move}: {remark.seconds * 1e3:.1f} ms"
        lines.append("; ".join([words, *_opinions(remark, coordinates)]))
    return lines


def last_remarks(record: GameRecord, coordinates: Coordinates) -> list[str]:
    """The last remark of each player, if any of them had an opinion in the game."""
    has_any = any(_opinions(remark, coordinates) for remark in remarks_of(record))
    return remark_lines(record, coordinates)[-2:] if has_any else []


def _opinions(remark: Remark, coordinates: Coordinates) -> list[str]:
    found = []
    if remark.score is not None:
        found.append(f"score {mate_text(remark.score) or f'{remark.score:+d}'}")
    if remark.depth:
        found.append(f"depth {remark.depth}")
    if remark.nodes:
        found.append(f"{remark.nodes:,} nodes")
    if remark.line:
        found.append(f"expects {coordinates.text(remark.line)}")
    return found + [f"{name} {value}" for name, value in remark.info.items()]


def result_text(form: str, record: GameRecord) -> str:
    """The end of the game in a line; or the whole record as json."""
    if form == "json":
        return json.dumps(dict(zip(FIELDS, values_of(record), strict=True)))
    return summary(record)
