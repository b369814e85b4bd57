"""Sections of a report: tables and figures under one title."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from arena.report.table import Table

if TYPE_CHECKING:
    from markupsafe import Markup

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
    """Small drawings side by side."""

    figures: Sequence[Figure]


Part = Table | Figure | FigureGrid
AnyPart = Part | Callable[[], Part]
"""A part, or a function that draws it, which forms without drawings do not call."""


@dataclass(frozen=True)
class Section:
    """Tables and figures under one title."""

    key: str  # Its id in a page
    title: str
    parts: Sequence[AnyPart]
    text: str = ""  # A sentence or two for pages; text has the notes of the tables
    level: Level = "more"

    @property
    def drawn_parts(self) -> list[Part]:
        """All parts, those drawn that must be."""
        return [part() if callable(part) else part for part in self.parts]

    @property
    def tables(self) -> list[Table]:
        """Its tables."""
        return [part for part in self.parts if isinstance(part, Table)]
