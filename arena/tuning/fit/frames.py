"""A fit as pandas frames, and its verdict in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor, isfinite, isinf, nan
from pathlib import Path

import pandas as pd
from markupsafe import Markup

from arena.report.numbers import format_digits, format_number, format_range
from arena.report.page.charts import around, range_mark
from arena.report.table import Column, Row, Table
from arena.report.verdict import FAULTS_FIRST, Conclusion
from arena.stats.rounding import reported
from arena.tuning.fit.result_fit import FitResult, FoundWeights
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.report import ProofFrames, proof_frames, proof_verdict
from arena.tuning.proof.verification import NAME, Proof
from arena.tuning.space import Space

MOST_ROWS = 40  # Weights that tables for people have; of more, those that change most
NO_RANGE = nan, nan, False, ""


@dataclass(frozen=True, kw_only=True, repr=False)
class FitFrames(ProofFrames):
    """All frames of a fit, under one name in every format; before the fit without a row."""

    weights: pd.DataFrame
    """One row a fitted weight: `name`, its value `before` and `after` (as the engine can have it),
    `low` and `high`, the 95 % interval of the value that the games alone make likeliest, its
    standard `error`, `seen` (fitted positions that tell of it), its range (`range_low`,
    `range_high`, `log`), and `edge`, the end of it (low or high) that the value stands at."""
    losses: pd.DataFrame
    """One row a step of the fit: `epoch` (0: no change), the mean cross entropy in nats of the
    positions `fitted` and of those `held_out`, and whether its weights are `chosen`."""
    curve: pd.DataFrame
    """One row a share of the openings: `openings` fitted, and the loss `held_out` of what is found
    with them."""
    reliability: pd.DataFrame
    """One row for each tenth of the positions held out, by their expected results, with the weights
    before and after: `weights`, `decile` (from 1), mean `expected` and true `result`."""


def fit_frames(space: Space, result: FitResult | None, proof: Proof | None) -> FitFrames:
    return FitFrames(
        weights=weights_frame(space, result),
        losses=_losses_frame(result),
        curve=pd.DataFrame(result.curve if result else (), columns=["openings", "held_out"]),
        reliability=_reliability_frame(result),
        **proof_frames(proof),
    )


def _losses_frame(result: FoundWeights | None) -> pd.DataFrame:
    rows = []
    if result:
        rows = [(i, *losses, i == result.chosen) for i, losses in enumerate(result.losses)]
    return pd.DataFrame(rows, columns=["epoch", "fitted", "held_out", "chosen"])


def weights_frame(space: Space, result: FoundWeights | None) -> pd.DataFrame:
    axes = {axis.name: axis for axis in space.axes}
    columns = ["name", "before", "after", "error", "seen", "low", "high"]
    columns += ["range_low", "range_high", "log", "edge"]
    rows = []
    weights = result.weights if result else ()
    for each in weights:
        values = each.name, each.before, each.after, each.error, each.seen, each.low, each.high
        axis = axes.get(each.name)  # the weights of tables have no range
        reach = (axis.low, axis.high, axis.log, axis.edge(each.after)) if axis else NO_RANGE
        rows.append((*values, *reach))
    frame = pd.DataFrame(rows, columns=columns)
    return frame if rows else frame.astype({"before": float, "after": float})


def _reliability_frame(result: FitResult | None) -> pd.DataFrame:
    tenths = {"before": result.before, "after": result.after} if result else {}
    rows = [
        (weights, number, each.expected, each.result)
        for weights, deciles in tenths.items()
        for number, each in enumerate(deciles, start=1)
    ]
    return pd.DataFrame(rows, columns=["weights", "decile", "expected", "result"])


def weights_table(frames: FitFrames, title: str = "") -> Table:
    columns = [
        Column("name", "weight"),
        Column("within its range", draw=_range_mark),
        Column("before", "default", format_number),
        Column("after", frames.name_of_values, format_number),
        Column(
            "low",
            "games alone, 95 %",
            _format_interval,
            ("high", "before", "after"),
            is_number=False,
        ),
        Column("seen", "seen in", "{:,}"),
        Column("edge", "end of range", lambda edge: edge or "-"),
    ]
    weights = frames.weights
    if len(weights) > MOST_ROWS:
        changes = (weights["after"] - weights["before"]).abs().map(reported)
        weights = weights.loc[changes.nlargest(MOST_ROWS).index]
    # Weights of tables have no range, and share a scale.
    values = weights[["before", "after", "low", "high"]].astype(float).to_numpy().ravel()
    reach = around(values, 0, 1)
    low, high = weights["range_low"].fillna(reach.low), weights["range_high"].fillna(reach.high)
    return Table(title, weights.assign(range_low=low, range_high=high), columns)


def _format_interval(low: float, high: float, before: float, after: float) -> str:
    """A 95 % interval; `-` for what the games do not tell. Of a whole number, whole ends."""
    if not (isfinite(low) and isfinite(high)):
        return "-"
    if float(before).is_integer() and float(after).is_integer():
        return f"{floor(low):,} to {ceil(high):,}"
    return format_range(low, high)


def _range_mark(row: Row) -> Markup:
    before, low, after, high = (float(row[name]) for name in ("before", "low", "after", "high"))
    return range_mark(row, before, low, after, high, _format_interval(low, high, before, after))


def format_error(error: float) -> str:
    """A standard error; `-` for what no position tells."""
    return "-" if isinf(error) else format_digits(error, 2)


def loss_table(result: FoundWeights, more: Mapping[Column, float]) -> Table:
    is_known = isfinite(result.gain_reach)
    row = {
        "fitted": result.positions - result.held_out,
        "held_out": result.held_out,
        "before": result.losses[0][1],
        "gain": result.gain,
        "low": result.gain_low if is_known else nan,
        "high": result.gain_high,
        **{column.name: value for column, value in more.items()},
    }
    columns = [
        Column("fitted", "positions fitted", "{:,}"),
        Column("held_out", "held out", "{:,}"),
        Column("before", "loss before", "{:.4f}"),
        Column("gain", "saved", "{:+z.4f}"),
        Column("low", "95 %", "{:+z.4f} to {:+z.4f}", ("high",), is_number=False),
        *more,
    ]
    return Table("Loss", pd.DataFrame([row]), columns)


COMMAND = "arena fit"


def unfitted_verdict(made: tuple[int, int], stopped: str) -> Conclusion:
    """`made` are the games made so far, and all that are to be made."""
    if stopped:
        reason = "a player of the games only lost by its own faults"
        return Conclusion("Not fitted", reason, "doubtful", FAULTS_FIRST)
    played, total = made
    state = f"{played:,} of {total:,} games made" if played < total else "all games are there"
    return Conclusion("Not fitted yet", state, next_step=f"{COMMAND} goes on.")


def gone_verdict(matches: ProofMatches) -> Conclusion:
    """The verdict on a fit to moves, as an earlier version made them."""
    test = matches.folder / NAME
    text = "A fit to the moves that were played, which this version does not report"
    step = f"arena report {test} shows its test." if test.exists() else ""
    return Conclusion(text, next_step=step)


def fit_verdict(result: FoundWeights, proof: Proof | None, folder: Path) -> Conclusion:
    if not result.is_changed:
        reason = "no step of the fit saves loss on positions held out"
        return Conclusion("No gain found", reason, "bad", "Keep the default weights.")
    if proof is None:
        over = f"{COMMAND} plays the test that proves or refutes a gain."
        return Conclusion("Fitted, not tested yet", saving_told(result), next_step=over)
    return proof_verdict(proof, COMMAND, folder)


def saving_told(result: FoundWeights) -> str:
    bounds = f"{result.gain_low:+z.4f} to {result.gain_high:+z.4f}"
    if isinf(result.gain_reach):
        bounds = "-"
    return f"saves {result.gain:z.4f} ({bounds}) nats a position"
