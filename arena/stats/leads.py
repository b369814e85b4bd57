"""Leads, and how sure one must be to be claimed, in view of faults and of repeated looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, inf, isfinite, log, sqrt
from statistics import NormalDist
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from arena.stats.davidson import Points
from arena.stats.elo import ELO_LIMIT, QUANTILE, TAIL, superiority


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
        """True if it may be claimed: it is sure enough both with and without the help of faults."""
        return self.is_sure_among(1)

    def is_sure_among(self, leads: int) -> bool:
        """True if it may be claimed as one of this many leads that are tested (Bonferroni)."""
        return min(self.los) >= 1 - self.tail / leads

    @property
    def is_less_sure(self) -> bool:
        """True if only the help of faults makes it sure enough to be claimed."""
        return self.los.played >= 1 - self.looks.tail(self.openings) > min(self.los)

    @property
    def is_carried(self) -> bool:
        """True if it might be claimed but for faults."""
        return self.los.played >= 1 - self.looks.tail(self.openings) and not self.is_sure


def lead_views(
    evidence: FaultViews[Points], one: str, other: str, rivals: Collection[str]
) -> FaultViews[float]:
    """The likelihood that `one` is better than `other`; in the views without the help of faults,
    that it is better than the nearest of `rivals` and `other`.

    It rests on their points against each other, and against opponents that both met, opening by
    opening: a point that `other` lost counts as one that `one` won. Where one of the two met
    an opponent more often, its games count for less, so that both sides weigh as much.
    """

    def least(points: Points) -> float:
        nearest = {other} if points is evidence.played else {*rivals, other}
        games = _by_player(points, nearest | {one})
        return min(_los(games, one, each) for each in nearest)

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


def _los(games: Mapping[str, Sequence[_Seen]], one: str, other: str) -> float:
    points, played = np.array(_shared(games, one, other) or [[0.0, 0.0]]).T
    return float(superiority(points[None, :], played[None, :])[0])


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
        fewest = min(met[each, opponent] for each in (one, other) if met[each, opponent])
        # Half: each game of both with each other is seen from both sides.
        weight = games / 2 * fewest / met[player, opponent]
        counts = found.setdefault(cluster, [0.0, 0.0])
        counts[0] += weight * (points if player == one else 1 - points)
        counts[1] += weight
    return list(found.values())


FAR = ELO_LIMIT - 1e-6  # The distance from which an end of an interval of Elo is not known


class Estimate(NamedTuple):
    """An Elo with the ends of its 95 % interval; infinite where they are not known."""

    elo: float
    low: float
    high: float
    doubtful: bool = False  # True if faults carry it: see `arena.stats.leads`


UNKNOWN = Estimate(0.0, -inf, inf)  # The Elo of who has no games


def estimate(elo: float, low: float, high: float) -> Estimate:
    """The Elo of a rating, whose ends lie at the limit of Elo where they are not known."""
    return Estimate(elo, low if elo - low < FAR else -inf, high if high - elo < FAR else inf)


def change(before: Estimate, after: Estimate) -> Estimate:
    """The gain from one to the other, with its 95 % interval.

    Each end is as far away as the two ends that lead there, as the legs of a right angle: exact for
    normal errors, and good for intervals that lean (Zou and Donner, 2008).
    """
    gain = after.elo - before.elo
    down = hypot(after.elo - after.low, before.high - before.elo)
    up = hypot(after.high - after.elo, before.elo - before.low)
    return Estimate(gain, gain - down, gain + up)


def is_beyond_chance(found: Estimate, tried: int, tail: float = TAIL) -> bool:
    """True for a change that chance would hardly make the largest of this number (in a share `tail`
    of cases on either side).

    The interval is widened as Bonferroni has it.
    """
    wider = NormalDist().inv_cdf(1 - tail / max(tried, 1)) / QUANTILE
    reach = found.elo - found.low if found.elo > 0 else found.high - found.elo
    return isfinite(reach) and abs(found.elo) > wider * reach


T = TypeVar("T")
S = TypeVar("S")


class FaultViews(NamedTuple, Generic[T]):
    """One thing in three views of the same games; all three are equal where no fault was."""

    played: T
    without: T  # Without the pairs in which a fault ended a game
    drawn: T  # With the games that a fault ended as draws

    def map(self, function: Callable[[T], S]) -> FaultViews[S]:
        played = function(self.played)
        if self.without is self.played and self.drawn is self.played:
            return FaultViews(played, played, played)
        return FaultViews(played, function(self.without), function(self.drawn))


def alike(value: T) -> FaultViews[T]:
    """The views of games without a fault."""
    return FaultViews(value, value, value)


def _side(estimate: Estimate) -> int:
    """1 or -1 if the 95 % interval lies above or below 0, else 0."""
    return (estimate.low > 0) - (estimate.high < 0)


def is_carried(views: FaultViews[Estimate]) -> bool:
    """True if faults carry an Elo: it is no measure of strength.

    Without them it would lie outside its own interval, or its interval would not lie on the same
    side of 0.
    """
    played, *others = views
    return is_moved(views) or any(_side(played) not in (0, _side(other)) for other in others)


def as_marked(views: FaultViews[Estimate]) -> Estimate:
    """An Elo as it was played, marked if faults carry it."""
    return views.played._replace(doubtful=is_carried(views))


def is_moved(views: FaultViews[Estimate]) -> bool:
    """True if an Elo would lie outside its own interval without the help of faults."""
    played, *others = views
    return any(not played.low <= other.elo <= played.high for other in others)


LATER_TAIL = 0.005  # The chance on either side that all looks but the first may be wrong by
MIXTURE_OPENINGS = 30.0
"""The scale of the mixture: with fewer openings a look at any moment costs steeply more."""
CHEAPEST_OPENINGS = 300  # Openings at which it costs least, ten times as many
MIN_TAIL = 1e-12  # The least tail: numbers near 1 cannot be told apart beyond it
MAX_RARE = 0.01  # Share of games that faults may end without a price
FAULTY_TAIL = 1e-4
"""The tail of a claim where faults end more games than that: which ones may be no chance."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The looks at games before the one that is asked for."""

    earlier: int = 0
    """Plans that were begun before, of these games or of others that are read with them."""
    is_any_moment: bool = False  # True if the games may have ended because of their results
    is_chosen: bool = False
    """True if openings were left out after they were played: then nothing can be claimed."""
    runs: int = 1  # Runs that are read together

    def tail(self, openings: int, faulty: float = 0.0) -> float:
        """The chance, on either side, that a claim may be wrong by.

        It rests on so many `openings`; of the games, a share `faulty` ended by faults.

        >>> [round(Looks(earlier).tail(100), 5) for earlier in range(4)]
        [0.025, 0.0025, 0.00083, 0.00042]
        """
        if self.is_chosen:
            return MIN_TAIL
        if faulty > MAX_RARE:
            return min(self.tail(openings), FAULTY_TAIL)
        if not self.earlier and not self.is_any_moment:
            return TAIL
        later = max(self.earlier, 1)
        share = LATER_TAIL / (later * (later + 1))
        if not self.is_any_moment:
            return share
        seen = max(openings, 1) / MIXTURE_OPENINGS
        reach = sqrt((1 + 1 / seen) * (log(1 + seen) - 2 * log(2 * share)))
        return max(NormalDist().cdf(-reach), MIN_TAIL)


NO_LOOKS = Looks()  # Nobody looked before


def joined_looks(runs: Iterable[Looks]) -> Looks:
    """The looks at runs that are read together: each is a look at the others."""
    each = list(runs)
    earlier = sum(looks.earlier + 1 for looks in each) - 1
    moments = any(looks.is_any_moment for looks in each)
    return Looks(max(earlier, 0), moments, any(looks.is_chosen for looks in each), len(each) or 1)
