"""HTML: one file that a browser opens, without a network, with all tables, charts and games."""

from __future__ import annotations

from arena.report.answer import Answer
from arena.report.table import Section, frame_table


def text(answer: Answer, frame: str | None = None) -> str:
    """The whole report as a page; or one frame as a page with its table."""
    from arena.report.page.render import page_of

    if not frame:
        return page_of(answer)
    table = frame_table(frame, answer.frame(frame))
    section = Section("frame", frame, [table])
    shown = Answer({}, lambda: [section], title=frame, subtitle="Tables", notes=answer.sentences)
    return page_of(shown)
