"""Davidson's model behind ratings: results by opening, and groups that can be compared."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

STEPS = 100  # Most steps of Newton's method; ten are many
SETTLED = 1e-10
FAINT = 1e-8
"""The precision with which all parameters are held at zero: draws that go up to some lead, and none
beyond, would have leads and tie grow together without end. Others do not feel it."""

HELD = 0.1
"""The precision with which the advantage is held at zero, as if it were N(0, 550 Elo) to begin
with: if all that a player loses is one game as the second, the likeliest advantage is without
end, and so great that equals differ by nothing but colour."""


@dataclass(frozen=True)
class Meetings:
    """Results by first and second player: one row for each two in this order; also in fractions."""

    first: Integers  # Players by number; so `second`
    second: Integers
    games: Floats
    points: Floats  # Points of the first player: a draw is one half
    draws: Floats


@dataclass(frozen=True)
class DavidsonFit:
    """The likeliest parameters, in natural units, and how firmly the results hold them."""

    strengths: Floats
    advantage: float
    tie: float
    covariance: Floats  # Inverse of the information: strengths, then advantage, then tie


def _outcomes(lead: Floats, tie: float) -> Floats:
    exponents = np.stack([-lead / 2, np.full_like(lead, tie), lead / 2])
    weights = np.exp(exponents - exponents.max(axis=0))
    shares: Floats = weights / weights.sum(axis=0)
    return shares


def chances(lead: Floats, tie: float) -> tuple[Floats, Floats]:
    """Expected points of the first player, and the chance of a draw."""
    _, draw, win = _outcomes(lead, tie)
    return win + draw / 2, draw


def steepness(advantage: float, tie: float) -> tuple[float, float, float]:
    """The rise of expected points with strength between equals: a quarter in the Elo model.

    Then the rise of this with the advantage, and with the tie. It is the variance of points.
    """
    shares = _outcomes(np.array([advantage]), tie)[:, 0]
    points, draw = np.array([0, 0.5, 1]), np.array([0, 1, 0])
    surplus = points - shares @ points
    rise, by_advantage, by_tie = (
        float(shares @ each) for each in (surplus**2, surplus**3, surplus**2 * (draw - shares[1]))
    )
    return rise, by_advantage, by_tie


def leads(results: Meetings, strengths: Floats, advantage: float) -> Floats:
    ahead: Floats = strengths[results.first] - strengths[results.second] + advantage
    return ahead


def maximum_likelihood(results: Meetings, held: Floats) -> DavidsonFit:
    """The likeliest parameters for these results, which must leave no strength infinite.

    Results say nothing about the sum of the strengths of players that met only each other: each
    row of `held` (one column a player) is a sum that is kept at zero. Newton's method on a concave
    likelihood, its steps held to one unit.
    """
    players = held.shape[1]
    design = leads_design(results, players)
    holding = np.zeros((players + 2, players + 2))
    holding[:players, :players] = held.T @ held
    holding += FAINT * np.eye(len(holding))
    holding[players, players] = HELD
    found = np.zeros(players + 2)
    found[-1] = np.log(2 * results.draws.sum() / (results.games - results.draws).sum())
    for _ in range(STEPS):
        points, draw = chances(design @ found[:-1], found[-1])
        slope = np.append(
            design.T @ (results.points - results.games * points),
            np.sum(results.draws - results.games * draw),
        )
        bend = information(design, results.games, points, draw) + holding
        step = np.linalg.solve(bend, slope - holding @ found)
        found += step / max(1, np.abs(step).max())
        if np.abs(step).max() < SETTLED:
            break
    covariance = np.asarray(np.linalg.inv(bend), dtype=np.float64)
    return DavidsonFit(found[:players], float(found[-2]), float(found[-1]), covariance)


def leads_design(results: Meetings, players: int) -> Floats:
    """The matrix that makes leads of strengths and advantage."""
    rows = np.arange(len(results.first))
    design = np.zeros((len(rows), players + 1))
    np.add.at(design, (rows, results.first), 1)
    np.subtract.at(design, (rows, results.second), 1)
    design[:, players] = 1
    return design


def information(design: Floats, games: Floats, points: Floats, draw: Floats) -> Floats:
    """The variance of the three sums, were the parameters true."""
    surplus = points - 0.5
    of_points = games * ((1 - draw) / 4 - surplus**2)
    of_draws = games * draw * (1 - draw)
    of_both = design.T @ (-games * surplus * draw)
    strengths = (design.T * of_points) @ design
    return np.block([[strengths, of_both[:, None]], [of_both[None, :], of_draws.sum()]])


Evidence = tuple[str, str, Hashable, int]
"""Games of one kind: (first, second, opening, half points of the first)."""
Points = Mapping[Evidence, int]  # The number of games of each kind


@dataclass(frozen=True)
class Sample:
    """Results by opening: `results` has a row, and `opening` a number, for each kind of result."""

    players: int
    openings: int
    results: Meetings
    opening: Integers


def sample_of(names: Sequence[str], points: Points) -> Sample:
    player = {name: i for i, name in enumerate(names)}
    opening: dict[Hashable, int] = {}
    rows = [
        (player[first], player[second], opening.setdefault(start, len(opening)), half, games)
        for (first, second, start, half), games in points.items()
    ]
    first, second, number, half, games = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    results = Meetings(first, second, games.astype(float), games * half / 2, games * (half == 1.0))
    return Sample(len(names), len(opening), results, number)


def restricted(sample: Sample, kept: NDArray[np.bool_]) -> Sample:
    return replace(sample, results=rows_of(sample.results, kept), opening=sample.opening[kept])


def rows_of(results: Meetings, kept: NDArray[np.bool_]) -> Meetings:
    return Meetings(*(getattr(results, field.name)[kept] for field in fields(Meetings)))


def by_opening(sample: Sample) -> tuple[Floats, Floats]:
    """Points and games of each player (row) on each opening (column)."""
    found, shape = sample.results, (sample.players, sample.openings)
    games, points = np.zeros(shape), np.zeros(shape)
    np.add.at(games, (found.first, sample.opening), found.games)
    np.add.at(games, (found.second, sample.opening), found.games)
    np.add.at(points, (found.first, sample.opening), found.points)
    np.add.at(points, (found.second, sample.opening), found.games - found.points)
    return points, games


Booleans = NDArray[np.bool_]


@dataclass(frozen=True)
class Groups:
    """Players that met, or met some that met, and so on; and in each group its core.

    The core is the largest part in which all players took points from all others, if only by way of
    others: there, and only there, likeliest ratings are finite (Ford, 1957). Where no part is the
    largest, all of the group stand in for it, and all are loose.
    """

    of: Integers  # The group of each player, from 0, in the order of their first players
    loose: Booleans  # Players that are only known to be better, or worse, than some others
    held: Floats
    """A row for each group: equal shares of its core, whose mean strength is held at zero."""
    zero: Floats
    """A row for each player: shares of those whose mean rating is the zero of its scale."""
    exact: Booleans  # Players whose rating is given: the anchor
    links: Floats
    """Games to add between players, so that all strengths are finite: one for each loose player,
    spread over its core and both colours, half won and half lost."""


def groups_of(players: int, results: Meetings) -> Groups:
    gave = _givers(players, results)
    part = parts_of(players, results)
    together = closure(gave | gave.T)
    of = np.unique(np.argmax(together, axis=1), return_inverse=True)[1]
    loose = np.zeros(players, dtype=bool)
    links = np.zeros((players, players))
    held = np.zeros((of.max() + 1, players))
    for group, shares in enumerate(held):
        core = _core_of(of == group, part)
        # Where the whole group stands in for a largest part, that is more than one part.
        is_one = (part[core][0] == core).all()
        free = (of == group) & ~core if is_one else core
        shares[core] = 1 / core.sum()
        loose |= free
        for player in np.flatnonzero(free):
            others = core & (np.arange(players) != player)
            links[player, others] = 1 / others.sum()
    none = np.zeros(players, dtype=bool)
    return Groups(of, loose, held, held[of], none, (links + links.T) / 2)


def _givers(players: int, results: Meetings) -> Booleans:
    """Players (rows) that gave points to others (columns)."""
    gave = np.zeros((players, players), dtype=bool)
    won, lost = results.points > 0, results.points < results.games
    gave[results.second[won], results.first[won]] = True
    gave[results.first[lost], results.second[lost]] = True
    return gave


def parts_of(players: int, results: Meetings) -> Booleans:
    """The players that took points from each other, if only by way of others: a row for each."""
    reached = closure(_givers(players, results))
    return reached & reached.T


def anchored(groups: Groups, player: int) -> Groups:
    """The groups with one player as the zero of its own; if it is loose, all others are to it."""
    same = groups.of == groups.of[player]
    exact = np.arange(len(same)) == player
    return replace(
        groups,
        zero=np.where(same[:, None], exact.astype(float), groups.zero),
        loose=groups.loose | (same & groups.loose[player]),
        exact=exact,
    )


def with_fields(groups: Groups, fields: Sequence[Sequence[int]]) -> Groups:
    """The groups with the zero of each player that has a field (a row) at the mean of that.

    If one of the field is loose, the player is to it.
    """
    zero, loose = groups.zero.copy(), groups.loose.copy()
    for player, field in enumerate(fields):
        if field:
            zero[player] = 0
            zero[player, list(field)] = 1 / len(field)
            loose[player] |= groups.loose[list(field)].any()
    return replace(groups, zero=zero, loose=loose)


def _core_of(group: Booleans, part: Booleans) -> Booleans:
    sizes = part.sum(axis=1) * group
    core: Booleans = sizes == sizes.max()
    return core if core.sum() == sizes.max() else group


def closure(step: Booleans) -> Booleans:
    reached = step | np.eye(len(step), dtype=bool)
    while True:
        # As floats: numpy has no quick product of booleans.
        further = (reached.astype(float) @ reached.astype(float)) > 0
        if (further == reached).all():
            return reached
        reached = further
