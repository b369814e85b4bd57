"""A run's database as SQLite opens it, and the words for one that another program has locked."""

from __future__ import annotations

import os
from contextlib import ExitStack, closing
from pathlib import Path

import sqlalchemy as sql

LOCKED_NAMES = ("SQLITE_BUSY", "SQLITE_LOCKED")
"""Beginnings of SQLite's names for errors with a file that another process has locked."""
END_THAT = (
    "is locked by another program, such as a viewer of databases or a backup: "
    "end that program and try again; no game that was kept is lost"
)


def url(file: Path, read_only: bool) -> sql.URL:
    """SQLite's address of a file, whatever characters its name has."""
    if not read_only:
        return sql.URL.create("sqlite", database=str(file))
    query = {"mode": "ro", "uri": "true"}
    if not file.with_name(f"{file.name}-wal").exists() or not os.access(file.parent, os.W_OK):
        # Without a WAL nobody is writing; and readers of one write to a file beside it themselves.
        query["immutable"] = "1"
    return sql.URL.create("sqlite", database=file.absolute().as_uri(), query=query)


def set_pragmas(connection: sql.engine.interfaces.DBAPIConnection, _: object) -> None:
    """WAL lets others read meanwhile; a commit then survives any kill, if not a power cut."""
    with ExitStack() as stack:
        stack.callback(connection.close)  # if it refuses, nobody else gets it to close
        with closing(connection.cursor()) as cursor:
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=NORMAL")
        stack.pop_all()


def locked_text(error: BaseException | None) -> str | None:
    """The advice on a locked file, if that is the cause of an error of SQLite or of a library."""
    while error is not None:
        if getattr(error, "sqlite_errorname", "").startswith(LOCKED_NAMES):
            return END_THAT
        error = error.__cause__
    return None
