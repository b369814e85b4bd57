"""The history of a run: when it was played, by how many processes, on how busy a machine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from arena.engine import Limit

OVERLOAD = 2
"""Processes a core above which players with limits of time are likely to be late."""
PERIOD = 10
"""Seconds between two times that a session is kept: a kill takes the machine's load since."""


@dataclass(frozen=True, slots=True)
class Session:
    """One time that a run was played, until it ended or was stopped."""

    began: float  # Seconds since 1970
    ended: float
    workers: int
    cores: int
    least_load: float
    """Processes that were running or ready to, the workers among them; a mean of a minute."""
    most_load: float


class Recorder:
    """Holds the session that is going on, and has it kept from time to time."""

    def __init__(self, workers: int, keep: Callable[[Session], None]) -> None:
        now, load = time.time(), os.getloadavg()[0]
        self._session = Session(now, now, workers, cores(), load, load)
        self._keep = keep
        self._kept: float | None = None

    def look(self) -> None:
        """Look at the machine after a game; keep what was seen, unless that was done just now."""
        if self._kept is None or time.monotonic() - self._kept >= PERIOD:
            self._keep_now()

    def close(self) -> None:
        """Keep the session as it is now; one without a game is none."""
        if self._kept is not None:
            self._keep_now()

    def _keep_now(self) -> None:
        self._kept = time.monotonic()
        load, before = os.getloadavg()[0], self._session
        self._session = replace(
            before,
            ended=time.time(),
            least_load=min(load, before.least_load),
            most_load=max(load, before.most_load),
        )
        self._keep(self._session)


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def load_of(sessions: Iterable[Session]) -> float:
    """The most load for each core; 0 if it is not known."""
    return max((each.most_load / each.cores for each in sessions), default=0.0)


def overload_notes(limits: Iterable[Limit]) -> Iterator[str]:
    """A warning before games with limits of time on a machine that is busy with something else."""
    load, count = os.getloadavg()[0], cores()
    if load > OVERLOAD * count and any(limit.is_timed for limit in limits):
        yield (
            f"The machine is busy: a load of {load:.0f} on {count} cores. Players may lose games on"
            " time that they would not lose on a quiet one."
        )


def _busy_text(sessions: list[Session]) -> str:
    counts = sorted({session.workers for session in sessions})
    workers = f"{' and '.join(map(str, counts))} {'worker' if counts == [1] else 'workers'}"
    least = min(session.least_load for session in sessions)
    most = max(session.most_load for session in sessions)
    return f"{workers} on {sessions[-1].cores} cores, load average {least:.1f} to {most:.1f}"


def notes_of(limits: Iterable[Limit], sessions: Sequence[Session]) -> Iterator[str]:
    """A sentence for readers of a report on limits of time: no game need come out the same."""
    if any(limit.is_timed for limit in limits):
        load = f" ({_busy_text(list(sessions))})" if sessions else ""
        yield f"Time was limited, so that results depend on the machine and its load{load}."
