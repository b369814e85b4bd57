"""The test of a queue that is played next, and its time: functions of values only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from arena.errors import ConfigError, Fault

HOUR = 3600.0
SHORTEST_SLICE, LONGEST_SLICE = 10.0, 60.0
"""Seconds that a test is played before another of its priority may take its place."""
SLICES_IN_ERROR = 20
"""Slices of the smallest share in an hour, at least: one more or less is half of a tenth."""
DAY_HOURS = 24
PRIORITIES, SHARES = (-100, 100), (0.01, 100.0)
"""The lowest and the highest of each."""


class State(StrEnum):
    """The state of a test, as people see it."""

    WAITING = "waiting"
    PLAYING = "playing"
    PAUSED = "paused"
    STOPPED = "stopped"
    DONE = "done"
    FAILED = "failed"


READY = (State.WAITING, State.PLAYING)
"""States of tests that are still to be played."""


@dataclass(frozen=True, slots=True)
class QueuedTest:
    """A test of the queue."""

    id: int
    """Its number in the order of arrival."""
    name: str
    """The name of its run, below the folder of results."""
    priority: int = 0
    share: float = 1.0
    """Its part of the time of all tests of its priority, in proportion to theirs."""
    state: State = State.WAITING
    spent: float = 0.0
    """Core seconds that it was played."""
    pace: float = 0.0
    """Core seconds for each unit of its share, counted from where the others were as it came."""
    code: str = ""
    """The digest of its files, which is the name of their folder."""
    place: str = ""
    """The path of its YAML file in that folder."""
    games: int | None = None
    """Games at most; None where results decide that."""
    played: int = 0
    """Games that are stored."""
    expected: int | None = None
    """Games from here on that are expected of a sequential test; None: all that are missing."""
    seconds: float | None = None
    """Seconds that a game may take by its limits; None where these do not tell."""
    came: float = 0.0
    """Seconds since 1970 when it was submitted."""
    told: str = ""
    """The verdict, or the reason why it was not played to its end, or is not being played."""
    deaths: int = 0
    """Times that its process has died with no game between."""
    is_announced: bool = False
    """True once the owner's command and web hook were told of its end."""

    @property
    def is_ready(self) -> bool:
        """True if it is still to be played."""
        return self.state in READY


@dataclass(frozen=True, slots=True)
class Slice:
    """The test that is being played, and since when."""

    id: int
    seconds: float = 0.0


def next_of(
    entries: Iterable[QueuedTest], by_shares: bool = False, slice: Slice | None = None
) -> QueuedTest | None:
    """The test to play now; None if none is ready.

    The highest priority comes first. Of equals that is the first to come or, `by_shares`, the one
    that has had the least of its share; one that is being played stays for its slice of time.
    """
    ready = in_turn(entries, by_shares)
    if not ready:
        return None
    first = [each for each in ready if each.priority == ready[0].priority]
    at_play = [each for each in first if slice and each.id == slice.id]
    if by_shares and slice and at_play and slice.seconds < _slice_length(first):
        return at_play[0]
    return first[0]


def in_turn(entries: Iterable[QueuedTest], by_shares: bool = False) -> list[QueuedTest]:
    """The tests that are to be played, the next one first."""
    ready = [each for each in entries if each.is_ready]
    return sorted(ready, key=lambda each: (-each.priority, each.pace if by_shares else 0, each.id))


def _slice_length(equals: Sequence[QueuedTest]) -> float:
    """Seconds of a slice by which these tests have their shares of an hour within a tenth."""
    smallest = min(each.share for each in equals) / sum(each.share for each in equals)
    return min(LONGEST_SLICE, max(SHORTEST_SLICE, HOUR * smallest / SLICES_IN_ERROR))


def charged(entry: QueuedTest, core_seconds: float) -> QueuedTest:
    """The test after it was played for this time."""
    pace = entry.pace + core_seconds / entry.share
    return replace(entry, spent=entry.spent + core_seconds, pace=pace)


def joined(entry: QueuedTest, others: Iterable[QueuedTest]) -> QueuedTest:
    """A test that comes, or comes back: it has no claim to the time before, and no debt of it."""
    equals = [each for each in others if each.priority == entry.priority and each.id != entry.id]
    ready = [each.pace for each in equals if each.is_ready]
    pace = min(ready) if ready else max([entry.pace, *(each.pace for each in equals)])
    return replace(entry, pace=pace, state=State.WAITING)


@dataclass(frozen=True, slots=True)
class Hours:
    """Hours of the day in which tests are played, 0 to 24; past midnight if they end earlier."""

    start: int = 0
    end: int = DAY_HOURS

    def has(self, hour: float) -> bool:
        """True if tests may be played at this hour."""
        if self.start <= self.end:
            return self.start <= hour < self.end
        return hour >= self.start or hour < self.end


def hours_of(text: str) -> Hours:
    """Read hours such as `20-7`. Raises ConfigError if the text is not two different hours."""
    found = re.fullmatch(r"(\d{1,2})-(\d{1,2})", text)
    start, end = map(int, found.groups()) if found else (0, 0)
    if start == end or max(start, end) > DAY_HOURS:
        message = "hours are written 20-7: from 20:00 to 7:00"
        raise ConfigError(Fault("--hours", f"{message}, not {text!r}"))
    return Hours(start, end)


def seconds_left(entry: QueuedTest, cores: int) -> float | None:
    """Seconds that a test is expected to take from here on; None: unknown.

    By the time that its games took, or before the first one by its limits.
    """
    if entry.games is None:
        return None
    left = max(0, entry.games - entry.played) if entry.expected is None else entry.expected
    if entry.played and entry.spent:
        return left * entry.spent / entry.played / cores
    return None if entry.seconds is None else left * entry.seconds / cores
