"""Comma-separated values: one frame, with a row of column names."""

from __future__ import annotations

from arena.report.export import Contents

SHOWS_NOTES = False


def text(contents: Contents, frame: str | None = None) -> str:
    """One frame; the first of the report if none is named."""
    shown = contents.frame(frame or next(iter(contents.frames)))
    return str(shown.to_csv(index=False)).rstrip("\n")
