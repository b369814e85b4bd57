"""A study as notebooks show it."""

from __future__ import annotations

from arena.report.verdict import Conclusion
from arena.tuning.proof.report.proof_notebook import shown_weights
from arena.tuning.proof.report.proof_tables import weights_title
from arena.tuning.report.frames import Frames
from arena.tuning.report.study_charts import history_figure
from arena.tuning.report.tables import parameters_table


def shown_study(verdict: Conclusion, frames: Frames) -> str:
    """The verdict, then the weights found and the history."""
    title = weights_title(frames, verdict)
    table = parameters_table(frames.parameters, frames.name_of_values, title)
    figures = [history_figure(frames)] if len(frames.trials) else []
    return shown_weights(verdict, table, figures)
