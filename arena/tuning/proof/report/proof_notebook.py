"""Weights that were found, as notebooks show them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from html import escape

from arena.report.page.document import PageFigure
from arena.report.page.svg import sheet
from arena.report.table import Table, text_frame
from arena.report.verdict import Conclusion


def shown_weights(verdict: Conclusion, table: Table, figures: Iterable[PageFigure]) -> str:
    """The verdict, then the weights and the figures, as HTML that runs nothing."""
    parts = [
        f"<p><b>{escape(verdict.sentence)}</b></p>",
        f"<p>{escape(table.title)}</p>",
        text_frame(table).to_html(index=False),
        *map(embedded, figures),
    ]
    return "\n".join(parts)


def embedded(figure: PageFigure) -> str:
    """A figure as a picture: inside a drawing, its style would be that of the whole notebook."""
    data = b64encode(sheet([figure]).encode()).decode()
    return f'<img alt="{escape(figure.caption)}" src="data:image/svg+xml;base64,{data}">'
