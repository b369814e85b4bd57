"""Plain text: titled tables, their columns side by side."""

from __future__ import annotations

import pandas as pd

from arena.report.export import Contents


def text(contents: Contents, frame: str | None = None) -> str:
    """The titled tables, then the notes; or one frame."""
    if frame:
        return plain(contents.frame(frame))
    parts = [f"{title}\n{plain(table)}" for title, table in contents.tables]
    return "\n\n".join([*parts, *filter(None, ["\n".join(contents.notes)])])


def plain(table: pd.DataFrame) -> str:
    """Columns side by side; of a frame without rows, their names."""
    return " ".join(map(str, table.columns)) if table.empty else table.to_string(index=False)
