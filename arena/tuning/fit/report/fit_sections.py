"""The sections of a fit's report."""

from __future__ import annotations

from collections.abc import Iterator

from arena.report.section import AnyPart, FigureGrid, Section
from arena.report.verdict import Conclusion
from arena.tuning.fit.found_weights import FoundWeights
from arena.tuning.fit.report.fit_account import account_of
from arena.tuning.fit.report.fit_charts import fit_figures
from arena.tuning.fit.report.fit_frames import AnyFitFrames, loss_table, weights_table
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.report.proof_sections import (
    attempts_section,
    proof_section,
    weights_title,
)


def fit_sections(
    matches: ProofMatches, frames: AnyFitFrames, result: FoundWeights | None, verdict: Conclusion
) -> Iterator[Section]:
    """All sections, as far as there is anything to show: first what the verdict rests on."""
    yield from proof_section(matches, frames)
    if result:
        account = account_of(result)
        title = weights_title(frames, verdict)
        yield Section("weights", title, [weights_table(frames, title)], level="main")
        if (ranks := account.ranks()) is not None:
            yield Section("ranks", ranks.title, [ranks])
        losses = loss_table(result, account.columns())
        yield Section("loss", losses.title, [losses], account.loss_text)
        charts: list[AnyPart] = [lambda: FigureGrid(fit_figures(frames))]
        yield Section("charts", "Charts", charts, account.charts_text, "main")
    yield from attempts_section(frames)
