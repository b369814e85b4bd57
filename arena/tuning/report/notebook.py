"""A study as notebooks show it."""

from __future__ import annotations

from html import escape

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
        *([sheet([history_figure(frames)])] if len(frames.trials) else []),
    ]
    return "\n".join(parts)
