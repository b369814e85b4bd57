"""The file that keeps a queue, and the order in which its tests are played."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from arena.errors import ConfigError, Fault
from arena.storage.connection import PATIENCE, is_there, unusable
from arena.storage.folder import make_folder

PRIORITIES = (-100, 100)
"""The lowest and the highest."""


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
        """True if it is still to be played."""
        return self.state in READY


def in_turn(entries: Iterable[QueuedTest]) -> list[QueuedTest]:
    """The tests that are to be played, the next one first: by priority, and of equals the first to
    come.
    """
    ready = [each for each in entries if each.is_ready]
    return sorted(ready, key=lambda each: (-each.priority, each.id))


def facts_of(entry: QueuedTest) -> dict[str, Any]:
    """The facts of a test, for programs that may be anywhere."""
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


QUEUE = "queue"
"""The folder of the queue below that of the results; no run can have its name."""
CODE = "code"
"""The folder of submitted files below that."""
FILE = "queue.db"
COLUMNS = [field.name for field in fields(QueuedTest)]
KINDS = {"name": "TEXT NOT NULL UNIQUE", "id": "INTEGER PRIMARY KEY AUTOINCREMENT"}

Change = Callable[[QueuedTest], QueuedTest]
"""A function of a test that returns the changed test."""


class QueueFile:
    """Holds the path of the file; each question opens it, so any thread and process may ask."""

    def __init__(self, results: Path) -> None:
        """`results`: the folder of the runs; ConfigError if the queue cannot be kept there."""
        self.results = results
        self.folder = results / QUEUE
        make_folder(self.folder / CODE)
        columns = ", ".join(f"{name} {KINDS.get(name, '')}" for name in COLUMNS)
        with self._opened() as connection:
            connection.execute(f"CREATE TABLE IF NOT EXISTS tests ({columns})")
            connection.execute("CREATE TABLE IF NOT EXISTS cluster (workers INTEGER)")
            kept = {row[1] for row in connection.execute("PRAGMA table_info(tests)")}
            for name in COLUMNS:
                if name not in kept:  # of an older queue
                    connection.execute(f"ALTER TABLE tests ADD COLUMN {name}")

    def entries(self) -> list[QueuedTest]:
        """All tests, in the order of arrival."""
        with self._opened() as connection:
            return read(connection)

    def entry(self, id: int) -> QueuedTest | None:
        """The test of this number."""
        return next((each for each in self.entries() if each.id == id), None)

    def add(self, entry: QueuedTest) -> QueuedTest:
        """Keep a new test; return it with its number. ConfigError if its name is taken."""
        row = astuple(replace(entry, id=0))[1:]
        names, marks = ", ".join(COLUMNS[1:]), ", ".join("?" * len(row))
        try:
            with self._opened() as connection:
                done = connection.execute(f"INSERT INTO tests ({names}) VALUES ({marks})", row)
                return replace(entry, id=int(done.lastrowid or 0))
        except sqlite3.IntegrityError:
            raise ConfigError(name_taken(entry.name)) from None

    def change(self, id: int, change: Change) -> QueuedTest | None:
        """Change one test by a function of it, while no other process changes any.

        Returns the test as it is then; None if there is none of this number.
        """
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            found = next((each for each in read(connection) if each.id == id), None)
            changed = change(found) if found else None
            if changed and changed != found:
                sets = ", ".join(f"{name} = ?" for name in COLUMNS[1:])
                values = (*astuple(changed)[1:], id)
                connection.execute(f"UPDATE tests SET {sets} WHERE id = ?", values)
            return changed or found

    def workers(self) -> int | None:
        """The workers that the cluster last had, as far as that was told."""
        with self._opened() as connection:
            found = connection.execute("SELECT workers FROM cluster").fetchone()
            return int(found[0]) if found else None

    def keep_workers(self, workers: int) -> None:
        """Keep the number of the cluster's workers."""
        with self._opened() as connection:
            connection.execute("DELETE FROM cluster")
            connection.execute("INSERT INTO cluster VALUES (?)", (workers,))

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """A connection with a transaction: all its changes are kept, or none."""
        is_there(self.folder / FILE)
        try:
            connection = sqlite3.connect(
                self.folder / FILE, timeout=PATIENCE, isolation_level="IMMEDIATE"
            )
            try:
                with connection:
                    yield connection
            finally:
                connection.close()
        except sqlite3.IntegrityError:
            raise
        except (sqlite3.Error, ValueError, TypeError) as error:
            broken = f"cannot be read as a queue: {error}"
            raise unusable(self.folder / FILE, error, broken) from None


def read(connection: sqlite3.Connection) -> list[QueuedTest]:
    """All tests of the file."""
    rows = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM tests ORDER BY id")
    found = (QueuedTest(*row) for row in rows)
    return [replace(each, state=State(each.state)) for each in found]


def name_taken(name: str) -> Fault:
    """The fault of a test whose folder of results is taken."""
    return Fault("name", f"there is a run {name!r} already: give the test another name")
