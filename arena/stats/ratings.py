"""Ratings of many players at once: one Elo scale for all that met, and how sure it is.

The model is that of `davidson`, fitted by maximum likelihood. Both games of a pair, and all pairs
on one opening, share what that opening is worth to the first player, so results vary by openings:
the openings are what is resampled. Leaving out each in turn moves every rating a little (to first
order: the infinitesimal jackknife, which is the sandwich estimator); the sum of the squares of
these moves is the variance, and few openings are paid for with Student's t.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena.stats.comparable import Booleans, Groups, anchored, groups_of
from arena.stats.davidson import (
    Fit,
    Floats,
    Integers,
    Meetings,
    chances,
    leads,
    maximum_likelihood,
    steepness,
)
from arena.stats.elo import ELO_LIMIT, TAIL, elo as elo_of_score

UNIT = 400 / math.log(10)
"""Elo in one natural unit of strength."""

VIRTUAL = 1e-3
"""Games of each result between equals to add: so the first move's worth and the share of draws
stay finite where the first always won, or nobody drew."""

Points = Mapping[tuple[str, str, str, int], int]
"""Games by (first, second, opening, half points of the first)."""

Anchor = tuple[str, float]


@dataclass(frozen=True)
class Rating:
    """The rating of one player on the scale of its group."""

    name: str
    elo: float
    low: float
    """The ends of the 95 % interval."""
    high: float
    group: int
    """The group's number, from 1: its players met, or met some that met, and can be compared."""


@dataclass(frozen=True)
class Ratings:
    """All players in the order in which they were named, and what they have in common."""

    players: list[Rating]
    advantage: float
    """The Elo of the first player's expected score between equals."""
    draws: float
    """The share of draws between equals."""


@dataclass(frozen=True)
class Sample:
    """Results by opening: `results` has a row, and `opening` a number, for each kind of result."""

    players: int
    openings: int
    results: Meetings
    opening: Integers


def rate(names: Sequence[str], points: Points, anchor: Anchor | None = None) -> Ratings:
    """Ratings with 95 % intervals; in each group their mean is zero, or the anchor has its Elo.

    Near equality, Elo is that of the expected score over both colours, whatever draws and the
    first move are worth (as BayesElo's scale). A player that won or lost everything, or belongs
    to a part of its group that did so against the rest, has no finite likeliest rating: half a
    win and half a loss, spread over the others, are added for it, it is left out of the mean, and
    its interval is the whole range. Of anyone whose share of points was alike on every opening,
    the interval is by `alike_ends`. Parts of a group that met on a few openings only look surer of
    each other than they are. ValueError for an anchor that is none of the names.
    """
    sample = sample_of(names, points)
    groups = groups_of(len(names), sample.results)
    offset = np.zeros(len(names))
    if anchor:
        number = names.index(anchor[0])
        groups = anchored(groups, number)
        offset[groups.of == groups.of[number]] = anchor[1]
    fitted = maximum_likelihood(totals(sample.results, groups), groups.held)
    elo = elo_of(fitted, groups)
    low, high = ends(sample, fitted, groups)
    figures = [(each + offset).tolist() for each in (elo, elo + low, elo + high)]
    numbers = (groups.of + 1).tolist()
    players = list(map(Rating, names, *figures, numbers))
    points_of_first, draws = chances(np.array([fitted.advantage]), fitted.tie)
    return Ratings(players, elo_of_score(float(points_of_first[0])), float(draws[0]))


def sample_of(names: Sequence[str], points: Points) -> Sample:
    """The results in numbers."""
    player = {name: i for i, name in enumerate(names)}
    opening: dict[str, int] = {}
    rows = [
        (player[first], player[second], opening.setdefault(start, len(opening)), half, games)
        for (first, second, start, half), games in points.items()
    ]
    first, second, number, half, games = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    results = Meetings(first, second, games.astype(float), games * half / 2, games * (half == 1.0))
    return Sample(len(names), len(opening), results, number)


