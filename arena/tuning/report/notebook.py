"""A study as notebooks show it."""

from __future__ import annotations

from base64 import b64encode
from html import escape

from arena.report.page.document import PageFigure
from arena.report.page.svg import sheet
from arena.report.verdict import Conclusion
from arena.tuning.report.frames import Frames
from arena.tuning.report.study_charts import history_figure
from arena.tuning.report.tables import parameters_table, weights_title


def shown_study(verdict: Conclusion, frames: Frames) -> str:
    """The verdict, then the weights found and the history, as HTML that runs nothing."""
    table = parameters_table(frames.parameters, frames.name_of_values)
    parts = [
        f"<p><b>{escape(verdict.sentence)}</b></p>",
        f"<p>{escape(weights_title(frames, verdict))}</p>",
        table.to_html(index=False),
        *([embedded(history_figure(frames))] if len(frames.trials) else []),
    ]
    return "\n".join(parts)


def embedded(figure: PageFigure) -> str:
    """A figure as a picture: inside a drawing, its style would be that of the whole notebook."""
    data = b64encode(sheet([figure]).encode()).decode()
    return f'<img alt="{escape(figure.caption)}" src="data:image/svg+xml;base64,{data}">'
