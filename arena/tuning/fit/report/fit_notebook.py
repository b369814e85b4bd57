"""A fit as notebooks show it."""

from __future__ import annotations

from arena.report.verdict import Conclusion
from arena.tuning.fit.report.fit_charts import fit_figures
from arena.tuning.fit.report.fit_frames import AnyFitFrames, weights_table
from arena.tuning.proof.report.proof_notebook import shown_weights
from arena.tuning.proof.report.proof_tables import weights_title


def shown_fit(verdict: Conclusion, frames: AnyFitFrames) -> str:
    """The verdict, then the fitted weights and the charts."""
    figures = fit_figures(frames) if len(frames.losses) else []
    table = weights_table(frames, weights_title(frames, verdict))
    return shown_weights(verdict, table, figures)
