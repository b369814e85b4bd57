"""The games of one run in `arena.db`: appended one by one, each in a transaction of its own."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, NoReturn, cast

import sqlalchemy as sql

from arena.config.settings import one_named
from arena.errors import ConfigError, Fault
from arena.match.copies import marks_of_all
from arena.match.record import GameRecord
from arena.plugins.load import load_game
from arena.storage.connection import locked_text, set_pragmas, url
from arena.storage.history import Session
from arena.storage.tables import (
    ADDED,
    FACTS,
    GAMES_TABLE,
    INSERT_GAME,
    KEY,
    MARK,
    METADATA,
    SESSIONS,
    stored_values,
)

YEAR_10_000 = 253_402_300_800.0
"""Seconds since 1970, from which on calendars end."""

digest_of = attrgetter("digest")


class Store:
    """Holds the database's connection; one process writes, others may read meanwhile."""

    def __init__(self, file: Path, read_only: bool = False) -> None:
        """Open the file, and unless it is only read, make it if there is none.

        ConfigError here and in all methods if the file is no database of a run.
        """
        self._file = file
        self._engine = sql.create_engine(url(file, read_only))
        with self._faults(), ExitStack() as stack:
            stack.callback(self._engine.dispose)
            if not read_only:
                sql.event.listen(self._engine, "connect", set_pragmas)
                METADATA.create_all(self._engine)
            self._check_kinds()
            self._connection = self._engine.connect()
            if not read_only:
                self._widen()
            stack.pop_all()

    def append(self, record: GameRecord) -> None:
        """Keep one game: all of it or, if killed on the way, nothing."""
        # Ten times faster than a statement that is built anew.
        connection = cast(sqlite3.Connection, self._connection.connection.driver_connection)
        with self._faults():
            connection.execute(INSERT_GAME, stored_values(record))
            connection.commit()

    def games(self) -> list[GameRecord]:
        """Every game kept, in the order in which they ended."""
        with self._faults(), self._engine.connect() as connection:
            lacking = lacking_columns(connection)
        columns = [column for column in GAMES_TABLE.c if column.name not in lacking]
        rows = self.rows(sql.select(*columns).order_by(sql.text("rowid")))
        records = [GameRecord(*row) for row in rows]
        if not {record.winner for record in records} <= {None, 1, 2}:
            self._refuse(GAMES_TABLE)
        return records if all(map(digest_of, records)) else self._marked(records)

    def players(self) -> set[str]:
        """Everybody who has a game here."""
        return {name for both in self.meetings() for name in both}

    def meetings(self) -> dict[tuple[str, str], int]:
        """Games by who moved first and second."""
        seats = GAMES_TABLE.c.first, GAMES_TABLE.c.second
        rows = self.rows(sql.select(*seats, sql.func.count()).group_by(*seats))
        return {(first, second): games for first, second, games in rows}

    def facts(self) -> dict[str, Any]:
        """The config that was noted; nothing yet in a new file."""
        text = next((row[0] for row in [*self.rows(sql.select(FACTS.c.json))]), "{}")
        with suppress(ValueError, RecursionError):
            if isinstance(facts := json.loads(text), dict):
                return facts
        return self._refuse(FACTS)

    def note(self, facts: dict[str, Any]) -> None:
        """Keep the config that the games are of."""
        with self._faults():
            self._connection.execute(FACTS.delete())
            self._connection.execute(FACTS.insert(), {"json": json.dumps(facts)})
            self._connection.commit()

    def keep_session(self, session: Session) -> None:
        """Keep a session, in place of what was known of it before."""
        with self._faults():
            self._connection.execute(SESSIONS.insert().prefix_with("OR REPLACE"), asdict(session))
            self._connection.commit()

    def sessions(self) -> list[Session]:
        """Every time that the run was played, in order."""
        rows = self.rows(sql.select(SESSIONS).order_by(SESSIONS.c.began))
        found = [Session(*row) for row in rows]
        if not all(0 <= at < YEAR_10_000 for each in found for at in (each.began, each.ended)):
            self._refuse(SESSIONS)
        return found

    def has_table(self, table: sql.Table) -> bool:
        """Tell whether the file has a table, which those of earlier versions lack."""
        with self._faults(), self._engine.connect() as connection:
            return bool(sql.inspect(connection).has_table(table.name))

    def has_column(self, column: sql.Column[Any]) -> bool:
        """Tell whether the games have a column, which those of earlier versions lack."""
        with self._faults(), self._engine.connect() as connection:
            return column.name not in lacking_columns(connection)

    @contextmanager
    def transaction(self) -> Iterator[sql.Connection]:
        """The connection, for statements that are kept all at once or not at all."""
        with self._faults():
            try:
                yield self._connection
                self._connection.commit()
            finally:
                self._connection.rollback()

    def _widen(self) -> None:
        """Give games that an earlier version kept the columns that they lack, all at once.

        That version can still go on with the file.
        """
        connection = self._connection
        lacking = lacking_columns(connection)
        connection.rollback()
        if not lacking:
            return
        records = self.games()
        connection.exec_driver_sql("BEGIN")
        for name in lacking:
            column = f"{name} TEXT NOT NULL DEFAULT ''"
            connection.exec_driver_sql(f"ALTER TABLE games ADD COLUMN {column}")
        if records:
            connection.execute(
                MARK,
                [
                    {f"_{name}": getattr(record, name) for name in (*KEY, "start", "digest")}
                    for record in records
                ],
            )
        connection.commit()

    def _marked(self, records: Sequence[GameRecord]) -> list[GameRecord]:
        """The games, with the marks that an earlier version did not give them."""
        try:
            game = load_game(one_named(self.facts()["game"]))
        except (ConfigError, AttributeError, KeyError, TypeError, ValueError):
            game = None
        marks = marks_of_all(game, ((record.opening, record.moves) for record in records))
        return [
            record if record.digest else replace(record, start=start, digest=digest)
            for record, (start, digest) in zip(records, marks, strict=True)
        ]

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
        self._engine.dispose()

    def rows(self, query: sql.Select[Any]) -> Iterator[Sequence[Any]]:
        """The rows of one table; ConfigError after them if a value is not of its column's type."""
        kinds = set()
        with self._faults(), self._engine.connect() as connection:
            for row in connection.execute(query):
                kinds.add(tuple(map(type, row)))
                yield row
        columns = list(query.selected_columns)
        if any(not all(map(fits, columns, found)) for found in kinds):
            self._refuse(columns[0].table)

    def _refuse(self, table: sql.FromClause) -> NoReturn:
        """Raise a ConfigError about a table that another program has written, or changed."""
        message = f"its table {table.description} has other values than a run keeps"
        raise ConfigError(Fault(str(self._file), message))

    def _check_kinds(self) -> None:
        """Raise a ConfigError if there are views: a foreign one may have rows without an end."""
        found = "SELECT name FROM sqlite_master WHERE type = 'view'"
        with self._engine.connect() as connection:
            if connection.exec_driver_sql(found).first():
                raise ConfigError(Fault(str(self._file), "has a view, which no run keeps"))

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """A file that is no database of ours is the user's to mend."""
        try:
            yield
        except (sql.exc.DBAPIError, sqlite3.Error, UnicodeDecodeError) as error:
            cause = getattr(error, "orig", error)
            broken = f"cannot be read as the database of a run: {cause}"
            raise ConfigError(Fault(str(self._file), locked_text(error) or broken)) from None


def lacking_columns(connection: sql.Connection) -> list[str]:
    """The columns that the games of an earlier version lack."""
    found = {row[1] for row in connection.exec_driver_sql("PRAGMA table_info(games)")}
    return [name for name in ADDED if name not in found]


def fits(column: sql.ColumnElement[Any], kind: type) -> bool:
    """Tell whether a column may have values of this type: in a file of ours SQLite sees to it."""
    wanted = column.type.python_type
    is_none = getattr(column, "nullable", False) and kind is type(None)
    return kind is wanted or is_none or (wanted is float and kind is int)
