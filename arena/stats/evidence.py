"""Evidence in a pair: by how much two players differ, measured in the noise of a single pair.

The evidence of n pairs for the better of two players grows with n times the square of their lead in
standard deviations, which is normalized Elo. So openings on which that square is twice as large
need half the pairs. Of many meetings, mean squared leads are divided by mean variances.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arena.stats.davidson import Floats
from arena.stats.elo import NORMALIZED_UNIT

DRAWS_OF_OPENINGS = 4000
"""Samples of the bootstrap."""
BOUNDS_OF_SAMPLES = 0.025, 0.975


class PairEvidence(NamedTuple):
    """Normalized Elo, squared, and the ends of its 95 % interval; infinite without any noise."""

    value: float
    low: float
    high: float


def pair_evidence(pairs: Floats, shares: Floats, squares: Floats, seed: int = 0) -> PairEvidence:
    """The evidence in a pair, from one row a meeting and one column an opening.

    `pairs` has their number, `shares` the sum of one player's shares of the points less one half,
    `squares` that of these squared. Leads look larger than they are by what chance adds; drawing
    openings anew shows by how much, which is taken off (bootstrap, of openings, because all
    meetings share them).
    """
    source = np.random.default_rng(seed)
    openings = pairs.shape[1]
    plain = float(ratio(pairs, shares, squares, np.ones((1, openings)))[0])
    if not np.isfinite(plain):
        return PairEvidence(plain, 0.0, plain)
    drawn = source.multinomial(openings, np.full(openings, 1 / openings), DRAWS_OF_OPENINGS)
    found = ratio(pairs, shares, squares, drawn.astype(float))
    found = found[np.isfinite(found)]
    low, high = np.quantile(found, BOUNDS_OF_SAMPLES)
    return PairEvidence(*(max(2 * plain - float(each), 0.0) for each in (found.mean(), high, low)))


def ratio(pairs: Floats, shares: Floats, squares: Floats, weights: Floats) -> Floats:
    """The mean squared lead in mean variances, as normalized Elo squared, for each row of weights.

    Meetings that weigh nothing are left out; NaN or infinite if there is no variance.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        counts = weights @ pairs.T
        leads = np.where(counts > 0, weights @ shares.T / counts, 0.0)
        variances = np.where(counts > 0, weights @ squares.T / counts - leads**2, 0.0)
        found: Floats = (leads**2).sum(axis=1) / variances.sum(axis=1)
    return found * NORMALIZED_UNIT**2 / 2
