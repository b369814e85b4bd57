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

WEIGHTS_TEXT = (
    "Bar: the 95 % interval of what the games alone tell, on the weight's range; dot: the value "
    "found; dashed: the default."
)


def fit_sections(
    matches: ProofMatches, frames: AnyFitFrames, result: FoundWeights | None, verdict: Conclusion
) -> Iterator[Section]:
    """All sections, as far as there is anything to show: first what the verdict rests on."""
    account = account_of(result) if result else None
    if account:
        title = weights_title(frames, verdict)
        yield Section("weights", title, [weights_table(frames, title)], WEIGHTS_TEXT, "main")
    yield from proof_section(matches, frames)
    if result and account:
        if (ranks := account.ranks()) is not None:
            yield Section("ranks", ranks.title, [ranks])
        losses = loss_table(result, account.columns())
        parts: list[AnyPart] = [losses, lambda: FigureGrid(fit_figures(frames))]
        yield Section("loss", "Loss", parts, f"{account.loss_text} {account.charts_text}", "folded")
    yield from attempts_section(frames)
