"""Tests of two hypotheses by the thousand: the LLR of `stats/sprt` for many counts at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from arena.stats.davidson import Floats
from arena.stats.elo import EMPTY_COUNT, NORMALIZED_UNIT, expected_score
from arena.stats.forecast import Design, at_elo
from arena.stats.sprt import Model, bounds

SCORES = np.arange(5)[:, None] / 4
CLOSE = 1e-4
"""Relative: an LLR is at its maximum in these, so that its own error is far smaller."""


class Simulated(NamedTuple):
    """The mean number of pairs, its standard error, and the share of tests that accepted H1."""

    mean: float
    error: float
    h1: float


def simulated(design: Design, shares: Sequence[float], elo: float, tests: int) -> Simulated:
    """The outcome of tests that look at their LLR after each pair."""
    source = np.random.default_rng(tests)
    true = np.array(at_elo(shares, elo, design.model))
    lower, upper = bounds(design.alpha, design.beta)
    counts, pairs, accepted = np.zeros((5, tests)), np.zeros(tests), np.zeros(tests)
    live = np.arange(tests)
    for number in range(1, design.pairs + 1):
        counts[source.choice(5, len(live), p=true / true.sum()), live] += 1
        found = llrs(counts[:, live], design.elo0, design.elo1, design.model)
        pairs[live], accepted[live] = number, found >= upper
        live = live[(found > lower) & (found < upper)]
        if not len(live):
            break
    return Simulated(pairs.mean(), pairs.std() / sqrt(tests), accepted.mean())


def llrs(counts: Floats, elo0: float, elo1: float, model: Model) -> Floats:
    """The LLR of each column of pentanomial counts."""
    filled = np.where(counts > 0, counts, EMPTY_COUNT)
    shares = filled / filled.sum(axis=0)
    if model == "logistic":
        one, two = (tilts(shares, SCORES - expected_score(elo)) for elo in (elo0, elo1))
    else:
        one, two = (with_t_values(shares, elo / NORMALIZED_UNIT * sqrt(2)) for elo in (elo0, elo1))
    found: Floats = (filled * np.log(two / one)).sum(axis=0)
    return found


def with_t_values(shares: Floats, t: float) -> Floats:
    """Each column's likeliest shares with this t-value, by `stats.sprt.with_t_value`'s steps."""
    found = np.full(shares.shape, 0.2)
    for _ in range(20):
        mean = (found * SCORES).sum(axis=0)
        deviation = np.sqrt((found * (SCORES - mean) ** 2).sum(axis=0))
        slopes = SCORES - 0.5 - t * deviation * (1 + ((SCORES - mean) / deviation) ** 2) / 2
        before, found = found, tilts(shares, slopes)
        if np.abs(found - before).max() < CLOSE:
            break
    return found


def tilts(shares: Floats, values: Floats) -> Floats:
    """Each column's likeliest shares in which the values have mean zero: `stats.sprt._tilted`."""
    values = np.broadcast_to(values, shares.shape)
    is_above = (shares * values).sum(axis=0) > 0
    ratios = values / np.where(is_above, values.min(axis=0), values.max(axis=0))
    near, far, y = np.zeros(shares.shape[1]), np.ones(shares.shape[1]), np.ones(shares.shape[1])
    for _ in range(100):
        terms = ratios / (1 - ratios + y * ratios)
        total = (shares * terms).sum(axis=0)
        near, far = np.where(total > 0, y, near), np.where(total > 0, far, y)
        step = y - y * total / (total - y * (shares * terms**2).sum(axis=0))
        is_close = np.abs(step - y) <= CLOSE * y
        y = np.where(is_close | (near < step) & (step < far), step, (near + far) / 2)
        if is_close.all():
            break
    found: Floats = shares / (1 - ratios + y * ratios)
    return found
