"""A fit as pandas frames: its weights, its losses, and the proof of its gain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isinf, nan
from typing import Any

import pandas as pd

from arena.report.numbers import digits_text, number_text
from arena.tuning.fit.fitting import FitResult
from arena.tuning.proof.attempts import Attempt
from arena.tuning.proof.report.proof_frames import ProofFrames, proof_frames
from arena.tuning.proof.verification import Proof
from arena.tuning.space import Space

MOST_ROWS = 40
"""Weights that tables for people have; of more, those that change most."""
NO_RANGE = nan, nan, False, ""
LOSS_TITLE = "Loss of positions held out"


@dataclass(frozen=True, kw_only=True)
class FitFrames(ProofFrames):
    """All frames of a fit, under one name in every format; before the fit without a row."""

    weights: pd.DataFrame
    """One row a fitted weight: `name`, its value `before` and `after` (as the engine can have it),
    the standard `error` of the fitted number, `seen` (fitted positions whose value depends on it),
    its range (`range_low`, `range_high`, `log`), and `edge`, the end of it (low or high) that the
    value stands at."""
    losses: pd.DataFrame
    """One row a step of the fit: `epoch` (0: no change), the mean cross entropy in nats of the
    positions `fitted` and of those `held_out`, and whether its weights are `chosen`."""
    reliability: pd.DataFrame
    """One row for each tenth of the positions held out, by their expected results, with the weights
    before and after: `weights`, `decile` (from 1), mean `expected` and true `result`."""
    curve: pd.DataFrame
    """One row a share of the openings: `openings` fitted, and the loss `held_out` of what is found
    with them."""


def fit_frames(
    space: Space, result: FitResult | None, proof: Proof | None, attempts: Sequence[Attempt]
) -> FitFrames:
    """The frames of a fit and its proof, as far as there are any."""
    losses = result.losses if result else ()
    return FitFrames(
        weights=weights_frame(space, result),
        losses=pd.DataFrame(
            [(i, *each, i == result.chosen) for i, each in enumerate(losses) if result],
            columns=["epoch", "fitted", "held_out", "chosen"],
        ),
        reliability=pd.DataFrame(
            reliability_rows(result) if result else (),
            columns=["weights", "decile", "expected", "result"],
        ),
        curve=pd.DataFrame(result.curve if result else (), columns=["openings", "held_out"]),
        **proof_frames(proof, attempts),
    )


def weights_frame(space: Space, result: FitResult | None) -> pd.DataFrame:
    """One row a fitted weight, in the order of the config."""
    axes = {axis.name: axis for axis in space.axes}
    columns = ["name", "before", "after", "error", "seen", "range_low", "range_high", "log", "edge"]
    rows = []
    for each in result.weights if result else ():
        known = each.name, each.before, each.after, each.error, each.seen
        axis = axes.get(each.name)  # the weights of tables have no range
        reach = (axis.low, axis.high, axis.log, axis.edge(each.after)) if axis else NO_RANGE
        rows.append((*known, *reach))
    return pd.DataFrame(rows, columns=columns)


def reliability_rows(result: FitResult) -> Iterator[tuple[Any, ...]]:
    """Each tenth with the weights before, then with those after."""
    for weights, deciles in (("before", result.before), ("after", result.after)):
        for number, each in enumerate(deciles, start=1):
            yield weights, number, each.expected, each.result


def weights_table(frames: FitFrames) -> pd.DataFrame:
    """The fitted weights as people read them; of many, those that change most."""
    weights = shown_weights(frames)
    return pd.DataFrame(
        {
            "weight": weights["name"],
            "default": weights["before"].map(number_text),
            frames.name_of_values: weights["after"].map(number_text),
            "standard error": weights["error"].map(error_text),
            "seen in": weights["seen"].map("{:,}".format),
            "end of range": weights["edge"].map(lambda edge: edge or "-"),
        }
    )


def error_text(error: float) -> str:
    """A standard error as people read it; `-` for what no position tells."""
    return "-" if isinf(error) else digits_text(error, 2)


def loss_table(result: FitResult) -> pd.DataFrame:
    """The loss held out before and after, and the scale: one row."""
    before = result.losses[0][1]
    return pd.DataFrame(
        [
            {
                "positions fitted": f"{result.positions - result.held_out:,}",
                "held out": f"{result.held_out:,}",
                "loss before": f"{before:.4f}",
                "after": f"{before - result.gain:.4f}",
                "saved": f"{result.gain:+z.4f}",
                "95 %": f"{result.gain_low:+z.4f} to {result.gain_high:+z.4f}",
                "K": digits_text(result.scale, 4),
                "standard error of K": error_text(result.scale_error),
            }
        ]
    )


def shown_weights(frames: FitFrames) -> pd.DataFrame:
    """The rows of the weights that people are shown."""
    weights = frames.weights
    if len(weights) <= MOST_ROWS:
        return weights
    changes = (weights["after"] - weights["before"]).abs()
    return weights.loc[changes.nlargest(MOST_ROWS).index]
