"""The limits that a manager tells a brain by INFO, and what they leave a search to think."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, replace

from arena.engine import Limit
from arena.gomocup.protocol import UNLIMITED

DELAY, DELAY_SHARE = 0.01, 0.03
"""Seconds, and part of a limit of time, that a busy machine may add before and after a search."""
FIRST_OVERRUN, OVERRUN_OF_LOAD = 0.02, 0.005
"""Seconds by which the first search is expected to end late, at least; and for each process that
wants the core on which it runs."""
FADING, CAUTION = 0.95, 1.25
"""Part of the overrun expected that is left of it a move later; and the part of the last one,
more than all of it, that is expected again."""
MOST_DELAY, MOST_SHARE = 0.2, 0.8
"""The most seconds, and the largest part of a limit, that are kept back for all this."""
LEAST_THOUGHT = 0.001
"""Seconds of a search where there is no time at all: it ends with its first depth."""
LARGEST_PART = 0.1
"""Part of the match's time that goes at most into several searches for one answer."""


@dataclass(frozen=True, slots=True)
class TimeKeys:
    """All that a manager has told of limits; times in seconds, None where there is no limit."""

    turn: float | None = None
    match: float | None = None
    left: float | None = None
    """The time that is left of the match's; between two INFO time_left, by the brain's clock."""
    increment: float = 0.0
    overrun: float = FIRST_OVERRUN
    """The time by which a search is expected to end late: as the last ones did, on a busy core."""
    depth: int | None = None
    nodes: int | None = None

    def told(self, key: str, value: str) -> TimeKeys:
        """The limits after one more INFO; unchanged if it is about something else, or no number."""
        try:
            number = float(value)
        except ValueError:
            return self
        if not math.isfinite(number):
            return self
        seconds = None if number >= UNLIMITED else number / 1000
        count = int(number) if number >= 1 else None
        match key.lower():
            case "timeout_turn":
                return replace(self, turn=seconds)
            case "hang":
                # Our own managers say so where a turn's time is only meant for those who need one.
                return replace(self, turn=None)
            case "timeout_match":
                match = seconds if number > 0 else None
                return replace(self, match=match, left=match)
            case "time_left":
                return replace(self, left=seconds)
            case "time_increment":
                return replace(self, increment=max(0.0, seconds or 0.0))
            case "max_depth":
                return replace(self, depth=count)
            case "max_node":
                return replace(self, nodes=count)
        return self

    def limit(self, spent: float = 0.0) -> Limit:
        """The limit of a search that began `spent` seconds ago."""
        turn, left = (self._thought(bound, spent) for bound in (self.turn, self.left))
        if left is None:
            return Limit(self.depth, self.nodes, turn)
        if turn is not None and turn >= left:
            turn = None  # the match's time is the shorter one, and to be shared out
        return Limit(self.depth, self.nodes, turn, left, max(0.0, self.increment - DELAY))

    def _thought(self, bound: float | None, spent: float) -> float | None:
        """The seconds of a bound that a search may take, so that its answer is there in time."""
        if bound is None:
            return None
        delay = DELAY + DELAY_SHARE * bound + self.overrun
        return max(bound - min(delay, MOST_DELAY, MOST_SHARE * bound) - spent, LEAST_THOUGHT)

    def after(self, seconds: float, limit: Limit, searched: float) -> TimeKeys:
        """The limits after an answer of these seconds, of which the search took `searched`."""
        left = None if self.left is None else self.left - seconds + self.increment
        overrun = FADING * self.overrun
        if limit.seconds is not None:
            overrun = max(overrun, CAUTION * (searched - limit.seconds))
        return replace(self, left=left, overrun=overrun)

    def again(self) -> TimeKeys:
        """The limits as a new game begins."""
        return replace(self, left=self.match)


def expected_overrun() -> float:
    """The time by which a search may end late while nothing is known but the machine's load."""
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    return max(FIRST_OVERRUN, OVERRUN_OF_LOAD * load)


def seconds_for_several(limit: Limit) -> float | None:
    """The seconds for several searches, after which there is one answer; None if they are free."""
    bounds = [] if limit.seconds is None else [limit.seconds]
    bounds += [] if limit.time_left is None else [limit.time_left * LARGEST_PART]
    return min(bounds, default=None)
