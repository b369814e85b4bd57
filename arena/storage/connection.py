"""A run's database as SQLite opens it: locks, other machines' drives, and the words for both."""

from __future__ import annotations

import logging
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import sqlalchemy as sql

from arena.errors import ConfigError, Fault, refusal_of, refused
from arena.files import regular

logger = logging.getLogger(__name__)

LOCKED_NAMES = ("SQLITE_BUSY", "SQLITE_LOCKED")
"""Beginnings of SQLite's names for errors with a file that another process has locked."""
END_THAT = (
    "is locked by another program, such as a viewer of databases or a backup: "
    "end that program and try again; no game that was kept is lost"
)

PATIENCE = 60.0  # Seconds to wait for another program that has locked a file
BESIDE = ("-journal", "-wal", "-shm")
"""Ends of the names of files that SQLite keeps beside a database."""
TRY_SECONDS, PAUSE = 5.0, 0.1
"""Seconds for which SQLite itself waits, in which Ctrl-C does not act; and until the next try."""
WAITING = (
    "A database is locked by another program, such as a viewer or a backup: "
    "waiting for it, %g s at most"
)

T = TypeVar("T")
Figures = tuple[int, ...]


class PatientConnection(sqlite3.Connection):
    """A connection that waits for a file which another program has locked, and says so."""

    def cursor(self, factory: Any = None) -> Any:
        return super().cursor(factory or PatientCursor)

    def execute(self, *given: Any) -> sqlite3.Cursor:
        cursor: sqlite3.Cursor = self.cursor()
        return cursor.execute(*given)

    def executemany(self, *given: Any) -> sqlite3.Cursor:
        cursor: sqlite3.Cursor = self.cursor()
        return cursor.executemany(*given)

    def commit(self) -> None:
        try:
            super().commit()
        except sqlite3.OperationalError as error:
            _patiently(error, super().commit)


class PatientCursor(sqlite3.Cursor):
    def execute(self, *given: Any) -> PatientCursor:
        try:
            super().execute(*given)
        except sqlite3.OperationalError as error:
            _patiently(error, partial(super().execute, *given))
        return self

    def executemany(self, statement: str, rows: Iterable[Any]) -> PatientCursor:
        rows = [*rows]  # an iterator cannot be gone through again
        try:
            super().executemany(statement, rows)
        except sqlite3.OperationalError as error:
            _patiently(error, partial(super().executemany, statement, rows))
        return self


def _patiently(error: sqlite3.OperationalError, act: Callable[[], T]) -> T:
    """Do again what failed by a lock, until that is gone or the patience is at its end.

    Raises the error if it is of something else.
    """
    deadline = time.monotonic() + PATIENCE - TRY_SECONDS
    if _locked_text(error):
        logger.warning(WAITING, PATIENCE)
    while _locked_text(error) and time.monotonic() < deadline:
        time.sleep(PAUSE)
        try:
            return act()
        except sqlite3.OperationalError as another:
            error = another
    raise error


def patient() -> dict[str, Any]:
    return {"factory": PatientConnection, "timeout": TRY_SECONDS}


def is_there(file: str | Path) -> bool:
    """True if there is a database to open.

    ConfigError if SQLite would wait without end, for it or for a file beside it.
    """
    real = os.path.realpath(file) if os.path.islink(file) else file
    try:
        is_file = regular(file)
        for end in BESIDE:
            regular(f"{real}{end}", follows=False)
    except OSError as error:
        raise refused(error, error.filename) from None
    return is_file


def file_figures(file: str | Path) -> Figures:
    """The file's number, size and time of change; nothing if there is none."""
    try:
        found = os.stat(file)
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


def url(file: Path, read_only: bool) -> sql.URL:
    """SQLite's address of a file, which may have any characters in its name; see `is_there`."""
    is_there(file)
    if not read_only:
        return sql.URL.create("sqlite", database=str(file))
    return sql.URL.create(
        "sqlite", database=file.absolute().as_uri(), query=_reading_query(str(file))
    )


