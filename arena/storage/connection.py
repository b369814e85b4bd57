"""A run's database as SQLite opens it, and the words for one that another program has locked."""

from __future__ import annotations

import os
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sql

LOCKED_NAMES = ("SQLITE_BUSY", "SQLITE_LOCKED")
"""Beginnings of SQLite's names for errors with a file that another process has locked."""
END_THAT = (
    "is locked by another program, such as a viewer of databases or a backup: "
    "end that program and try again; no game that was kept is lost"
)


def url(file: Path, read_only: bool) -> sql.URL:
    """SQLite's address of a file, which may have any characters in its name."""
    if not read_only:
        return sql.URL.create("sqlite", database=str(file))
    return sql.URL.create(
        "sqlite", database=file.absolute().as_uri(), query=reading_query(str(file))
    )


def reading_query(file: str) -> dict[str, str]:
    """The query of an address at which a file is only read."""
    query = {"mode": "ro", "uri": "true"}
    if not os.path.exists(f"{file}-wal") or not os.access(os.path.dirname(file) or ".", os.W_OK):
        # Without a WAL nobody is writing; and readers of one write to a file beside it themselves.
        query["immutable"] = "1"
    return query


def read_only_address(file: str) -> str:
    """The address at which Python's own driver only reads a file."""
    words = "&".join(f"{key}={value}" for key, value in reading_query(file).items() if key != "uri")
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


def locked_text(error: BaseException | None) -> str | None:
    """The advice on a locked file, if that is the cause of an error of SQLite or of a library."""
    while error is not None:
        if getattr(error, "sqlite_errorname", "").startswith(LOCKED_NAMES):
            return END_THAT
        error = error.__cause__
    return None
