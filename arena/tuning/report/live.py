"""A study on the screen while it is played: a bar and the centre in a terminal, or lines."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from arena.match.record import GameRecord
from arena.report.board import Print
from arena.report.numbers import format_digits, format_estimate, format_number
from arena.report.progress_bar import Panel, machine_lines, watching
from arena.tuning.report.search_faults import count_text, faulty_games
from arena.tuning.settings.conditions import AT
from arena.tuning.study import StudyProgress, StudyWatcher
from arena.tuning.trials import Told

DIGITS = 4
"""Significant digits of a parameter on the screen."""


def watching_study(console: Console, out: Print) -> AbstractContextManager[StudyWatcher]:
    """A watcher that shows each trial on this console, or in lines.

    Raises BrokenPipeError once the lines are no longer read.
    """
    return watching(console, show_study, Lines(out).show)


class Lines:
    """Lines on a screen; holds how many trials have had theirs."""

    def __init__(self, out: Print) -> None:
        self._out = out
        self._shown = 0

    def show(self, progress: StudyProgress) -> None:
        """Print one line for each trial."""
        if progress.record is None:
            text = "games, played before" if progress.games else "games"
            start = f"{progress.games}/{progress.config.plan.budget} {text}"
            self._out("\n".join([*progress.notes, start]))
            self._shown = len(progress.told)
        for told in progress.told[self._shown :]:
            self._out(f"{progress.games}/{progress.config.plan.budget} {trial_text(told)}")
        self._shown = len(progress.told)


def trial_text(told: Told) -> str:
    """A trial in one line."""
    points = " ".join(f"{name}={short_text(value)}" for name, value in told.trial.centre.items())
    elo, faults = format_estimate(told.estimate, told.is_doubtful), ""
    if told.faulty_games:
        faults = f", {told.faulty_games} of {told.games} games ended by faults"
    return f"trial {told.trial.number + 1}: {elo} Elo at {points}{faults}"


def short_text(value: object) -> str:
    """A parameter's value where there is little room."""
    return format_digits(value, DIGITS) if isinstance(value, float) else format_number(value)


def show_study(panel: Panel, progress: StudyProgress) -> None:
    """Take in a game's end; before the first, show the notes on what is to be played."""
    for note in () if progress.record else progress.notes:
        panel.live.console.print(Text(note))
    panel.show(
        progress.games,
        progress.config.plan.budget,
        shown_record(progress),
        partial(centre_table, progress),
    )


def shown_record(progress: StudyProgress) -> GameRecord | None:
    """The game that has ended, between the sides of its trial: names of points are long."""
    record = progress.record
    if record is None:
        return None
    first, second = (side_text(progress, name) for name in (record.first, record.second))
    return replace(record, first=first, second=second)


def side_text(progress: StudyProgress, name: str) -> str:
    """The side of a point with the condition in its name; other players have their own names."""
    point, at, label = name.partition(AT)
    return f"{progress.sides.get(point, point)}{at}{label}"


def centre_table(progress: StudyProgress) -> list[RenderableType]:
    """The centre of the last trial, beside the default."""
    table = Table(box=None, header_style="bold")
    for column in ("parameter", "default", "now"):
        table.add_column(column, justify="left" if column == "parameter" else "right")
    last = progress.told[-1] if progress.told else None
    for name, value in progress.config.space.default.items():
        now = last.trial.centre[name] if last else value
        table.add_row(name, short_text(value), short_text(now))
    table.add_row("Elo", "0", format_estimate(last.estimate, last.is_doubtful) if last else "")
    faults = f", {count_text(progress.told)}" if faulty_games(progress.told) else ""
    return [f"Trial {len(progress.told)}{faults}", table, *machine_lines(progress.machines())]
