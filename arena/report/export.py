"""The contents of a report, and how they are written: by one of `forms/`, as text or to files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.errors import ConfigError, unknown
from arena.plugins import load
from arena.refusals import refused

if TYPE_CHECKING:
    import pandas as pd

    from arena.report.table import Table
    from arena.report.verdict import Conclusion


FRAMES = (
    "standings",
    "pairs",
    "win_rates",
    "colours",
    "endings",
    "summary",
    "matches",
    "scales",
    "reliability",
    "games",
    "uncounted",
)
"""Frames of a run, in the order in which programs are given them."""


@dataclass(frozen=True)
class Contents:
    """The contents of a report, be it of runs or of a study."""

    frames: Mapping[str, pd.DataFrame | Callable[[], pd.DataFrame]]
    """Frames for programs, without an index, or functions that make them; csv shows the first if
    none is named."""
    tables: Sequence[Table]
    """Tables for people."""
    head: Mapping[str, Any]
    """Facts that stand in json beside the frames."""
    notes: Sequence[str]
    verdict: Conclusion | None = None
    """The first that a reader sees; None where there is no question."""
    warnings: Sequence[str] = ()
    """Sentences that readers must know before they see a number."""
    on_request: Mapping[str, Callable[[], pd.DataFrame]] = field(default_factory=dict)
    """Frames that are made only if they are named, since they are large."""
    page: Callable[[], str] | None = None
    """Makes the whole report as HTML, if there is more to show than tables."""

    @property
    def sentences(self) -> list[str]:
        """The verdict, the warnings, and then the notes."""
        first = [self.verdict.sentence] if self.verdict else []
        return [*first, *self.warnings, *self.notes]

    def frame(self, name: str) -> pd.DataFrame:
        """One of the frames; ConfigError for any other name."""
        found = self.frames.get(name, self.on_request.get(name))
        if found is None:
            raise ConfigError(unknown("frame", name, [*self.frames, *self.on_request]))
        return found() if callable(found) else found


def report_text(contents: Contents, form: str, frame: str | None = None) -> str:
    """The report, or one frame of it; ConfigError for a form that is no text, or an unknown one."""
    return str(load.module("form", form).text(contents, frame))


def save(contents: Contents, form: str, frame: str | None, path: Path) -> list[Path]:
    """Write the report, or one frame of it, and return the files; ConfigError if that fails."""
    module = load.module("form", form)
    try:
        if hasattr(module, "save"):
            return list(module.save(contents, frame, path))
        text = report_text(contents, form, frame)
        path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
        return [path]
    except OSError as error:
        raise refused(error, path) from None


def shows_notes(form: str) -> bool:
    """True if a whole report in this form shows its notes."""
    return getattr(load.module("form", form), "SHOWS_NOTES", True)
