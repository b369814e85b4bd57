"""The contents of a page before they are written: sections of tables and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from markupsafe import Markup

from arena.report.verdict import Conclusion

NO_MARK = Markup()


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


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    title: str
    is_number: bool = True
    is_sortable: bool = True


@dataclass(frozen=True)
class PageTable:
    """A table with a caption, which may be empty where its section's title says all."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    foot: Sequence[Cell] = ()
    kind: Literal["table"] = "table"


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
