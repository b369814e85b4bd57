"""The sections of a fit's report."""

from __future__ import annotations

from collections.abc import Iterator

from arena.report.numbers import format_digits
from arena.report.table import AnyPart, Column, FigureGrid, Section
from arena.report.verdict import Conclusion
from arena.tuning.fit.report.fit_charts import fit_figures
from arena.tuning.fit.report.fit_frames import FitFrames, format_error, loss_table, weights_table
from arena.tuning.fit.result_fit import FitResult
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.report import proof_section, weights_title

WEIGHTS_TEXT = (
    "Bar: the 95 % interval of what the games alone tell, on the weight's range; dot: the value "
    "found; dashed: the default."
)
LOSS_TEXT = (
    "Mean cross entropy of expected and true results, in nats a position. "
    "Before: of the positions held out. Saved: on openings that were neither fitted to nor ended "
    "the fit: those fitted, of which a part at a time was left out. "
    "An expected result is 1 / (1 + exp(-K value - c)), where c is what it is worth to be on the "
    "move. "
    "Dashed: the loss of the positions fitted, and the default weights; full line: the loss of the "
    "positions held out, and the fitted weights. The fit is reliable where its line lies on the "
    "thin one: positions are won as often as is expected of them."
)


def fit_sections(
    matches: ProofMatches, frames: FitFrames, result: FitResult | None, verdict: Conclusion
) -> Iterator[Section]:
    """All sections, as far as there is anything to show: first what the verdict rests on."""
    if result:
        title = weights_title(frames, verdict)
        yield Section("weights", title, [weights_table(frames, title)], WEIGHTS_TEXT, "main")
    yield from proof_section(matches, frames)
    if result:
        scale = {
            Column("K", "K", lambda value: format_digits(value, 4)): result.scale,
            Column("standard error of K", "", format_error): result.scale_error,
        }
        losses = loss_table(result, scale)
        parts: list[AnyPart] = [losses, lambda: FigureGrid(fit_figures(frames))]
        yield Section("loss", "Loss", parts, LOSS_TEXT, "folded")
