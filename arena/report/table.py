"""Tables that people read, their columns with formats, and sections of them under a title."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd
    from markupsafe import Markup

Row = Mapping[Any, Any]  # The values of a row by the columns of its frame


@dataclass(frozen=True)
class Column:
    """One column of a table: the values that it shows, and how they are written.

    >>> Column("score", "points", "{:.2f}").text({"score": 0.5})
    '0.50'
    """

    name: Hashable  # The column of the frame by whose values a page sorts
    title: str = ""  # Its title; empty: its name
    format: str | Callable[..., str] | None = None
    """Writes a value: a format, or a function; None: numbers have six digits."""
    beside: Sequence[Hashable] = ()
    """More columns of the frame, whose values the function takes too."""
    unknown: str = "-"  # The text of a value that is not known
    is_number: bool = True
    """False if it is sorted by its text although its values are numbers, as an interval is."""
    style: Callable[[Any], str] | None = None
    """Gives the class of a cell in the style sheet of a page."""
    link: Hashable = None
    """The column of the frame with the addresses that the texts lead to, on pages."""
    opens: Hashable = None
    """The column of the frame with a text that a page shows below the cell once it is opened."""
    draw: Callable[[Row], Markup] | None = None
    """Draws a row, in place of all that: such a column is on pages only, under its name."""
    foot: Markup | None = None  # A drawing below all rows, such as their scale

    @property
    def heading(self) -> str:
        return self.title or str(self.name)

    def text(self, row: Row) -> str:
        value = row[self.name]
        if value is None or value != value:  # NaN alone differs from itself
            return self.unknown
        if self.format is None:
            return _format_any(value)
        others = [row[name] for name in self.beside]
        if isinstance(self.format, str):
            return self.format.format(value, *others)
        return self.format(value, *others)


@dataclass(frozen=True)
class Table:
    """A table that every form of a report can show."""

    title: str
    frame: pd.DataFrame
    columns: Sequence[Column]
    notes: Sequence[str] = ()  # Lines under the table

    @property
    def rows(self) -> Sequence[Row]:
        """The rows of the frame; NaN for every value that is not known."""
        known = self.frame.astype(object).where(self.frame.notna(), nan)
        return known.to_dict("records")


def frame_table(title: str, frame: pd.DataFrame) -> Table:
    names = [str(name) for name in frame.columns]
    columns = [Column(i, name, unknown="") for i, name in enumerate(names)]
    return Table(title, frame.set_axis(range(len(names)), axis=1), columns)


def text_frame(table: Table) -> pd.DataFrame:
    import pandas as pd

    columns = [column for column in table.columns if not column.draw]
    cells = [[_plain(column, row) for column in columns] for row in table.rows]
    return pd.DataFrame(cells, columns=[column.heading for column in columns])


def _plain(column: Column, row: Row) -> str | int:
    value = row[column.name]
    return value if column.format is None and type(value) is int else column.text(row)


def _format_any(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


Level = Literal["main", "more", "folded"]
"""The place of a section: `main` ones are all that a notebook shows; `folded` ones are closed on a
page, and in text only in a full report."""


@dataclass(frozen=True)
class Figure:
    """A drawing with a caption that says in words what it shows."""

    drawing: Markup
    caption: str


@dataclass(frozen=True)
class FigureGrid:
    figures: Sequence[Figure]


Part = Table | Figure | FigureGrid
AnyPart = Part | Callable[[], Part]
"""A part, or a function that draws it, which forms without drawings do not call."""


@dataclass(frozen=True)
class Section:
    key: str  # Its id in a page
    title: str
    parts: Sequence[AnyPart]
    text: str = ""  # A sentence or two for pages; text has the notes of the tables
    level: Level = "more"

    @property
    def drawn_parts(self) -> list[Part]:
        return [part() if callable(part) else part for part in self.parts]

    @property
    def tables(self) -> list[Table]:
        return [part for part in self.parts if isinstance(part, Table)]
