"""Evidence in a pair: by how much two players differ, measured in the noise of a single pair.

The evidence of n pairs for the better of two players grows with n times the square of their lead in
standard deviations, which is normalized Elo. So openings on which that square is twice as large
need half the pairs. Of many meetings, mean squared leads are divided by mean variances.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arena.stats.davidson import Floats
from arena.stats.elo import NORMALIZED_UNIT, QUANTILE, half_width
from arena.stats.sprt import bounds


class PairSums(NamedTuple):
    """Sums over the pairs of each meeting (row) on each opening (column)."""

    pairs: Floats
    """Their number."""
    shares: Floats
    """One player's shares of the points less one half."""
    squares: Floats
    """These squared."""


class PairEvidence(NamedTuple):
    """Normalized Elo, squared, and the ends of its 95 % interval; infinite without any noise."""

    value: float
    low: float
    high: float


def pair_evidence(sums: PairSums) -> PairEvidence:
    """The evidence in a pair.

    Leads look larger than they are by what chance adds; leaving out each opening in turn shows by
    how much, which is taken off (jackknife: Efron, 1982). All meetings share the openings, so these
    are what is left out. The interval is the wider one of two at each end: of the square, and of
    normalized Elo, which is squared then.
    """
    plain = float(ratio(whole(sums))[0])
    if not np.isfinite(plain):
        return PairEvidence(plain, 0.0, plain)
    without = ratio(without_each(sums))
    if not np.isfinite(without).all():
        return PairEvidence(plain, 0.0, np.inf)
    value = max(jackknifed(plain, without), 0.0)
    reach, reach_of_root = reach_of(without), reach_of(np.sqrt(without))
    low = min(value - reach, max(np.sqrt(value) - reach_of_root, 0.0) ** 2)
    high = max(value + reach, (np.sqrt(value) + reach_of_root) ** 2)
    return PairEvidence(value, max(float(low), 0.0), float(high))


def evidence_gain(new: PairSums, old: PairSums) -> PairEvidence:
    """The evidence in a pair of some openings, in units of that of others, with its 95 % interval.

    Both have the columns of all openings; one that is left out has no pairs. Logarithms of the
    ratio are jackknifed, as `pair_evidence` does it. Up to infinity where either has no noise.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        plain = np.log(ratio(whole(new)) / ratio(whole(old)))
        without = np.log(ratio(without_each(new)) / ratio(without_each(old)))
    if not np.isfinite([*plain, *without]).all():
        return PairEvidence(float(np.exp(plain[0])), 0.0, np.inf)
    value, reach = jackknifed(float(plain[0]), without), reach_of(without)
    return PairEvidence(*map(float, np.exp([value, value - reach, value + reach])))


def jackknifed(plain: float, without: Floats) -> float:
    """A number less its bias, from its values without each opening in turn."""
    return len(without) * plain - (len(without) - 1) * float(without.mean())


def share_intervals(points: Floats, games: Floats) -> tuple[Floats, Floats]:
    """The ends of 95 % intervals of shares of points (Wilson, 1927): 0 to 1 for no games."""
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(games > 0, points / games, 0.5)
    spread = QUANTILE**2 / np.maximum(games, 1e-12)
    centre = (shares + spread / 2) / (1 + spread)
    reach = np.sqrt(shares * (1 - shares) * spread + spread**2 / 4) / (1 + spread)
    return centre - reach, centre + reach


def sprt_games(evidence: float) -> float:
    """The expected games of an SPRT of no lead against the lead that there is, with 5 % errors.

    By Wald's formula (1945) some 640 000 / nElo ** 2. Infinite without evidence.
    """
    lower, upper = bounds(0.05, 0.05)
    steps = 0.95 * upper + 0.05 * lower
    return 2 * steps * NORMALIZED_UNIT**2 / evidence if evidence > 0 else np.inf


def reach_of(without: Floats) -> float:
    """Half the 95 % interval of a number, from its values without each opening in turn."""
    openings = len(without)
    error = (openings - 1) / np.sqrt(openings) * without.std(ddof=1)
    return half_width(float(error), openings)


def whole(sums: PairSums) -> PairSums:
    """The sums over all openings: one row, and a column for each meeting."""
    return PairSums(*(each.sum(axis=1)[None] for each in sums))


def without_each(sums: PairSums) -> PairSums:
    """The sums without each opening in turn: a row for each, and a column for each meeting."""
    return PairSums(*(each.sum(axis=1) - each.T for each in sums))


def ratio(sums: PairSums) -> Floats:
    """The mean squared lead in mean variances, as normalized Elo squared, for each row.

    Columns are meetings; those without pairs are left out. NaN or infinite if there is no variance.
    """
    pairs, shares, squares = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        leads = np.where(pairs > 0, shares / pairs, 0.0)
        variances = np.where(pairs > 0, squares / pairs - leads**2, 0.0)
        found: Floats = (leads**2).sum(axis=1) / variances.sum(axis=1)
    return found * NORMALIZED_UNIT**2 / 2
