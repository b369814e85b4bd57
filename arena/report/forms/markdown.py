"""Markdown: a heading and a table in pipes for each table."""

from __future__ import annotations

import pandas as pd

from arena.report.answer import Answer
from arena.report.numbers import portable_frame, without_home
from arena.report.table import text_frame


def text(answer: Answer, frame: str | None = None) -> str:
    """The verdict, the warnings, the titled tables, then a list of the notes; or one frame."""
    if frame:
        return _pipes(portable_frame(answer.frame(frame)))
    parts = [
        "\n\n".join([f"## {table.title}", _pipes(text_frame(table)), *table.notes])
        for table in answer.tables
    ]
    verdict = [f"**{found.sentence}** {found.next_step}"] if (found := answer.verdict) else []
    warnings = [f"**{each}**" for each in answer.warnings]
    notes = "\n".join(f"- {note}" for note in answer.notes)
    told = filter(None, [*verdict, *warnings, answer.facts_line, *parts, notes])
    return without_home("\n\n".join(told))


def _pipes(table: pd.DataFrame) -> str:
    head = [str(column) for column in table.columns]
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *table.to_numpy().tolist()]
    # A pipe in a name would end its cell.
    escaped = ([str(cell).replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)
