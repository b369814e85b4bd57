"""The file that keeps a queue: SQLite, which several processes read and change."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, fields, replace
from pathlib import Path

from arena.errors import ConfigError, Fault
from arena.queue.order import QueuedTest, State
from arena.storage.connection import PATIENCE, is_there, unusable
from arena.storage.folder import make_folder

QUEUE = "queue"  # The folder of the queue below that of the results; no run can have its name
CODE = "code"  # The folder of submitted files below that
FILE = "queue.db"
COLUMNS = [field.name for field in fields(QueuedTest)]
KINDS = {"name": "TEXT NOT NULL UNIQUE", "id": "INTEGER PRIMARY KEY AUTOINCREMENT"}

Change = Callable[[QueuedTest], QueuedTest]  # A function of a test that returns the changed test


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
        with self._opened() as connection:
            return read(connection)

    def entry(self, id: int) -> QueuedTest | None:
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
            entry = next((each for each in read(connection) if each.id == id), None)
            changed = change(entry) if entry else None
            if changed and changed != entry:
                sets = ", ".join(f"{name} = ?" for name in COLUMNS[1:])
                values = (*astuple(changed)[1:], id)
                connection.execute(f"UPDATE tests SET {sets} WHERE id = ?", values)
            return changed or entry

    def workers(self) -> int | None:
        """The workers that the cluster last had, as far as that was told."""
        with self._opened() as connection:
            found = connection.execute("SELECT workers FROM cluster").fetchone()
            return int(found[0]) if found else None

    def keep_workers(self, workers: int) -> None:
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
    rows = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM tests ORDER BY id")
    entries = (QueuedTest(*row) for row in rows)
    return [replace(each, state=State(each.state)) for each in entries]


def name_taken(name: str) -> Fault:
    return Fault("name", f"there is a run {name!r} already: give the test another name")
