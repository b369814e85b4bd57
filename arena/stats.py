"""What a match result means: score, Elo, its interval, and the likelihood of superiority.

`counts` are results from the worst to the best, equally spaced: losses, draws, wins of games
(trinomial), or pairs by their points 0, 1/2, 1, 3/2, 2 (pentanomial). Both games of a pair share an
opening, so their results depend on each other: only pairs give honest intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10, sqrt
from statistics import NormalDist
from typing import NamedTuple

NORMAL = NormalDist()
CONFIDENCE = 0.95
TAIL = (1 - CONFIDENCE) / 2
QUANTILE = NORMAL.inv_cdf(1 - TAIL)

SCORE_MARGIN = 1e-3
"""Scores are clamped this far from 0 and 1 (fishtest), so that Elo stays within +-1199.83."""

EMPTY_COUNT = 1e-3
"""What stands for a result that never came, where at least two others did (as fishtest does)."""


class Interval(NamedTuple):
    """The two ends of a confidence interval."""

    low: float
    high: float


def elo(score: float) -> float:
    """Logistic Elo difference of an expected score from 0 to 1, within +-1199.83."""
    clamped = min(max(score, SCORE_MARGIN), 1 - SCORE_MARGIN)
    return 0.0 - 400 * log10(1 / clamped - 1)


ELO_LIMIT = elo(1)


def score(counts: Sequence[float]) -> float:
    """The mean share of the points, from 0 to 1; one half for no results."""
    total = sum(counts)
    best = len(counts) - 1
    return sum(i * n for i, n in enumerate(counts)) / (best * total) if total else 0.5


def elo_difference(counts: Sequence[float]) -> float:
    """Logistic Elo of the score, empty counts regularised where results differ (fishtest).

    +-1199.83 for all wins or losses, 0 for no results.
    """
    return elo(score(counts if is_unanimous(counts) else regularised(counts)))


def elo_interval(counts: Sequence[float]) -> Interval:
    """A 95 % interval of Elo, within +-1199.83: the whole range for no results.

    Normal in the score where results differ (fastchess, fishtest). Where all are alike, their
    variance says nothing: see `unanimous_interval`.
    """
    if sum(counts) == 0:
        return Interval(-ELO_LIMIT, ELO_LIMIT)
    if is_unanimous(counts):
        return Interval(*map(elo, unanimous_interval(counts)))
    return Interval(*map(elo, normal_interval(regularised(counts))))


def los(counts: Sequence[float]) -> float:
    """Likelihood of superiority: the probability that the expected score is above one half.

    Normal in the score (fishtest); one half for no results. Where n results are all alike and above
    one half, 1 - 2 ** -(n + 1): the posterior of a coin that only ever showed heads.
    """
    if is_unanimous(counts):
        lead = score(counts) - 0.5
        doubt = 0.5 ** (sum(counts) + 1)
        return 0.5 if lead == 0 else 1 - doubt if lead > 0 else doubt
    counts = regularised(counts)
    return NORMAL.cdf((score(counts) - 0.5) / standard_error(counts))


def normal_interval(counts: Sequence[float]) -> Interval:
    """The score's 95 % interval by its standard error; not clamped."""
    centre, spread = score(counts), QUANTILE * standard_error(counts)
    return Interval(centre - spread, centre + spread)


def unanimous_interval(counts: Sequence[float]) -> Interval:
    """The score's 95 % interval where n results are all alike.

    The chance of another result is at most 1 - 0.025 ** (1 / n) (Clopper and Pearson, 1934); the
    ends are what the score would be if all of these others were losses, or wins.
    """
    other = 1 - TAIL ** (1 / sum(counts))
    low = (1 - other) * score(counts)
    return Interval(low, low + other)


def is_unanimous(counts: Sequence[float]) -> bool:
    """Whether at most one kind of result came."""
    return sum(n > 0 for n in counts) <= 1


def regularised(counts: Sequence[float]) -> list[float]:
    """The counts with a thousandth in place of zero (fishtest)."""
    return [n or EMPTY_COUNT for n in counts]


def standard_error(counts: Sequence[float]) -> float:
    """Of the score: the root of the variance of one result (divided by n) over n."""
    total, centre, best = sum(counts), score(counts), len(counts) - 1
    variance = sum(n * (i / best - centre) ** 2 for i, n in enumerate(counts)) / total
    return sqrt(variance / total)
