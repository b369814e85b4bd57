"""Groups of players that can be compared, by the points that they took from each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena.stats.davidson import Floats, Integers, Meetings

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
