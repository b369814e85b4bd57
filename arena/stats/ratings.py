"""Ratings of many players at once: one Elo scale for all that met, and how sure it is.

The model is that of `davidson`, fitted by maximum likelihood; `precision` tells how sure the
ratings are, and which can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from arena.stats.davidson import (
    Booleans,
    DavidsonFit,
    Floats,
    Groups,
    Meetings,
    Points,
    Sample,
    anchored,
    by_opening,
    chances,
    groups_of,
    maximum_likelihood,
    sample_of,
    steepness,
    with_fields,
)
from arena.stats.elo import ELO_LIMIT, elo as elo_of_score, score_ends
from arena.stats.leads import UNKNOWN, Estimate, FaultViews, estimate, is_carried, is_moved
from arena.stats.precision import Bridge, Evidence, cut, evidence_of, parted, spreads

UNIT = 400 / math.log(10)  # Elo in one natural unit of strength

ALIKE, VARIED = 2, 6
"""Openings on which a player's share of the points differs from the most frequent one."""

VIRTUAL = 1e-3
"""Games of each result between equals to add: so the share of draws is not infinitely small where
no game was drawn, nor infinitely large where all were."""

Anchor = tuple[str, float]
Fields = Mapping[str, Sequence[str]]
"""The players, by a player's name, whose mean is the zero of its rating."""


@dataclass(frozen=True)
class Rating:
    """The rating of one player on the scale of its group."""

    name: str
    elo: float
    low: float  # The ends of the 95 % interval
    high: float
    group: int
    """The group's number, from 1: its players met, or met some that met, and can be compared."""
    doubtful: bool = False  # True if faults carry the rating: see `rate_with_faults`


@dataclass(frozen=True)
class Ratings:
    """All players in the order in which they were named, and what they have in common."""

    players: list[Rating]
    advantage: float  # The Elo of the first player's expected score between equals
    draws: float  # The share of draws between equals
    bridges: Sequence[Bridge] = ()  # The few meetings by which some players hang on the others


def rate(
    names: Sequence[str], points: Points, anchor: Anchor | None = None, over: Fields | None = None
) -> Ratings:
    """Ratings with 95 % intervals; in each group their mean is zero, or the anchor has its Elo.

    Near equality, Elo is that of the expected score over both colours, with any worth of draws and
    of the first move (as BayesElo's scale). A player that won or lost everything, or belongs
    to a part of its group that did so against the rest, has no finite likeliest rating: half a
    win and half a loss, spread over the others, are added for it, it is left out of the mean, and
    `ends` tells what is known of it. Players that hardly met the others are left out of the mean,
    or rated apart: see `Bridge`. A player named in `over` is rated over the mean of a field of its
    own group, in place of all that. ValueError for an anchor that is none of the names.
    """
    sample, cuts = cut(sample_of(names, points))
    groups = groups_of(len(names), sample.results)
    fitted = maximum_likelihood(_totals(sample.results, groups), groups.held)
    evidence = evidence_of(sample, fitted)
    groups, bridges = parted(groups, sample, evidence)
    offset = np.zeros(len(names))
    if anchor:
        number = names.index(anchor[0])
        groups = anchored(groups, number)
        offset[groups.of == groups.of[number]] = anchor[1]
    elo = _elo_of(fitted, groups)
    lead = elo - _met_fields(sample.results, elo)
    if over:
        places = {name: i for i, name in enumerate(names)}
        fields = [[places[each] for each in over.get(name, ())] for name in names]
        groups = with_fields(groups, fields)
        elo = _elo_of(fitted, groups)
    low, high = ends(sample, evidence, groups, lead)
    figures = [(each + offset).tolist() for each in (elo, elo + low, elo + high)]
    numbers = (groups.of + 1).tolist()
    players = list(map(Rating, names, *figures, numbers))
    points_of_first, draws = chances(np.array([fitted.advantage]), fitted.tie)
    advantage = elo_of_score(float(points_of_first[0]))
    return Ratings(players, advantage, float(draws[0]), [*cuts, *bridges])


def rate_with_faults(
    names: Sequence[str],
    evidence: FaultViews[Points],
    anchor: Anchor | None = None,
    over: Fields | None = None,
) -> Ratings:
    """`rate` the games as they were played, and mark the ratings that faults carry.

    If one player loses fewer games, the mean of all moves, and with it everybody's rating. So what
    most players' ratings move by, the median, is no change.
    """

    def estimates(points: Points) -> dict[str, Estimate]:
        """The ratings by these games; of players left without their field, none."""
        if not points:
            return {}
        fields = over or {}
        if over:
            group = {each.name: each.group for each in rate(names, points).players}
            fields = {
                name: [each for each in field if group[each] == group[name]]
                for name, field in over.items()
            }
        rated = rate(names, points, anchor, fields).players
        return {
            each.name: estimate(each.elo, each.low, each.high)
            for each in rated
            if not over or len(fields.get(each.name, ())) == len(over.get(each.name, ()))
        }

    ratings = rate(names, evidence.played, anchor, over)
    if evidence.without is evidence.played is evidence.drawn:
        return ratings
    views = evidence.map(estimates)
    if not anchor and not over:
        views = views.map(lambda view: _shifted(view, views.played))

    def is_doubtful(name: str) -> bool:
        player_views = views.map(lambda view: view.get(name, UNKNOWN))
        return is_carried(player_views) if over else is_moved(player_views)

    players = [replace(each, doubtful=is_doubtful(each.name)) for each in ratings.players]
    return replace(ratings, players=players)


