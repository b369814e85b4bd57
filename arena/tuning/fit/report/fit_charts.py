"""The charts of a fit: its losses, its reliability, and what more games would do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena.report.page.charts import PANE, AxisScale, Plot, around, reliability_plot
from arena.report.table import Figure
from arena.tuning.fit.report.fit_frames import FitFrames

FIT_PANE = replace(PANE, left=64)
"""Losses have four digits."""


def fit_figures(frames: FitFrames) -> list[Figure]:
    """All charts of a fit that is done."""
    return [_losses_figure(frames), _reliability_figure(frames), _curve_figure(frames)]


def _losses_figure(frames: FitFrames) -> Figure:
    losses = frames.losses
    chosen = losses[losses["chosen"]].iloc[0]
    caption = (
        f"Loss by epoch: held out {losses['held_out'].iloc[0]:.4f} before the fit, "
        f"{chosen['held_out']:.4f} at epoch {chosen['epoch']}, whose weights are taken."
    )
    across = FIT_PANE.across(0, max(len(losses) - 1, 1))
    plot = Plot(FIT_PANE, across, upwards([*losses["fitted"], *losses["held_out"]]))
    ticks = sorted({float(round(value)) for value in across.ticks(6)})
    plot.axes("epoch", "loss", x_ticks=ticks)
    for name, style in (("fitted", "line default"), ("held_out", "line tuned")):
        plot.line(zip(losses["epoch"], losses[name], strict=True), style)
    plot.dots([(chosen["epoch"], chosen["held_out"])])
    return Figure(plot.drawn(caption, "pane"), caption)


def _reliability_figure(frames: FitFrames) -> Figure:
    """The results by expected results, with the weights before and after."""
    found = frames.reliability
    misses = (found["result"] - found["expected"]).abs().groupby(found["weights"]).mean()
    caption = (
        "Results of positions held out, by tenths of what is expected of them: off by "
        f"{misses['before']:.3f} in the mean before the fit, {misses['after']:.3f} after."
    )
    plot = reliability_plot(FIT_PANE)
    for weights, style in (("before", "line default"), ("after", "line tuned")):
        own = found[found["weights"] == weights]
        plot.line(zip(own["expected"], own["result"], strict=True), style)
    return Figure(plot.drawn(caption, "pane"), caption)


def _curve_figure(frames: FitFrames) -> Figure:
    points = list(zip(frames.curve["openings"], frames.curve["held_out"], strict=True))
    (first, highest), (last, lowest) = points[0], points[-1]
    caption = (
        f"Does more data help? Loss held out {highest:.4f} with {first:,} openings, "
        f"{lowest:.4f} with {last:,}."
    )
    across = FIT_PANE.across(0.9 * first, 1.1 * last, is_log=True)
    plot = Plot(FIT_PANE, across, upwards([loss for _, loss in points]))
    ticks = [float(openings) for openings, _ in points]
    plot.axes("openings fitted", "loss held out", x_text="{:,.0f}".format, x_ticks=ticks)
    plot.line(points, "line tuned")
    plot.dots(points)
    return Figure(plot.drawn(caption, "pane"), caption)


def upwards(losses: Sequence[float]) -> AxisScale:
    """The scale of losses, which need not show 0."""
    reach = around(losses, 0, 1, least=0.001, zero=False)
    return FIT_PANE.upwards(reach.low, reach.high)
