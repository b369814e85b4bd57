"""Comma-separated values: one frame, with a row of column names."""

from __future__ import annotations

from arena.report.answer import Answer
from arena.report.numbers import portable_frame

SHOWS_NOTES = False


def text(answer: Answer, frame: str | None = None) -> str:
    """One frame; the first of the report if none is named."""
    shown = portable_frame(answer.frame(frame or next(iter(answer.frames))))
    return str(shown.to_csv(index=False)).rstrip("\n")
