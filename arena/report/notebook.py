"""A report in a notebook: its verdict, what must be known before, and the main sections."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from html import escape

from arena.report.page.charts import sheet
from arena.report.table import Figure, FigureGrid, Part, Section, Table, text_frame
from arena.report.verdict import Conclusion


def notebook_html(
    verdict: Conclusion | None, sections: Iterable[Section], warnings: Iterable[str] = ()
) -> str:
    """The verdict, the warnings and the main sections, as HTML that runs nothing."""
    head = [f"<p><b>{escape(verdict.sentence)}</b></p>"] if verdict else []
    head += [f"<p>{escape(warning)}</p>" for warning in warnings]
    main = (section for section in sections if section.level == "main")
    parts = [_shown(part) for section in main for part in section.drawn_parts]
    return "\n".join([*head, *parts])


def _shown(part: Part) -> str:
    if isinstance(part, Table):
        return f"<p>{escape(part.title)}</p>\n{text_frame(part).to_html(index=False)}"
    if isinstance(part, FigureGrid):
        return _pictures(part.figures)
    return _pictures([part])


def _pictures(figures: Iterable[Figure]) -> str:
    """Figures as pictures: inside a drawing, its style would be that of the whole notebook."""
    shown = []
    for figure in figures:
        data = b64encode(sheet([figure]).encode()).decode()
        shown.append(f'<img alt="{escape(figure.caption)}" src="data:image/svg+xml;base64,{data}">')
    return "\n".join(shown)
