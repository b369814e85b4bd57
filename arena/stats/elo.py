"""Numbers of a match: score, Elo of two kinds, LOS; intervals with openings as observations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import erfc, fsum, inf, log, log10, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.stats.davidson import Booleans, Floats

CONFIDENCE = 0.95
TAIL = (1 - CONFIDENCE) / 2
QUANTILE = NormalDist().inv_cdf(1 - TAIL)

SCORE_MARGIN = 1e-3
"""The least distance of a score from 0 and 1 (fishtest): Elo stays within +-1199.83."""

EMPTY_COUNT = 1e-3  # The count of a result that never came (fishtest), so that no variance is zero

NORMALIZED_UNIT = 800 / log(10)
"""Normalized Elo of a score that is one standard deviation of a game above one half."""


class Interval(NamedTuple):
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
    # "0.0 -" in place of a minus sign, which would give a score of one half the Elo -0.0.
    return 0.0 - 400 * log10(1 / clamped - 1)


ELO_LIMIT = elo(1)


def bounded(elo: float) -> float:
    """An Elo of a model, or a difference of two, within the bounds of all that are reported."""
    return min(max(elo, -ELO_LIMIT), ELO_LIMIT)


def expected_score(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def score(counts: Sequence[float]) -> float:
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
    return erfc((0.5 - score(filled)) / _standard_error(filled) / sqrt(2)) / 2


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
    games = (len(counts) - 1) / 2
    return NORMALIZED_UNIT * (score - 0.5) / sqrt(games * _variance(counts))


def _normal_interval(counts: Sequence[float]) -> Interval:
    centre, spread = score(counts), QUANTILE * _standard_error(counts)
    return Interval(centre - spread, centre + spread)


def _is_unanimous(counts: Sequence[float]) -> bool:
    return sum(n > 0 for n in counts) <= 1


def regularised(counts: Sequence[float]) -> list[float]:
    """The counts with a thousandth in place of zero (fishtest)."""
    return [n or EMPTY_COUNT for n in counts]


def _variance(counts: Sequence[float]) -> float:
    """The variance of one result's share of its points (divided by n)."""
    centre, best = score(counts), len(counts) - 1
    return sum(n * (i / best - centre) ** 2 for i, n in enumerate(counts)) / sum(counts)


def _standard_error(counts: Sequence[float]) -> float:
    return sqrt(_variance(counts) / sum(counts))


PAIR = 2.0  # Games of a pair
UNSEEN = 0.5
"""The weight of the unseen pair, an opening's being one; in proportion less for less than MANY."""
MANY = 324.0  # Openings times pairs, as of 18 pairs on an opening each
HALVINGS = 45  # Bisections of the logarithm of a slack, from NARROW to WIDE
NARROW, WIDE = -300.0, 30.0
ROUNDS = 50  # Most steps to a score; five are many


def score_ends(points: Floats, games: Floats) -> tuple[Floats, Floats]:
    """The ends of the 95 % interval of each row's score.

    One column an opening: points, and games, 0 where the row has none there. Fewer than two
    openings leave everything possible.
    """
    return _lower_ends(points, games), 1 - _lower_ends(games - points, games)


def _lower_ends(points: Floats, games: Floats) -> Floats:
    # Most of a second to import all of scipy's distributions; this one function is quick.
    from scipy.special import stdtrit

    reach = stdtrit(degrees(games), 1 - TAIL) ** 2 / 2
    is_known = (games > 0).sum(axis=1) > 1
    points, games, weights = _with_unseen(points, games)
    total = weights.sum(axis=1)
    score = mean(weights, points, games)
    # The score is a ratio of points to games. With the last one taken as given, the surplus over it
    # is linear in the weights; the least surplus gives the next score (Dinkelbach, 1967).
    for _ in range(ROUNDS):
        surplus = points - score[:, None] * games
        slack = _bisected(partial(_diverges, surplus, weights, reach / total), len(score))
        before, score = score, mean(_reweighed(surplus, weights, slack), points, games)
        if np.abs(before - score).max(initial=0) < 1e-12:
            break
    return np.where(is_known, score, 0.0)


