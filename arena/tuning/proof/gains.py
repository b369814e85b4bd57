"""The gains that a proof is made of: under each condition, and against each opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from arena.report.numbers import format_elo, format_interval, format_share, marked
from arena.stats.elo import ELO_LIMIT, QUANTILE, elo
from arena.stats.leads import Estimate, FaultViews, as_marked


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of the tuned weights against one opponent."""

    opponent: str
    pairs: int  # Pairs of the tuned weights; the default ones played as many, on equal openings
    tuned_score: float
    default_score: float
    elo: float  # Elo of the tuned weights against this opponent, less that of the default ones
    elo_low: float  # A 95 % interval: openings that are easy are so for both, which narrows it
    elo_high: float
    doubtful: bool = False  # True if faults carry the gain: see `arena.stats.leads`
    has_hidden_loss: bool = False
    """True if it is a loss in one of the views without the help of faults."""

    @property
    def is_loss(self) -> bool:
        """True for a significant loss, as played or without the help of faults."""
        return self.elo_high < 0 or self.has_hidden_loss


@dataclass(frozen=True, slots=True)
class ConditionGain:
    """The gain of the tuned weights over the default ones under one condition."""

    condition: str
    pairs: int  # Distinct pairs
    score: float
    elo: float
    elo_low: float  # A 95 % interval
    elo_high: float
    doubtful: bool = False  # True if faults carry the gain: see `arena.stats.leads`
    has_hidden_loss: bool = False
    """True if it is a loss in one of the views without the help of faults."""

    @property
    def is_loss(self) -> bool:
        """True for a clear loss, as played or without the help of faults."""
        return self.elo_high < 0 or self.has_hidden_loss


def gain(opponent: str, scores: FaultViews[list[Sequence[float]]]) -> Gain:
    """The gain by both scores (tuned, default) on each opening, 0 to 1."""
    tuned, default = np.mean(scores.played, axis=0).tolist()
    views = scores.map(_difference)
    pairs = len(scores.played)
    is_loss = any(view.high < 0 for view in views)
    return Gain(opponent, pairs, tuned, default, *as_marked(views), is_loss)


def _difference(scores: Sequence[Sequence[float]]) -> Estimate:
    """The Elo of the first scores less that of the second ones.

    Elo is smoothed by half a pair that is split, and its variance is that of the difference of both
    on an opening, to first order in the scores.
    """
    if not scores:
        return Estimate(0.0, -2 * ELO_LIMIT, 2 * ELO_LIMIT)
    found, n = np.asarray(scores, dtype=float), len(scores)
    mean = (found.sum(0) + 0.25) / (n + 0.5)
    slope = 400 / np.log(10) / (mean * (1 - mean))
    # Half a pair that is split keeps some variance where all scores are alike.
    apart = (np.vstack([found, [[0.5, 0.5]]]) - mean) @ (slope * [1, -1])
    variance = float(apart**2 @ [*[1.0] * n, 0.5]) / (n + 0.5)
    difference = elo(float(mean[0])) - elo(float(mean[1]))
    reach = QUANTILE * sqrt(variance / n)
    low, high = max(difference - reach, -2 * ELO_LIMIT), min(difference + reach, 2 * ELO_LIMIT)
    return Estimate(difference, low, high)


def condition_text(gain: ConditionGain) -> str:
    """The gain under one condition."""
    bounds = gain.elo_low, gain.elo_high
    shown = format_elo(gain.elo, *bounds, gain.doubtful)
    found = f"{shown} Elo ({format_interval(*bounds)})"
    return f"At {gain.condition}: {found}, {gain.pairs} pairs{', a loss' * gain.is_loss}"


def gain_text(gain: Gain) -> str:
    """The change by tuning against one opponent."""
    return (
        f"Against {gain.opponent}: {marked(f'{gain.elo:+z.0f}', gain.doubtful)} Elo "
        f"({format_interval(gain.elo_low, gain.elo_high, gain.elo)}), "
        f"{format_share(gain.default_score)} before, {format_share(gain.tuned_score)} now, "
        f"{gain.pairs} pairs each"
    )
