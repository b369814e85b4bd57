"""The likelihood that one player is better than another, by their games with many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena.stats.clustered import superiority
from arena.stats.faults import FaultViews
from arena.stats.looks import Looks
from arena.stats.sample import Points


@dataclass(frozen=True, slots=True)
class LeadViews:
    """The lead of one player on another, or on a field: how sure it is that it is the better."""

    los: FaultViews[float]  # The likelihood that it is; see `lead_views`
    looks: Looks
    openings: int
    faulty: float  # The share of games that faults ended

    @property
    def tail(self) -> float:
        """The chance that a claim may be wrong by."""
        return self.looks.tail(self.openings, self.faulty)

    @property
    def is_sure(self) -> bool:
        """True if it may be claimed: it is as sure in all views, with the help of faults and
        without."""
        return self.is_sure_among(1)

    def is_sure_among(self, leads: int) -> bool:
        """True if it may be claimed as one of so many that are asked for (Bonferroni)."""
        return min(self.los) >= 1 - self.tail / leads

    @property
    def is_less_sure(self) -> bool:
        """True if it might be claimed but for the help of faults: without that, it is less sure."""
        return self.los.played >= 1 - self.looks.tail(self.openings) > min(self.los)

    @property
    def is_carried(self) -> bool:
        """True if it might be claimed but for faults."""
        return self.los.played >= 1 - self.looks.tail(self.openings) and not self.is_sure


def lead_views(
    evidence: FaultViews[Points], one: str, other: str, rivals: Collection[str]
) -> FaultViews[float]:
    """The likelihood that `one` is better than `other`; without the help of faults, than the
    nearest of its `rivals`, which may be another.

    It rests on their points against each other, and against opponents that both met, opening by
    opening: a point that `other` lost counts as one that `one` won. Where one of the two met
    an opponent more often, its games count for less, so that both sides weigh as much.
    """

    def least(points: Points) -> float:
        nearest = {other} if points is evidence.played else {*rivals, other}
        seen = _by_player(points, nearest | {one})
        return min(_los(seen, one, each) for each in nearest)

    return evidence.map(least)


def common_games(evidence: Points, one: str, other: str) -> float:
    """The games that `lead_views` rests on; 0 for those on one opening, which tell nothing."""
    openings = _shared(_by_player(evidence, {one, other}), one, other)
    return sum(games for _, games in openings) if len(openings) > 1 else 0.0


_Seen = tuple[str, float, Hashable, int]
"""Games as a player sees them: its opponent, its points, the opening, and how many."""


def _by_player(evidence: Points, names: Collection[str]) -> dict[str, list[_Seen]]:
    found: dict[str, list[_Seen]] = {name: [] for name in names}
    for (first, second, cluster, half_points), games in evidence.items():
        if first in found:
            found[first].append((second, half_points / 2, cluster, games))
        if second in found:
            found[second].append((first, 1 - half_points / 2, cluster, games))
    return found


def _los(seen: Mapping[str, Sequence[_Seen]], one: str, other: str) -> float:
    """The likelihood that `one` is better than `other`."""
    won, played = np.array(_shared(seen, one, other) or [[0.0, 0.0]]).T
    return float(superiority(won[None, :], played[None, :])[0])


def _shared(seen: Mapping[str, Sequence[_Seen]], one: str, other: str) -> list[list[float]]:
    """Points of `one`, and games, on each opening, by which the two can be compared."""
    both = {name: seen[name] for name in (one, other)}
    met_by = [{opponent for opponent, *_ in games} for games in both.values()]
    common = met_by[0] & met_by[1] | {one, other}
    views = [(name, *each) for name, games in both.items() for each in games if each[0] in common]
    met = Counter[tuple[str, str]]()
    for player, opponent, _, _, games in views:
        met[player, opponent] += games
    found: dict[Hashable, list[float]] = {}
    for player, opponent, points, cluster, games in views:
        fewest = min(n for each in (one, other) if (n := met[each, opponent]))
        # Half: each game of both with each other is seen from both sides.
        weight = games / 2 * fewest / met[player, opponent]
        counts = found.setdefault(cluster, [0.0, 0.0])
        counts[0] += weight * (points if player == one else 1 - points)
        counts[1] += weight
    return list(found.values())
