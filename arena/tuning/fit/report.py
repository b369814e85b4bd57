"""The report of a fit: its answer, sections, charts, and the sentences that speak against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from math import isinf

from arena.config.yaml_file import dump
from arena.report.answer import Answer, ConfigText
from arena.report.numbers import format_digits
from arena.report.page.charts import PANE, AxisScale, Plot, around, reliability_plot
from arena.report.run_answer import format_spec
from arena.report.table import AnyPart, Column, Figure, FigureGrid, Section
from arena.report.verdict import Conclusion
from arena.storage.database import Store
from arena.storage.folder import WRITTEN, read_store
from arena.tuning.fit.config import fit_data
from arena.tuning.fit.fit import Fit
from arena.tuning.fit.frames import (
    COMMAND,
    MOST_ROWS,
    FitFrames,
    format_error,
    loss_table,
    saving_told,
    weights_table,
)
from arena.tuning.fit.result_fit import FitResult, FoundWeights
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.report import (
    edge_texts,
    limit_text,
    proof_notes,
    proof_section,
    weights_title,
)

OWN_FRAMES = ("weights", "losses", "before", "after", "curve")
"""Parts of a result that are frames of their own."""


def fit_answer(fit: Fit) -> Answer:
    frames, config = fit.frames(), fit.config
    kept = read_store(fit.folder, Store.facts) or {}
    return Answer(
        title=config.name,
        subtitle=f"Fit of the weights of {config.default.engine.name}",
        facts=list(_facts(fit)),
        verdict=fit.verdict,
        warnings=_fit_warnings(fit),
        notes=list(_fit_notes(fit)),
        make_sections=partial(_fit_sections, fit.matches, frames, fit.result, fit.verdict),
        frames=frames.by_name,
        head=_head(fit),
        configs=[ConfigText(config.name, dump(fit_data(config)), str(kept.get(WRITTEN, "")))],
    )


def _facts(fit: Fit) -> Iterator[tuple[str, str]]:
    config = fit.config
    if config.make:
        made, total = fit.games_made
        yield "Games made", f"{made:,} of {total:,}"
        yield "Made by", ", ".join(player.name for player in config.make.players)
    if config.games:
        yield "Games of", ", ".join(config.games)
    if result := fit.result:
        yield "Openings", f"{result.openings:,}"
        yield "Positions", f"{result.positions:,}"
    yield "Game", format_spec(config.terms.game)
    yield "Against", ", ".join(player.name for player in config.opponents)
    yield "Limit of the test", limit_text(config)
    yield "State", "complete" if fit.is_over else "not complete"


def _head(fit: Fit) -> dict[str, object]:
    config, result = fit.config, fit.result
    made, total = fit.games_made
    data = result.data() if result else {}
    outcome = {key: value for key, value in data.items() if key not in OWN_FRAMES}
    return {
        "name": config.name,
        "engine": config.default.engine.name,
        "game": str(config.terms.game),
        "opponents": [player.name for player in config.opponents],
        "games": list(config.games),
        "games_made": made,
        "games_to_make": total,
        "settings": asdict(config.settings),
        "fit": outcome or None,
        "is_over": fit.is_over,
    }


FIT_PANE = replace(PANE, left=64)  # Losses have four digits


def _losses_figure(frames: FitFrames) -> Figure:
    losses = frames.losses
    chosen = losses[losses["chosen"]].iloc[0]
    caption = (
        f"Loss by epoch: held out {losses['held_out'].iloc[0]:.4f} before the fit, "
        f"{chosen['held_out']:.4f} at epoch {chosen['epoch']}, whose weights are taken."
    )
    across = FIT_PANE.across(0, max(len(losses) - 1, 1))
    plot = Plot(FIT_PANE, across, _upwards([*losses["fitted"], *losses["held_out"]]))
    ticks = sorted({float(round(value)) for value in across.ticks(6)})
    plot.axes("epoch", "loss", x_ticks=ticks)
    for name, style in (("fitted", "line default"), ("held_out", "line tuned")):
        plot.line(zip(losses["epoch"], losses[name], strict=True), style)
    plot.dots([(chosen["epoch"], chosen["held_out"])])
    return Figure(plot.drawn(caption, "pane"), caption)


def _reliability_figure(frames: FitFrames) -> Figure:
    rows = frames.reliability
    misses = (rows["result"] - rows["expected"]).abs().groupby(rows["weights"]).mean()
    caption = (
        "Results of positions held out, by tenths of what is expected of them: off by "
        f"{misses['before']:.3f} in the mean before the fit, {misses['after']:.3f} after."
    )
    plot = reliability_plot(FIT_PANE)
    for weights, style in (("before", "line default"), ("after", "line tuned")):
        own = rows[rows["weights"] == weights]
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
    plot = Plot(FIT_PANE, across, _upwards([loss for _, loss in points]))
    ticks = [float(openings) for openings, _ in points]
    plot.axes("openings fitted", "loss held out", x_text="{:,.0f}".format, x_ticks=ticks)
    plot.line(points, "line tuned")
    plot.dots(points)
    return Figure(plot.drawn(caption, "pane"), caption)


def _upwards(losses: Sequence[float]) -> AxisScale:
    """The scale of losses, which need not show 0."""
    reach = around(losses, 0, 1, least=0.001, zero=False)
    return FIT_PANE.upwards(reach.low, reach.high)


MOST_NAMED = 10
LEAST_SEEN = 100  # Positions of which a weight is hardly known if it is seen in fewer
STILL_FALLING = 0.1  # The share of all saving, by the last doubling, from which more help


def _fit_warnings(fit: Fit) -> list[str]:
    result, stopped = fit.result, fit.stopped
    warnings = [f"{fit.config.name} stopped by itself. {stopped}"] if stopped else []
    if result and result.is_changed and result.gain_low <= 0:
        warnings.append(
            f"The fit may be of chance alone: it {saving_told(result)}, {_doubt_on(result, fit)}."
        )
    return warnings


def _doubt_on(result: FoundWeights, fit: Fit) -> str:
    if isinf(result.gain_reach):
        return "and too few openings tell no interval. Take games on more openings"
    or_fewer = ", or fit fewer weights" if fit.config.space.axes else ""
    return f"and its interval is not above 0. Make more games{or_fewer}"


def _fit_notes(fit: Fit) -> Iterator[str]:
    if not (result := fit.result):
        if not fit.is_over:
            yield f"The fit is not over: it goes on when `{COMMAND}` is given its file again."
    else:
        yield from proof_notes(fit.matches)
        if result.is_scale_guessed:
            yield (
                "With the default weights, positions of higher value do not have better results: "
                "beside weights that are not fitted, the size of the fitted ones is a guess."
            )
        yield from weight_notes(result)
        yield from edge_texts(fit.matches)
        if result.fixed:
            fixed = ", ".join(result.fixed)
            why = "they are choices or have one value, or the engine's value is not linear in them"
            yield f"Left as they are, since {why}: {fixed}."
    yield from fit.config.openings.notes()


def weight_notes(result: FoundWeights) -> Iterator[str]:
    if result.gain_low > 0:
        yield from _curve_texts(result)
    if len(result.weights) > MOST_ROWS:
        yield (
            f"The {MOST_ROWS} weights that changed most are shown, of {len(result.weights):,}; all "
            "are in the frame `weights`."
        )
    yield from _rare_texts(result)


def _curve_texts(result: FoundWeights) -> Iterator[str]:
    if len(result.curve) < 2:
        return
    (_, before), (openings, after) = result.curve[-2:]
    share = (before - after) / max(result.losses[0][1] - after, 1e-12)
    if before > after and share > STILL_FALLING:
        yield (
            f"The loss held out still falls with more games: the last half of the {openings:,} "
            f"openings fitted saved {before - after:.4f} nats. More games are likely to help."
        )


def _rare_texts(result: FoundWeights) -> Iterator[str]:
    rare = [f"{each.name} ({each.seen})" for each in result.weights if each.seen < LEAST_SEEN]
    if len(rare) > MOST_NAMED:
        rare = [*rare[:MOST_NAMED], f"and {len(rare) - MOST_NAMED:,} others"]
    if rare:
        yield (
            f"Hardly known, since fewer than {LEAST_SEEN} of the "
            f"{result.positions - result.held_out:,} positions fitted depend on them: "
            f"{', '.join(rare)}."
        )


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


def _fit_sections(
    matches: ProofMatches, frames: FitFrames, result: FitResult | None, verdict: Conclusion
) -> Iterator[Section]:
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
        charts = _losses_figure, _reliability_figure, _curve_figure
        parts: list[AnyPart] = [losses, lambda: FigureGrid([draw(frames) for draw in charts])]
        yield Section("loss", "Loss", parts, LOSS_TEXT, "folded")
