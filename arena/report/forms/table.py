"""Plain text: titled tables, their columns side by side."""

from __future__ import annotations

import pandas as pd

from arena.report.answer import Answer
from arena.report.numbers import without_home
from arena.report.table import text_frame


def text(answer: Answer, frame: str | None = None) -> str:
    """The verdict, the warnings, the titled tables, then the notes; or one frame."""
    if frame:
        return plain(answer.frame(frame))
    parts = [
        "\n".join([table.title, plain(text_frame(table)), *table.notes]) for table in answer.tables
    ]
    verdict = str(answer.verdict) if answer.verdict else ""
    warnings, notes = ("\n".join(each) for each in (answer.warnings, answer.notes))
    told = filter(None, [verdict, warnings, answer.facts_line, *parts, notes])
    return without_home("\n\n".join(told))


def plain(table: pd.DataFrame) -> str:
    """Columns side by side; of a frame without rows, their names."""
    return " ".join(map(str, table.columns)) if table.empty else table.to_string(index=False)