def totals(found: Meetings, groups: Groups) -> Meetings:
    """The results of each two players on all openings, with what must be added for a finite fit."""
    n = len(groups.of)
    pair = found.first * n + found.second
    games, points, draws = np.zeros((3, n * n))
    np.add.at(games, pair, found.games)
    np.add.at(points, pair, found.points)
    np.add.at(draws, pair, found.draws)
    added = groups.links.ravel().copy()
    # The first player against itself: a game between equals.
    added[0] += 3 * VIRTUAL
    draws[0] += VIRTUAL
    games += added
    points += added / 2
    met = np.flatnonzero(games)
    return Meetings(met // n, met % n, games[met], points[met], draws[met])


def elo_of(fitted: Fit, groups: Groups) -> Floats:
    """Elo above each player's zero."""
    rise, _, _ = steepness(fitted.advantage, fitted.tie)
    found: Floats = 4 * rise * UNIT * (fitted.strengths - groups.zero @ fitted.strengths)
    return found


def ends(sample: Sample, fitted: Fit, groups: Groups) -> tuple[Floats, Floats]:
    """The ends of each player's interval, below and above its rating, at most +-1199.83."""
    played, share = shares(sample)
    openings = played.sum(axis=0)
    if groups.exact.any():
        # Nobody is known better than by the openings of the one that all are measured from.
        measured = groups.of == groups.of[groups.exact]
        openings[measured] = np.minimum(openings[measured], openings[groups.exact])
    high = spreads(sample, fitted, groups, openings)
    high[groups.loose] = ELO_LIMIT
    low = -high
    lead = elo_of(fitted, groups) - fields(sample.results, elo_of(fitted, groups))
    for player in range(sample.players):
        mine = share[played[:, player], player]
        if mine.size == 0:
            low[player], high[player] = -ELO_LIMIT, ELO_LIMIT
        elif np.ptp(mine) < 1e-12 and not groups.exact[player]:
            # Whoever moves moves the mean it counts in, too.
            own = 1 - groups.zero[player, player]
            low[player], high[player] = own * alike_ends(mine, lead[player])
    low[groups.exact] = high[groups.exact] = 0
    return np.maximum(low, -ELO_LIMIT), np.minimum(high, ELO_LIMIT)


def alike_ends(alike: Floats, lead: float) -> Floats:
    """The ends, around its rating, for a player whose share of points was alike on n openings.

    Exact, as in `stats.unanimous_ends`: another share comes on at most 1 - 0.025 ** (1 / n) of
    all openings, where all may have been lost, or won. The ends are by the Elo of the scores that
    this leaves against the field met, which is `lead` behind the player; none above all wins.
    """
    share, other = float(alike[0]), 1 - TAIL ** (1 / alike.size)
    if 0 < share < 1:
        lead = elo_of_score(share)
    worst = (1 - other) * share
    low = elo_of_score(worst) - lead if share > 0 else -math.inf
    high = elo_of_score(worst + other) - lead if share < 1 else math.inf
    return np.array([low, high])


def fields(found: Meetings, elo: Floats) -> Floats:
    """The mean Elo of the opponents that each player met; 0 for none."""
    games, opponents = np.zeros((2, len(elo)))
    for one, other in (found.first, found.second), (found.second, found.first):
        np.add.at(games, one, found.games)
        np.add.at(opponents, one, found.games * elo[other])
    mean: Floats = opponents / np.maximum(games, 1)
    return mean


def shares(sample: Sample) -> tuple[Booleans, Floats]:
    """The players (columns) that played on each opening (row), and their shares of points."""
    found, shape = sample.results, (sample.openings, sample.players)
    games, points = np.zeros(shape), np.zeros(shape)
    np.add.at(games, (sample.opening, found.first), found.games)
    np.add.at(games, (sample.opening, found.second), found.games)
    np.add.at(points, (sample.opening, found.first), found.points)
    np.add.at(points, (sample.opening, found.second), found.games - found.points)
    return games > 0, points / np.maximum(games, 1)


def spreads(sample: Sample, fitted: Fit, groups: Groups, openings: Integers) -> Floats:
    """Half the width of each interval: Student's t times the standard error over openings."""
    # Most of a second to import all of scipy's distributions; this one function is quick.
    from scipy.special import stdtrit

    moves = moved(sample, fitted)
    rise, by_advantage, by_tie = steepness(fitted.advantage, fitted.tie)
    # The scale depends on advantage and tie, which every opening moves, too.
    scaled = moves[:, -2] * by_advantage + moves[:, -1] * by_tie
    elo = 4 * UNIT * (rise * moves[:, :-2] + np.outer(scaled, fitted.strengths))
    elo -= elo @ groups.zero.T
    degrees = np.maximum(openings - 1, 1)
    errors = np.sqrt(np.square(elo).sum(axis=0) * (degrees + 1) / degrees)
    found: Floats = errors * stdtrit(degrees, 1 - TAIL)
    return found


def moved(sample: Sample, fitted: Fit) -> Floats:
    """The move of each parameter (column) by each opening (row), to first order."""
    found = sample.results
    lead = leads(found, fitted.strengths, fitted.advantage)
    points, draw = chances(lead, fitted.tie)
    points = found.points - found.games * points
    draws = found.draws - found.games * draw
    pull = np.zeros((sample.openings, sample.players + 2))
    np.add.at(pull, (sample.opening, found.first), points)
    np.subtract.at(pull, (sample.opening, found.second), points)
    np.add.at(pull[:, -2], sample.opening, points)
    np.add.at(pull[:, -1], sample.opening, draws)
    return pull @ fitted.covariance
