"""The test of a queue that is played next, and its time: functions of values only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

PRIORITIES = (-100, 100)  # The lowest and the highest


class State(StrEnum):
    WAITING = "waiting"
    PLAYING = "playing"
    PAUSED = "paused"
    STOPPED = "stopped"
    DONE = "done"
    FAILED = "failed"


READY = (State.WAITING, State.PLAYING)  # States of tests that are still to be played


@dataclass(frozen=True, slots=True)
class QueuedTest:
    id: int  # Its number in the order of arrival
    name: str  # The name of its run, below the folder of results
    priority: int = 0
    state: State = State.WAITING
    spent: float = 0.0  # Core seconds that it was played
    code: str = ""  # The digest of its files, which is the name of their folder
    place: str = ""  # The path of its YAML file in that folder
    games: int | None = None  # Games at most; None where results decide that
    played: int = 0  # Games that are stored
    expected: int | None = None
    """Games from here on that are expected of a sequential test; None: all that are missing."""
    seconds: float | None = None
    """Seconds that a game may take by its limits; None where these do not tell."""
    came: float = 0.0  # Seconds since 1970 when it was submitted
    told: str = ""
    """The verdict, or the reason why it was not played to its end, or is not being played."""
    deaths: int = 0  # Times that its process has died with no game between

    @property
    def is_ready(self) -> bool:
        return self.state in READY


def in_turn(entries: Iterable[QueuedTest]) -> list[QueuedTest]:
    """The tests that are to be played, the next one first: by priority, then by arrival."""
    ready = [each for each in entries if each.is_ready]
    return sorted(ready, key=lambda each: (-each.priority, each.id))


def facts_of(entry: QueuedTest) -> dict[str, Any]:
    return {
        "id": entry.id,
        "name": entry.name,
        "state": str(entry.state),
        "games": entry.played,
        "core_seconds": round(entry.spent, 1),
        "verdict": entry.told,
    }


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
