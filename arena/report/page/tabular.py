"""Frames as tables of a page."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeVar

import pandas as pd

from arena.report.page.document import Cell, Column, PageTable

Each = TypeVar("Each")

FIGURE = re.compile(r"^[<>]?([+-]?\d[\d,]*(?:\.\d+)?)(?: ?%)?\??$")
NONE = ("", "-")
"""Texts of unknown values, which sort last."""


def page_table(
    frame: pd.DataFrame,
    caption: str = "",
    titles: Mapping[Hashable, str] | None = None,
) -> PageTable:
    """A frame as a table: figures to the right, sorted as numbers."""
    rows = [[cell_of(value) for value in row] for row in frame.itertuples(index=False, name=None)]
    names = [(titles or {}).get(name, str(name)) for name in frame.columns]
    columns = [
        Column(name, is_number=all(is_figure(row[i]) for row in rows) and bool(rows))
        for i, name in enumerate(names)
    ]
    return PageTable(columns, rows, caption)


def cell_of(value: Any) -> Cell:
    """Any value of a frame as a cell."""
    if value is None or value is pd.NA or (isinstance(value, float) and pd.isna(value)):
        return Cell("", "")
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, float):
        return Cell(f"{value:.6g}", value)
    text = str(value)
    if text in NONE:
        return Cell(text, "")
    found = FIGURE.match(text)
    return Cell(text, float(found[1].replace(",", "")) if found else None)


def is_figure(cell: Cell) -> bool:
    """True if a cell has a number, or nothing."""
    return isinstance(cell.value, float) or cell.value == ""


def with_marks(
    table: PageTable, title: str, marks: Sequence[Cell], foot: Cell | None = None, after: str = ""
) -> PageTable:
    """The table with one more column, which is not sorted by: at its end, or after another one."""
    titles = [column.title for column in table.columns]
    place = titles.index(after) + 1 if after else len(titles)

    def widened(row: Sequence[Each], more: Each) -> list[Each]:
        return [*row[:place], more, *row[place:]]

    columns = widened(table.columns, Column(title, is_number=False, is_sortable=False))
    rows = [widened(row, mark) for row, mark in zip(table.rows, marks, strict=True)]
    under = widened([Cell()] * len(titles), foot) if foot else ()
    return PageTable(columns, rows, table.caption, under)
