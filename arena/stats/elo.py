"""Numbers of a match: score, Elo of two kinds, intervals, LOS and ratios.

`counts` are results from the worst to the best, equally spaced: losses, draws, wins of games
(trinomial), or pairs by their points 0, 1/2, 1, 3/2, 2 (pentanomial). Both games of a pair share an
opening, so their results depend on each other: only pairs give honest intervals.

Elo and LOS are fishtest's to the last digit, with any counts, and so are intervals where results
differ. Where all are alike their variance says nothing, and fishtest's interval is next to
none (+-1.4 Elo for 25 split pairs); here it is everything. All these take pairs as independent of
each other; `clustered` has the intervals of pairs that share openings.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, fsum, inf, log, log10, sqrt
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
TAIL = (1 - CONFIDENCE) / 2
QUANTILE = NormalDist().inv_cdf(1 - TAIL)

SCORE_MARGIN = 1e-3
"""The least distance of a score from 0 and 1 (fishtest): Elo stays within +-1199.83."""

EMPTY_COUNT = 1e-3
"""The count of a result that never came (fishtest), so that no variance is zero."""

NORMALIZED_UNIT = 800 / log(10)
"""Normalized Elo of a score that is one standard deviation of a game above one half."""


class Interval(NamedTuple):
    """The two ends of a confidence interval."""

    low: float
    high: float


def half_width(error: float, observations: int) -> float:
    """Half the 95 % interval of a number with this standard error, by Student's t.

    Infinite for one observation, which tells nothing of the error.
    """
    # Most of a second to import all of scipy's distributions; this one function is quick.
    from scipy.special import stdtrit

    return float(stdtrit(observations - 1, 1 - TAIL)) * error if observations > 1 else inf


def elo(score: float) -> float:
    """Logistic Elo difference of an expected score from 0 to 1, within +-1199.83."""
    clamped = min(max(score, SCORE_MARGIN), 1 - SCORE_MARGIN)
    return 0.0 - 400 * log10(1 / clamped - 1)


ELO_LIMIT = elo(1)


def bounded(elo: float) -> float:
    """An Elo of a model, or a difference of two, within the bounds of all that are reported."""
    return min(max(elo, -ELO_LIMIT), ELO_LIMIT)


def expected_score(elo: float) -> float:
    """The expected score at a logistic Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def score(counts: Sequence[float]) -> float:
    """The mean share of the points, from 0 to 1; one half for no results."""
    total, best = sum(counts), len(counts) - 1
    # From the middle, so that results that balance are one half to the last digit.
    lead = fsum((i - best / 2) * n for i, n in enumerate(counts))
    return 0.5 + lead / (best * total) if total else 0.5


def elo_difference(counts: Sequence[float]) -> float:
    """Logistic Elo of the score (fishtest), within +-1199.83; 0 for no results.

    Empty counts weigh a thousandth, so that one pair won is +1040, and three are the limit.
    """
    return elo(score(regularised(counts)))


def elo_interval(counts: Sequence[float]) -> Interval:
    """A 95 % interval of Elo, within +-1199.83: the whole range for no results.

    Normal in the score (fishtest); the whole range also where all results are alike.
    """
    if _is_unanimous(counts):
        return Interval(-ELO_LIMIT, ELO_LIMIT)
    return Interval(*map(elo, _normal_interval(regularised(counts))))


def normalized_elo(counts: Sequence[float]) -> float:
    """The score's lead over one half in standard deviations of a game, as Elo (fastchess).

    The variance of a game is that of a pair's share of points, doubled. Empty counts weigh a
    thousandth; 0 for no results, some thousands for all wins.
    """
    filled = regularised(counts)
    return _normalized(score(filled), filled)


def normalized_interval(counts: Sequence[float]) -> Interval:
    """A 95 % interval of normalized Elo: normal in the score (fastchess).

    All numbers where results are all alike, or none.
    """
    if _is_unanimous(counts):
        return Interval(-inf, inf)
    filled = regularised(counts)
    return Interval(*(_normalized(end, filled) for end in _normal_interval(filled)))


def los(counts: Sequence[float]) -> float:
    """Likelihood of superiority: the probability that the expected score is above one half.

    Normal in the score, empty counts weighing a thousandth (fishtest): one half for no results.
    Results that are all alike leave it nearly no doubt (one pair won: 1 - 10 ** -30), however few
    they are.
    """
    filled = regularised(counts)
    return erfc((0.5 - score(filled)) / standard_error(filled) / sqrt(2)) / 2


def draw_ratio(counts: Sequence[float]) -> float:
    """The share of results in the middle: of drawn games, or of pairs of one point each
    (fastchess); 0 for no results."""
    return counts[len(counts) // 2] / (sum(counts) or 1)


def win_ratio(counts: Sequence[float]) -> float:
    """Results above one half for each one below: of pairs, fastchess's `PairsRatio`.

    Of all games as the first player saw them, it is what the first move is worth. None of either
    counts as a thousandth, so that no results give 1, and all wins a thousand times their number.
    """
    middle = len(counts) // 2
    return (sum(counts[middle + 1 :]) or EMPTY_COUNT) / (sum(counts[:middle]) or EMPTY_COUNT)


def _normalized(score: float, counts: Sequence[float]) -> float:
    """A score as normalized Elo, with the variance of these counts."""
    games = (len(counts) - 1) / 2
    return NORMALIZED_UNIT * (score - 0.5) / sqrt(games * variance(counts))


def _normal_interval(counts: Sequence[float]) -> Interval:
    """The score's 95 % interval by its standard error; not clamped."""
    centre, spread = score(counts), QUANTILE * standard_error(counts)
    return Interval(centre - spread, centre + spread)


def _is_unanimous(counts: Sequence[float]) -> bool:
    """True if at most one kind of result came."""
    return sum(n > 0 for n in counts) <= 1


def regularised(counts: Sequence[float]) -> list[float]:
    """The counts with a thousandth in place of zero (fishtest)."""
    return [n or EMPTY_COUNT for n in counts]


def variance(counts: Sequence[float]) -> float:
    """The variance of one result's share of its points (divided by n)."""
    centre, best = score(counts), len(counts) - 1
    return sum(n * (i / best - centre) ** 2 for i, n in enumerate(counts)) / sum(counts)


def standard_error(counts: Sequence[float]) -> float:
    """The standard error of the score."""
    return sqrt(variance(counts) / sum(counts))
