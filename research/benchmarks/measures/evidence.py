"""The evidence in a pair: how often its interval, and two of the bootstrap, hold the truth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from arena.bench import Measurement
from arena.stats.elo import NORMALIZED_UNIT
from opening_evidence import PairSums, pair_evidence, ratio, whole

Floats = NDArray[np.float64]

SHARES = np.array([0, 0.25, 0.5, 0.75, 1]) - 0.5
"""One player's share of the points of a pair less one half."""
MEETINGS = {
    "four equal": 4 * [[0.2, 0.05, 0.5, 0.05, 0.2]],
    "two near, two far": [
        [0.2, 0.05, 0.45, 0.08, 0.22],
        [0.15, 0.05, 0.5, 0.08, 0.22],
        [0.08, 0.03, 0.3, 0.09, 0.5],
        [0.1, 0.03, 0.3, 0.07, 0.5],
    ],
}
"""The chances of each share, of each meeting, on an opening that is not split by itself."""
OPENINGS = 40, 115, 300, 1000
SPLIT = 1.0, 2.0
"""Parameters of the beta distribution of an opening's chance to be split by itself."""
SIMULATIONS = 400
RESAMPLES = 999


def rows(repeat: int) -> Iterator[Measurement]:
    """Draw the openings again and again, `repeat` hundred times at least."""
    simulations = max(SIMULATIONS, 100 * repeat)
    for name, chances in MEETINGS.items():
        truth = true_evidence(np.array(chances))
        for openings in OPENINGS:
            source = np.random.default_rng(openings)
            found = [intervals(drawn(chances, openings, source)) for _ in range(simulations)]
            lows, highs = np.moveaxis(np.array(found), 2, 0)
            covered = ((lows <= truth) & (truth <= highs)).mean(axis=0)
            width = np.median(highs - lows, axis=0)
            names = "jackknife", "percentile", "basic"
            yield {
                "meetings": name,
                "openings": openings,
                "truth": truth,
                **{each: float(value) for each, value in zip(names, covered, strict=True)},
                **{f"{each}_width": float(v) for each, v in zip(names, width, strict=True)},
            }


def true_evidence(chances: Floats) -> float:
    """The evidence in a pair of infinitely many openings."""
    told = 1 - SPLIT[0] / sum(SPLIT)
    leads, squares = told * chances @ SHARES, told * chances @ SHARES**2
    return float((leads**2).sum() / (squares - leads**2).sum() * NORMALIZED_UNIT**2 / 2)


def drawn(chances: list[list[float]], openings: int, source: np.random.Generator) -> Floats:
    """A pair of each meeting (row) on each opening: the share less one half."""
    split = source.beta(*SPLIT, openings)
    leads = np.array([source.choice(SHARES, openings, p=row) for row in chances])
    return np.where(source.random(leads.shape) < split, 0.0, leads)


def intervals(leads: Floats) -> list[tuple[float, float]]:
    """The jackknife's interval, the bootstrap's by percentiles, and its basic one."""
    sums = PairSums(np.ones_like(leads), leads, leads**2)
    told = pair_evidence(sums)
    low, high = np.quantile(resampled(leads), [0.025, 0.975])
    plain = float(ratio(whole(sums))[0])
    return [(told.low, told.high), (low, high), (max(2 * plain - high, 0.0), 2 * plain - low)]


def resampled(leads: Floats) -> Floats:
    """The evidence of openings that were drawn from these with repetition, all meetings at once."""
    openings = leads.shape[1]
    source = np.random.default_rng(0)
    times = source.multinomial(openings, np.full(openings, 1 / openings), RESAMPLES)
    return ratio(PairSums(times.sum(1, keepdims=True) * np.ones(len(leads)),
                          times @ leads.T, times @ (leads**2).T))  # fmt: skip
