"""Plain text: titled tables, their columns side by side."""

from __future__ import annotations

import pandas as pd

from arena.report.export import Contents
from arena.report.table import text_frame


def text(contents: Contents, frame: str | None = None) -> str:
    """The verdict, the warnings, the titled tables, then the notes; or one frame."""
    if frame:
        return plain(contents.frame(frame))
    parts = [
        "\n".join([table.title, plain(text_frame(table)), *table.notes])
        for table in contents.tables
    ]
    verdict = str(contents.verdict) if contents.verdict else ""
    warnings, notes = ("\n".join(each) for each in (contents.warnings, contents.notes))
    return "\n\n".join(filter(None, [verdict, warnings, *parts, notes]))


def plain(table: pd.DataFrame) -> str:
    """Columns side by side; of a frame without rows, their names."""
    return " ".join(map(str, table.columns)) if table.empty else table.to_string(index=False)
