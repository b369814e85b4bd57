"""Templates filled in, with every value escaped, and tables as they write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING

from markupsafe import Markup

from arena.report.answer import Answer
from arena.report.numbers import without_home
from arena.report.page.assets import TEMPLATES, page_script, page_style
from arena.report.page.games import viewer_games
from arena.report.table import Column, Row, Table
from arena.stats.rounding import reported

if TYPE_CHECKING:
    from jinja2 import Environment


def page_of(answer: Answer) -> str:
    viewer = viewer_games(answer.games)
    page = (
        environment()
        .get_template("report.html")
        .render(
            script=page_script(),
            style=page_style(),
            document=answer,
            viewer=viewer,
            has_games=viewer is not None,
        )
    )
    # Not in scripts and styles, whose digests a browser compares.
    parts = re.split(r"(<(?:script|style)\b.*?</(?:script|style)>)", page, flags=re.DOTALL)
    return "".join(each if i % 2 else without_home(each) for i, each in enumerate(parts))


@cache
def environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals["html_table"] = html_table
    found.globals["has_games"] = True  # of served pages; tables link to them
    found.globals["kind_of"] = lambda part: type(part).__name__
    found.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    return found


NO_MARK = Markup()
_NONE = ("", "-")  # Texts of unknown values, which sort last


@dataclass(frozen=True)
class HtmlCell:
    text: str = ""
    value: float | str | None = None  # The value that sorts it, if that is not its text
    mark: Markup = NO_MARK  # A drawing beside the text
    style: str = ""  # Its class in the style sheet
    link: str = ""  # The address that the text leads to, such as `#game=17`
    opened: str = ""  # A text that is shown once the cell is opened

    @property
    def is_number(self) -> bool:
        """True if it has a number, or nothing."""
        return isinstance(self.value, float) or self.value == ""


@dataclass(frozen=True)
class HtmlHead:
    title: str
    is_number: bool
    is_sortable: bool


@dataclass(frozen=True)
class HtmlTable:
    heads: Sequence[HtmlHead]
    rows: Sequence[Sequence[HtmlCell]]
    foot: Sequence[HtmlCell]


def html_table(table: Table) -> HtmlTable:
    rows = [[_cell(column, row) for column in table.columns] for row in table.rows]
    heads = [
        HtmlHead(
            column.heading,
            is_number=bool(rows) and all(row[i].is_number for row in rows),
            is_sortable=not column.draw,
        )
        for i, column in enumerate(table.columns)
    ]
    foot = [HtmlCell(mark=column.foot or NO_MARK) for column in table.columns]
    return HtmlTable(heads, rows, foot if any(cell.mark for cell in foot) else [])


def _cell(column: Column, row: Row) -> HtmlCell:
    if column.draw:
        return HtmlCell(mark=column.draw(row))
    text, number = column.text(row), row[column.name]
    value: float | str | None = "" if text in _NONE else None
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if value is None and column.is_number and is_number and isfinite(number):
        value = reported(float(number))
    style = column.style(number) if column.style else ""
    link, opened = ("" if name is None else row[name] for name in (column.link, column.opens))
    return HtmlCell(text, value, style=style, link=link, opened=opened)
