"""Jobs as dask's tasks: a pair is a task, and several where games are short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import ceil

from arena.match.record import Job

SHORTEST_TASK = 0.3
"""Seconds of games below which handing them out would take too much of the time."""
DRIVER_SECONDS = 0.005
"""Seconds of the driver and the scheduler for each task: many workers must ask for few."""
MOST_PAIRS = 64
WEIGHT = 0.2
"""Weight of the newest task in the mean duration of a game."""

Unit = tuple[Job, ...]
"""A pair; or a single game, if the other one is kept already."""


class Units:
    """Jobs as they come, both games of a pair together."""

    def __init__(self, jobs: Iterator[Job | None]) -> None:
        self._jobs = jobs
        self._next: Job | None = None

    def __iter__(self) -> Iterator[Unit]:
        """The units that there are before some record is looked at."""
        while first := self._taken() or next(self._jobs, None):
            second = next(self._jobs, None)
            if second and is_pair(first, second):
                yield first, second
            else:
                self._next = second
                yield (first,)

    def _taken(self) -> Job | None:
        """The job that was taken to see whether it makes a pair."""
        job, self._next = self._next, None
        return job


def is_pair(one: Job, other: Job) -> bool:
    """True if two games differ by nothing but the colours."""
    return (one.first, one.second, one.opening, one.round) == (
        other.second,
        other.first,
        other.opening,
        other.round,
    )


class BatchSize:
    """Holds how long a game takes, and says how many pairs make a task."""

    def __init__(self, pairs: int | None = None) -> None:
        """`pairs`: so many whatever they take."""
        self._pairs = pairs
        self.game_seconds: float | None = None
        self.longest = 0.0
        """Seconds of the longest task."""

    def add(self, games: int, seconds: float) -> None:
        """Take in a task."""
        each = seconds / games
        self.longest = max(self.longest, seconds)
        before = each if self.game_seconds is None else self.game_seconds
        self.game_seconds = before + WEIGHT * (each - before)

    def task_seconds(self, slots: int) -> float:
        """Seconds of a task; 0 as long as nobody knows."""
        return 2 * (self.game_seconds or 0.0) * self.pairs(slots)

    def pairs(self, slots: int) -> int:
        """Pairs of a task, for so many who play at a time."""
        if self._pairs or self.game_seconds is None:
            return self._pairs or 1
        wanted = max(SHORTEST_TASK, slots * DRIVER_SECONDS)
        return min(MOST_PAIRS, ceil(wanted / max(2 * self.game_seconds, 1e-9)))


def tasks_of(units: Units, free: int, pairs: int) -> list[Sequence[Job]]:
    """Jobs for so many tasks of about so many pairs; where there are few, each has fewer."""
    found = list(islice(units, free * pairs))
    size = min(pairs, ceil(len(found) / free)) if found else 1
    groups = [found[start : start + size] for start in range(0, len(found), size)]
    return [[job for unit in group for job in unit] for group in groups]
