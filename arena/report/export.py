"""An answer as it is written: by one of `forms/`, as text or to files."""

from __future__ import annotations

from pathlib import Path

from arena.files import written
from arena.plugins import load
from arena.report.answer import Answer

FRAMES = (
    *("standings", "pairs", "win_rates", "colours", "endings", "summary", "matches", "scales"),
    *("reliability", "games", "uncounted"),
)
"""Frames of a run, in the order in which programs are given them."""


def report_text(answer: Answer, form: str, frame: str | None = None) -> str:
    """The report, or one frame of it; ConfigError for a form that is no text, or an unknown one."""
    return str(load.module("form", form).text(answer, frame))


def save(answer: Answer, form: str, frame: str | None, path: Path) -> list[Path]:
    """Write the report, or one frame of it, and return the files; ConfigError if that fails."""
    module = load.module("form", form)
    if hasattr(module, "save"):
        return list(module.save(answer, frame, path))
    text = report_text(answer, form, frame).rstrip("\n") + "\n"
    with written(path, form, text.partition("\n")[0]) as out:
        out.write(text.encode())
    return [path]


def keep_page(answer: Answer, folder: Path) -> Path:
    """Write the page of a report into the folder of its games. Raises OSError."""
    from arena.storage.folder import REPORT_PAGE, keep_text

    keep_text(folder / REPORT_PAGE, report_text(answer, "html").rstrip("\n") + "\n")
    return folder / REPORT_PAGE


def shows_notes(form: str) -> bool:
    """True if a whole report in this form shows its notes."""
    return getattr(load.module("form", form), "SHOWS_NOTES", True)