def _reading_query(file: str) -> dict[str, str]:
    query = {"mode": "ro", "uri": "true"}
    if not os.path.exists(f"{file}-wal") or not os.access(os.path.dirname(file) or ".", os.W_OK):
        # Without a WAL nobody is writing; and readers of one write to a file beside it themselves.
        query["immutable"] = "1"
    return query


def read_only_address(file: str) -> str:
    """The address at which Python's own driver only reads a file; see `is_there`."""
    is_there(file)
    words = "&".join(
        f"{key}={value}" for key, value in _reading_query(file).items() if key != "uri"
    )
    return f"file:{quote(os.fsencode(os.path.abspath(file)))}?{words}"


def set_pragmas(connection: sql.engine.interfaces.DBAPIConnection, _: object) -> None:
    """WAL lets others read meanwhile; a commit then survives any kill, if not a power cut."""
    execute(connection, "PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL")


def set_small_cache(connection: sql.engine.interfaces.DBAPIConnection, _: object) -> None:
    """Keep few pages of a file that is only read: they stay in the processor's own cache."""
    execute(connection, "PRAGMA cache_size=-200")


def execute(connection: sql.engine.interfaces.DBAPIConnection, *statements: str) -> None:
    """Execute statements on a connection that was just made; if one fails, close it."""
    with ExitStack() as stack:
        stack.callback(connection.close)  # if it refuses, nobody else gets it to close
        with closing(connection.cursor()) as cursor:
            for statement in statements:
                cursor.execute(statement)
        stack.pop_all()


def unusable(file: Path, error: BaseException, otherwise: str) -> ConfigError:
    """The error of a database that is locked, that has no room, or else is at fault in words."""
    refusal = refusal_of(error, file)
    return refusal or ConfigError(Fault(str(file), _locked_text(error) or otherwise))


def _locked_text(error: BaseException | None) -> str | None:
    """The advice on a locked file, if that is the cause of an error of SQLite or of a library."""
    while error is not None:
        if getattr(error, "sqlite_errorname", "").startswith(LOCKED_NAMES):
            return END_THAT
        error = error.__cause__
    return None


NETWORK = {
    *("nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afs", "ncpfs", "coda", "davfs"),
    *("lustre", "gpfs", "ceph", "glusterfs", "beegfs", "panfs", "pvfs2", "orangefs", "wekafs"),
    *("gfs2", "ocfs2", "acfs", "sshfs", "s3fs", "rclone", "gcsfuse", "goofys", "juicefs"),
}
"""File systems that several machines write to, as Linux names them."""
MOUNTS = Path("/proc/self/mountinfo")
"""Linux's list of mounted file systems; on other systems the kind of a drive is unknown."""


def refuse_network_drive(folder: Path) -> None:
    """Raise ConfigError if games that are played into this folder might be lost.

    SQLite's log is kept in memory that all its readers share, and network drives have none; their
    locks may not hold either. A database that only one process reads is safe.
    """
    if kind := network_drive(folder):
        message = (
            f"is on a network drive ({kind}), where a database of games can be damaged: SQLite's "
            "log needs memory that all who open it share. Play into a folder of this machine's "
            "own disk, such as --results ~/results, and copy it afterwards; runs that are here "
            "can be read"
        )
        raise ConfigError(Fault(str(folder), message))


def network_drive(folder: Path) -> str:
    """The kind of network drive that a folder is on, or would be; empty for a disk of one machine.

    Shares of a virtual machine with its host (9p, virtiofs) are of one machine.
    """
    kind = _file_system(folder).removeprefix("fuse.").removeprefix("fuse3.")
    return kind if kind in NETWORK else ""


def _file_system(folder: Path) -> str:
    """The kind of file system that a folder is on, or would be; empty if that is not known."""
    place, found, deepest = folder.resolve(), "", -1
    for point, kind in _mounts():
        # Of two at one place, the later one hides the other.
        if len(point.parts) >= deepest and place.is_relative_to(point):
            found, deepest = kind, len(point.parts)
    return found


def _mounts() -> list[tuple[Path, str]]:
    """Every place at which a drive is mounted, with the kind of its file system."""
    found = []
    with suppress(OSError, IndexError):
        for line in MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
            place, _, kind = line.partition(" - ")
            point = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), place.split()[4])
            found.append((Path(point), kind.split()[0]))
    return found
