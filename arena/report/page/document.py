"""The contents of a page before they are written: sections of tables and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Literal

from markupsafe import Markup

from arena.report.table import Column, Row, Table
from arena.report.verdict import Conclusion

NO_MARK = Markup()
_NONE = ("", "-")
"""Texts of unknown values, which sort last."""


@dataclass(frozen=True)
class Cell:
    """One cell of a table."""

    text: str = ""
    value: float | str | None = None
    """The value that sorts it, if that is not its text."""
    mark: Markup = NO_MARK
    """A drawing beside the text."""
    style: str = ""
    """Its class in the style sheet."""
    link: str = ""
    """The part of the page that the text leads to, such as `#game=17`."""

    @property
    def is_number(self) -> bool:
        """True if it has a number, or nothing."""
        return isinstance(self.value, float) or self.value == ""


@dataclass(frozen=True)
class PageColumn:
    """The head of a column."""

    title: str
    is_number: bool = True
    is_sortable: bool = True


@dataclass(frozen=True)
class PageTable:
    """A table with a caption, which may be empty where its section's title says all."""

    columns: Sequence[PageColumn]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    foot: Sequence[Cell] = ()
    kind: Literal["table"] = "table"


def page_table(table: Table, caption: str = "") -> PageTable:
    """A table of a report: numbers to the right, sorted by their values."""
    rows = [[_cell(column, row) for column in table.columns] for row in table.rows]
    heads = [
        PageColumn(
            column.heading,
            is_number=bool(rows) and all(row[i].is_number for row in rows),
            is_sortable=not column.draw,
        )
        for i, column in enumerate(table.columns)
    ]
    foot = [Cell(mark=column.foot or NO_MARK) for column in table.columns]
    return PageTable(heads, rows, caption, foot if any(cell.mark for cell in foot) else [])


def _cell(column: Column, row: Row) -> Cell:
    """The cell of a column in a row, with its value if that is a number, or not known."""
    if column.draw:
        return Cell(mark=column.draw(row))
    text, number = column.text(row), row[column.name]
    value: float | str | None = "" if text in _NONE else None
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if value is None and column.is_number and is_number and isfinite(number):
        value = float(number)
    style = column.style(number) if column.style else ""
    return Cell(text, value, style=style, link="" if column.link is None else row[column.link])


@dataclass(frozen=True)
class PageFigure:
    """A drawing with a caption that says in words what it shows."""

    drawing: Markup
    caption: str
    kind: Literal["figure"] = "figure"


@dataclass(frozen=True)
class PageGrid:
    """Small drawings side by side."""

    figures: Sequence[PageFigure]
    kind: Literal["grid"] = "grid"


@dataclass(frozen=True)
class PlanForm:
    """A form that tells how long a test would take, by a script."""

    shares: Sequence[float]
    """Pairs of 0 to 2 points."""
    seconds: float | None
    """Of a game."""
    kind: Literal["plan"] = "plan"


Part = PageTable | PageFigure | PageGrid | PlanForm


@dataclass(frozen=True)
class Section:
    """One section of a page."""

    key: str
    """Its id in the page."""
    title: str
    parts: Sequence[Part]
    text: str = ""


@dataclass(frozen=True)
class PageConfig:
    """A config of a run or study, as YAML."""

    name: str
    whole: str
    """Every default written out."""
    written: str = ""
    """The file as its user wrote it; empty where it is not known."""


@dataclass(frozen=True)
class Page:
    """A whole page: of runs, or of a study."""

    title: str
    subtitle: str
    facts: Sequence[tuple[str, str]]
    notes: Sequence[str]
    sections: Sequence[Section]
    configs: Sequence[PageConfig]
    verdict: Conclusion | None = None
    """The first that a reader sees; None where there is no question, as of one frame's table."""
    warnings: Sequence[str] = ()
    """The gravest caveats, such as faults, which the verdict has in short."""
    games: Mapping[str, Any] | None = None
    """The games as the viewer reads them: see `page/games.py`."""
    games_note: str = ""
    """A sentence on the games that are left out."""
    points: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The points of a study as its script reads them: see `tuning/report/played_points.py`."""
    packed: str = field(default="", repr=False)
    """The games in place of `games` where they are many: JSON by gzip, as base64."""

    @property
    def has_games(self) -> bool:
        """True if there are games to look at."""
        return bool(self.games or self.packed)
