"""Intervals of scores whose games share openings: each opening is one observation.

Games on one opening depend on each other: it may favour one side, and suit some players. So the
openings are what is weighed. The lower end of an interval is the least score that reweighing the
openings gives, as far as that is likely enough (empirical likelihood: Owen, 1988), once half a
lost pair was added that was not played; the upper end is the mirror image. How far is likely
enough is by Student's t, which pays for few openings. As the weights do not depend on the points,
more points never lower an end; and results that are all alike get an end like the exact one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from arena.stats.comparable import Booleans
from arena.stats.davidson import Floats
from arena.stats.elo import TAIL

PAIR = 2.0
"""Games of a pair."""
UNSEEN = 0.5
"""The weight of the unseen pair, an opening's being one; in proportion less for less than MANY."""
MANY = 324.0
"""Openings times pairs, as of 18 pairs on an opening each."""
HALVINGS = 45
"""Bisections of the logarithm of a slack, from NARROW to WIDE."""
NARROW, WIDE = -300.0, 30.0
ROUNDS = 50
"""Most steps to a score; five are many."""


def score_ends(points: Floats, games: Floats) -> tuple[Floats, Floats]:
    """The ends of the 95 % interval of each row's score.

    One column an opening: points, and games, 0 where the row has none there. Fewer than two
    openings leave everything possible.
    """
    return _lower_ends(points, games), 1 - _lower_ends(games - points, games)


def _lower_ends(points: Floats, games: Floats) -> Floats:
    """The lower end of each row's interval."""
    # Most of a second to import all of scipy's distributions; this one function is quick.
    from scipy.special import stdtrit

    reach = stdtrit(degrees(games), 1 - TAIL) ** 2 / 2
    is_known = (games > 0).sum(axis=1) > 1
    points, games, weights = _with_unseen(points, games)
    total = weights.sum(axis=1)
    score = mean(weights, points, games)
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
    """The likelihood that each row's expected score is above one half, as sure as `score_ends` is.

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
    """The weighted score of each row."""
    found: Floats = (weights * points).sum(axis=1) / (weights * games).sum(axis=1)
    return found
