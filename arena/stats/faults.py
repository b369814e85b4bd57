"""The one law for games that a player's fault ended: a claim must hold without their help.

A crash, a loss on time or an illegal move ends a game without telling which side plays better. So
each number that rests on games is estimated three times: as they were played, without the pairs in
which a fault ended a game, and with these games as draws. Whole pairs are left out, so that each
side keeps as many games with the first move. Where a claim holds in one view and not in another,
faults carry it, and it is not made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from arena.stats.changes import Estimate

T = TypeVar("T")
S = TypeVar("S")


class FaultViews(NamedTuple, Generic[T]):
    """One thing in three views of the same games; all three are equal where no fault was."""

    played: T
    without: T  # Without the pairs in which a fault ended a game
    drawn: T  # With the games that a fault ended as draws

    def map(self, function: Callable[[T], S]) -> FaultViews[S]:
        """The function's results in all three views; it is asked once if they are one object."""
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