def degrees(games: Floats) -> Floats:
    """The degrees of freedom of Student's t for each row: openings less one, for many pairs each.

    The result of one pair is bounded, so that its variance is better known than a normal one's
    (kurtosis 2 in place of 3: twice the degrees); the mean of n pairs is n times nearer normal.
    """
    openings = np.maximum((games > 0).sum(axis=1), 1)
    pairs = np.maximum(games.sum(axis=1) / PAIR, openings)
    found: Floats = np.maximum(openings - 1, 1) * (1 + openings / pairs)
    return found


def _diverges(surplus: Floats, weights: Floats, most: Floats, slack: Floats) -> Booleans:
    """True for rows that this slack takes further than is likely enough."""
    found: Booleans = _divergence(surplus, weights, slack) > most
    return found


def superiority(points: Floats, games: Floats) -> Floats:
    """The likelihood that each row's expected score is above one half, in line with `score_ends`.

    Fewer than two openings say nothing: one half.
    """
    from scipy.special import stdtr

    ahead, behind = (_deviation(won, games) for won in (points, games - points))
    found: Floats = stdtr(degrees(games), ahead - behind)
    return np.where((games > 0).sum(axis=1) > 1, found, 0.5)


def _deviation(points: Floats, games: Floats) -> Floats:
    """The distance of each row's score above one half, in standard errors; 0 if it is not above."""
    points, games, weights = _with_unseen(points, games)
    surplus = points - games / 2
    slack = _bisected(partial(_is_below_zero, surplus, weights), len(points))
    found = np.sqrt(2 * weights.sum(axis=1) * np.maximum(_divergence(surplus, weights, slack), 0))
    return np.where((weights * surplus).sum(axis=1) > 0, found, 0.0)


def _is_below_zero(surplus: Floats, weights: Floats, slack: Floats) -> Booleans:
    """True for rows whose mean surplus this slack takes below zero."""
    found: Booleans = (_reweighed(surplus, weights, slack) * surplus).sum(axis=1) < 0
    return found


def _with_unseen(points: Floats, games: Floats) -> tuple[Floats, Floats, Floats]:
    """Points, games and weights with the added lost pair in a last column."""
    seen, column = games > 0, np.ones((len(points), 1))
    many = seen.sum(axis=1, keepdims=True) * games.sum(axis=1, keepdims=True) / PAIR
    return (
        np.hstack([points, 0 * column]),
        np.hstack([games, PAIR * column]),
        np.hstack([seen, UNSEEN * np.clip(many / MANY, 1 / MANY, 1)]),
    )


def _bisected(is_narrow: Callable[[Floats], Booleans], rows: int) -> Floats:
    """The slack of each row above which `is_narrow` is false."""
    low, high = np.full(rows, NARROW), np.full(rows, WIDE)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        narrow = is_narrow(np.exp(middle))
        low, high = np.where(narrow, middle, low), np.where(narrow, high, middle)
    found: Floats = np.exp(high)
    return found


def _reweighed(surplus: Floats, weights: Floats, slack: Floats) -> Floats:
    """The likeliest weights, but for a factor, that lower the mean surplus: less slack, lower."""
    # The conditions of Lagrange give weights / (surplus + constant); all are above zero only if the
    # constant is greater than minus the least surplus, by the slack.
    found: Floats = weights / _above_least(surplus, weights, slack)
    return found


def _divergence(surplus: Floats, weights: Floats, slack: Floats) -> Floats:
    """The fall of the log-likelihood, for each unit of weight, from `weights` to the reweighed."""
    above = _above_least(surplus, weights, slack)
    share = weights / weights.sum(axis=1, keepdims=True)
    found: Floats = np.log((share / above).sum(axis=1)) + (share * np.log(above)).sum(axis=1)
    return found


def _above_least(surplus: Floats, weights: Floats, slack: Floats) -> Floats:
    """Surpluses above the row's least one, with the slack added."""
    least = np.where(weights > 0, surplus, np.inf).min(axis=1, keepdims=True)
    found: Floats = np.maximum(surplus - least, 0) + slack[:, None]
    return found


def mean(weights: Floats, points: Floats, games: Floats) -> Floats:
    found: Floats = (weights * points).sum(axis=1) / (weights * games).sum(axis=1)
    return found
