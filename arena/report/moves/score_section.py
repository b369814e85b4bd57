"""The section of a page on the worth of the players' scores."""

from __future__ import annotations

import pandas as pd

from arena.report.frames import Report
from arena.report.numbers import share_text
from arena.report.page.charts import PANE, reliability_plot
from arena.report.page.document import PageFigure, PageGrid, Part, Section
from arena.report.page.tabular import page_table
from arena.report.tables import SCALES_TEXT, SCALES_TITLE, missing_scales, scales_table

MOST_CHARTS = 12
"""Players whose charts are drawn, the best ones."""
CHARTS_TEXT = (
    "Each dot is a tenth of the player's moves. On the diagonal, games came out as its scores, and "
    "the strength of its opponents, let expect."
)


def scores_section(report: Report) -> Section | None:
    """The section with a table and small charts; None where no player gave scores."""
    table = scales_table(report.scales)
    if table.empty:
        return None
    errors = report.scales.set_index("name")["calibration_error"]
    figures = [
        reliability_figure(str(name), tenths, errors[name])
        for name, tenths in report.reliability.groupby("name", sort=False)
    ]
    text = [SCALES_TEXT, *missing_scales(report.scales)]
    parts: list[Part] = [page_table(table)]
    if figures:
        parts.append(PageGrid(figures[:MOST_CHARTS]))
        text.append(CHARTS_TEXT)
    return Section("scores", SCALES_TITLE, parts, " ".join(text))


def reliability_figure(name: str, tenths: pd.DataFrame, error: float) -> PageFigure:
    """The results of a player's positions by the expected ones, a dot for each tenth."""
    caption = f"{name}: off by {share_text(error)}"
    plot = reliability_plot(PANE)
    plot.dots(zip(tenths["expected"], tenths["scored"], strict=True), radius=3.5)
    return PageFigure(plot.drawn(caption, "pane"), caption)