def _shifted(view: dict[str, Estimate], played: dict[str, Estimate]) -> dict[str, Estimate]:
    """The ratings of a view, less the median of their changes."""
    changes = [each.elo - played[name].elo for name, each in view.items()]
    move = median(changes) if changes else 0.0
    return {
        name: Estimate(elo - move, low - move, high - move)
        for name, (elo, low, high, _) in view.items()
    }


def _totals(found: Meetings, groups: Groups) -> Meetings:
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


def _elo_of(fitted: DavidsonFit, groups: Groups) -> Floats:
    rise, _, _ = steepness(fitted.advantage, fitted.tie)
    found: Floats = 4 * rise * UNIT * (fitted.strengths - groups.zero @ fitted.strengths)
    return found


def ends(sample: Sample, evidence: Evidence, groups: Groups, lead: Floats) -> tuple[Floats, Floats]:
    """The ends of each player's interval around its rating, at most 1199.83 away.

    `lead` is each player's Elo above the field that it met.

    By how much the openings move the ratings; but by the player's own score, as in `score_ends`,
    where its shares of the points are nearly all alike: its rating would move by nothing, or by too
    much. A loose player's ends are not known, but for the nearer one of a player that won, or lost,
    everything.
    """
    points, games = by_opening(sample)
    spread = UNIT * spreads(sample, evidence, np.eye(sample.players) - groups.zero)
    won, lost = (points == games).all(axis=1), (points == 0).all(axis=1)
    spread[groups.loose] = np.where((won != lost)[groups.loose], 0, np.inf)
    own = np.where(np.isinf(spread), 0, uniformity(points, games))
    inside = np.where(_nearly_unanimous(points, games), 0, spread)
    # Whoever moves moves the mean it counts in, too.
    moving = 1 - np.diagonal(groups.zero)
    low, high = (
        np.maximum((1 - own) * spread + own * moving * side, inside)
        for side in _own_ends(points, games, lead)
    )
    low[groups.exact] = high[groups.exact] = 0
    return -np.minimum(low, ELO_LIMIT), np.minimum(high, ELO_LIMIT)


def _own_ends(points: Floats, games: Floats, lead: Floats) -> tuple[Floats, Floats]:
    """The ends by each player's score alone: Elo below and above its lead on the field met.

    One end of all wins, or losses, is as far away as can be.
    """
    score = points.sum(axis=1) / np.maximum(games.sum(axis=1), 1)
    low, high = (
        np.array([elo_of_score(float(each)) for each in scores])
        for scores in score_ends(points, games)
    )
    below = np.where(score > 0, np.maximum(lead - low, 0), 2 * ELO_LIMIT)
    above = np.where(score < 1, np.maximum(high - lead, 0), 2 * ELO_LIMIT)
    return below, above


def _nearly_unanimous(points: Floats, games: Floats) -> Booleans:
    """True for players that won everything, or nothing, on most of their openings."""
    won, lost = (((each == games) & (games > 0)).sum(axis=1) for each in (points, games - points))
    found: Booleans = 2 * np.maximum(won, lost) > (games > 0).sum(axis=1)
    return found


def uniformity(points: Floats, games: Floats) -> Floats:
    """The weight of each player's own score: 1 if its shares are nearly all alike, 0 if they vary.

    They are if all but ALIKE openings, and all but a quarter, have equal shares; they vary if
    VARIED differ, or half of them.
    """
    weights = []
    for row, met in zip(points, games, strict=True):
        share = row[met > 0] / met[met > 0]
        _, counts = np.unique(share.round(9), return_counts=True)
        others = counts.sum() - counts.max(initial=0)
        few = (VARIED - others) / (VARIED - ALIKE)
        weights.append(min(few, 2 - 4 * others / max(share.size, 1)))
    return np.array(weights).clip(0, 1)


def _met_fields(met: Meetings, elo: Floats) -> Floats:
    """The mean Elo of the opponents that each player met; 0 for none."""
    games, opponents = np.zeros((2, len(elo)))
    for one, other in (met.first, met.second), (met.second, met.first):
        np.add.at(games, one, met.games)
        np.add.at(opponents, one, met.games * elo[other])
    mean: Floats = opponents / np.maximum(games, 1)
    return mean
