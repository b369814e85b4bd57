"""Jobs in batches, each a task of dask's: a pair of games, or several where games are short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import ceil

from arena.match.record import Job, key

SHORTEST_BATCH = 0.3
"""Seconds of games in a batch, at least: handing out shorter ones takes too much of the time."""
DRIVER_SECONDS = 0.005
"""Seconds that each batch takes the driver and the scheduler: many workers must have few."""
MOST_PAIRS = 64
WEIGHT = 0.2
"""Weight of the newest batch in the mean duration of a game."""

Pair = tuple[Job, ...]
"""A pair of games; or a single game, if the other one is kept already."""


class Pairs:
    """Jobs as they come, both games of a pair together."""

    def __init__(self, jobs: Iterator[Job | None]) -> None:
        self._jobs = jobs
        self._next: Job | None = None

    def __iter__(self) -> Iterator[Pair]:
        """The pairs that there are before some record is looked at."""
        while first := self._taken() or next(self._jobs, None):
            second = next(self._jobs, None)
            if second and _is_pair(first, second):
                yield first, second
            else:
                self._next = second
                yield (first,)

    def _taken(self) -> Job | None:
        job, self._next = self._next, None
        return job


def _is_pair(one: Job, other: Job) -> bool:
    """True if two games differ by nothing but the player that begins."""
    first, second, *where = key(one)
    return (second, first, *where) == key(other)


class BatchSize:
    """Holds how long a game takes, and says how many pairs make a batch."""

    def __init__(self, pairs: int | None = None) -> None:
        """`pairs`: a fixed number, however long they take."""
        self._pairs = pairs
        self.game_seconds: float | None = None
        self.longest = 0.0
        """Seconds of the longest batch."""

    def add(self, games: int, seconds: float) -> None:
        """Take in a batch."""
        each = seconds / games
        self.longest = max(self.longest, seconds)
        before = each if self.game_seconds is None else self.game_seconds
        self.game_seconds = before + WEIGHT * (each - before)

    def batch_seconds(self, slots: int) -> float:
        """Seconds of a batch; 0 before any has come back."""
        return 2 * (self.game_seconds or 0.0) * self.pairs(slots)

    def pairs(self, slots: int) -> int:
        """Pairs in a batch, where `slots` games are played at a time."""
        if self._pairs or self.game_seconds is None:
            return self._pairs or 1
        wanted = max(SHORTEST_BATCH, slots * DRIVER_SECONDS)
        return min(MOST_PAIRS, ceil(wanted / max(2 * self.game_seconds, 1e-9)))


def batches_of(pairs: Iterable[Pair], free: int, size: int) -> list[Sequence[Job]]:
    """At most `free` batches of about `size` pairs; where there are few pairs, each has fewer."""
    found = list(islice(pairs, free * size))
    size = min(size, ceil(len(found) / free)) if found else 1
    groups = [found[start : start + size] for start in range(0, len(found), size)]
    return [[job for pair in group for job in pair] for group in groups]
