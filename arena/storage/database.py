"""The games of one run in `arena.db`: kept and read one by one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, cast

import sqlalchemy as sql

from arena.errors import ConfigError, Fault
from arena.match.packed import PACKED
from arena.match.record import MOST_AT_ONCE, GameKey, GameRecord, split_opening
from arena.storage.connection import patient, set_pragmas, set_small_cache, unusable, url
from arena.storage.history import Session
from arena.storage.network_drive import refuse_network_drive
from arena.storage.tables import (
    FACTS,
    GAMES_TABLE,
    INSERT_GAME,
    KEY,
    METADATA,
    SESSIONS,
    STORED,
    record_of,
    records_of,
    stored_values,
)

OTHER_VERSION = (
    "was kept by another version of gomoku-arena, which this one cannot read: delete the folder, "
    "or choose another name"
)
SQLITE_TYPES: dict[type, str] = {str: "TEXT", int: "INTEGER", bytes: "BLOB"}
YEAR_10_000 = 253_402_300_800.0
"""Seconds since 1970, from which on calendars end."""
BATCH = 1000
"""Games of one transaction, where many are added."""
FIRST_READ = {GAMES_TABLE.name, FACTS.name}
"""Tables that every run has had since the first version."""
ONE_GAME = f"SELECT {', '.join(STORED)} FROM games WHERE "
LAST_ROUND = "SELECT max(round) FROM games WHERE "

IS_STRICT = f"SELECT strict FROM pragma_table_list('{GAMES_TABLE.name}') WHERE schema = 'main'"
TABLE_INFO = f"PRAGMA table_info({GAMES_TABLE.name})"
OWN_TYPES = {column.name: SQLITE_TYPES[column.type.python_type] for column in GAMES_TABLE.columns}
OTHER_VALUES = f"SELECT 1 FROM {GAMES_TABLE.name} WHERE " + " OR ".join(
    f"typeof({column.name}) NOT IN ('{OWN_TYPES[column.name].lower()}'"
    + (", 'null')" if column.nullable else ")")
    for column in GAMES_TABLE.columns
)


class Store:
    """Holds the database's connection; one process writes, others may read meanwhile."""

    def __init__(self, file: Path, read_only: bool = False) -> None:
        """Open the file, and unless it is only read, make it if there is none.

        ConfigError here and in all methods if the file is no database of a run, and here if it is
        to be written to on a network drive.
        """
        if not read_only:
            refuse_network_drive(file.parent)
        self.file = file
        self._pending = 0
        self._engine = sql.create_engine(url(file, read_only), connect_args=patient())
        with self._faults(), ExitStack() as stack:
            stack.callback(self._engine.dispose)
            on_connect = set_small_cache if read_only else set_pragmas
            sql.event.listen(self._engine, "connect", on_connect)
            self._check_tables()
            if not read_only:
                METADATA.create_all(self._engine)
            self._connection = self._engine.connect()
            stack.pop_all()

    @property
    def is_made(self) -> bool:
        """False for a file whose process was stopped before it had made the tables, first of all.

        That is no fault of the file: the next process that writes makes those that are missing.
        """
        with self._faults():
            found = {*sql.inspect(self._connection).get_table_names()}
        return found >= FIRST_READ or not found <= {*METADATA.tables}

    def append(self, record: GameRecord) -> None:
        """Keep one game: all of it or, if killed on the way, nothing.

        ConfigError if the file was removed: no game would be kept any more.
        """
        if not self.file.exists():
            message = "was removed or moved while games were played into it: no more are played"
            raise ConfigError(Fault(str(self.file), message))
        self.add(record)
        self.flush()

    def add(self, record: GameRecord) -> None:
        """Keep one game; many are kept at once, the last of them by `flush`."""
        with self._faults():
            self._driver.execute(INSERT_GAME, stored_values(record))
        self._pending += 1
        if self._pending == BATCH:
            self.flush()

    def flush(self) -> None:
        """Commit the rows that were added."""
        with self._faults():
            self._driver.commit()
        self._pending = 0

    def games(self) -> list[GameRecord]:
        """Every game kept, in the order in which they ended."""
        records = list(self.each())
        if not {record.winner for record in records} <= {None, 1, 2}:
            self._refuse(GAMES_TABLE)
        return records

    def each(self) -> Iterator[GameRecord]:
        """Every game, one by one, in the order in which they ended."""
        columns = [GAMES_TABLE.c[name] for name in STORED]
        rows = self.rows(sql.select(*columns).order_by(sql.text("rowid")))
        while batch := list(islice(rows, BATCH)):
            yield from records_of(batch)

    def last_round(self, first: str, second: str, opening: str) -> int:
        """The last round in which these two played this opening; 0 for none."""
        rounds = [0]
        with self._faults():
            for one, other, _, *rest in places_of((first, second, opening, 0)):
                wanted = " AND ".join(f"{name} = ?" for name in KEY[:2] + KEY[3 : 3 + len(rest)])
                row = self._driver.execute(LAST_ROUND + wanted, (one, other, *rest)).fetchone()
                rounds.append(row[0] or 0)
        return max(rounds)

    def has(self, key: GameKey) -> bool:
        """Tell whether a game with this key is kept."""
        return self.find(key) is not None

    def find(self, key: GameKey) -> GameRecord | None:
        """The game with this key, if it is kept."""
        with self._faults():
            for place in places_of(key):
                query = ONE_GAME + " AND ".join(f"{name} = ?" for name in KEY[: len(place)])
                if row := self._driver.execute(query, place).fetchone():
                    return record_of(row)
        return None

    def rounds(self) -> list[int]:
        """The round of every game, in the order in which they ended."""
        rows = self.rows(sql.select(GAMES_TABLE.c.round).order_by(sql.text("rowid")))
        return [number for (number,) in rows]

    def players(self) -> set[str]:
        """The names of all players with a game here."""
        return {name for both in self.meetings() for name in both}

    def count(self) -> int:
        """The number of games that are kept, what was begun and not committed left out."""
        with self._faults():
            self._driver.rollback()
            return int(self._driver.execute("SELECT count(*) FROM games").fetchone()[0])

    def meetings(self) -> dict[tuple[str, str], int]:
        """The number of games by first and second player."""
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

    @contextmanager
    def transaction(self) -> Iterator[sql.Connection]:
        """The connection, for statements that are kept all at once or not at all."""
        with self._faults():
            try:
                yield self._connection
                self._connection.commit()
            finally:
                self._connection.rollback()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
        self._engine.dispose()

    def rows(self, query: sql.Select[Any]) -> Iterator[Sequence[Any]]:
        """The rows of one table; ConfigError after them if a value is not of its column's type."""
        kinds = set[tuple[type, ...]]()
        with self._faults(), self._engine.connect() as connection:
            for batch in connection.execute(query).partitions(BATCH):
                kinds |= {tuple(map(type, row)) for row in batch}
                yield from batch
        columns = query.selected_columns
        if any(not all(map(fits, columns, found)) for found in kinds):
            self._refuse(columns[0].table)

    def plain_rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a statement, some at a time; values may be of any type."""
        with self._faults(), closing(self._driver.cursor()) as cursor:
            cursor.execute(query, values)
            while part := cursor.fetchmany(MOST_AT_ONCE):
                yield part

    def check_games(self) -> None:
        """Raise a ConfigError for games with a value that is not of its column's type.

        SQLite sees to it in a table of ours.
        """
        with self._faults():
            is_strict = self._driver.execute(IS_STRICT).fetchone() == (1,)
            types = {row[1]: row[2] for row in self._driver.execute(TABLE_INFO)}
            if is_strict and types == OWN_TYPES:
                return
            if self._driver.execute(OTHER_VALUES).fetchone():
                self._refuse(GAMES_TABLE)

    @contextmanager
    def refusing_games(self) -> Iterator[None]:
        """Turn a row that cannot be read as a game into a ConfigError."""
        try:
            yield
        except (KeyError, OverflowError, TypeError, ValueError):
            self._refuse(GAMES_TABLE)

    def _refuse(self, table: sql.FromClause) -> NoReturn:
        """Raise a ConfigError about a table that another program has written, or changed."""
        message = f"its table {table.description} has other values than a run keeps"
        raise ConfigError(Fault(str(self.file), message))

    def _check_tables(self) -> None:
        """Raise a ConfigError for tables of another version, and for views.

        A foreign view may have rows without an end.
        """
        views = "SELECT name FROM sqlite_master WHERE type = 'view'"
        with self._engine.connect() as connection:
            if connection.exec_driver_sql(views).first():
                raise ConfigError(Fault(str(self.file), "has a view, which no run keeps"))
            for name, table in METADATA.tables.items():
                rows = connection.exec_driver_sql(f"PRAGMA table_info({name})")
                found = {row[1]: row[2] for row in rows}
                if found and ({*found} != {*table.columns.keys()} or has_texts(name, found)):
                    raise ConfigError(Fault(str(self.file), OTHER_VERSION))

    @property
    def _driver(self) -> sqlite3.Connection:
        """The connection below SQLAlchemy's, whose statements take a tenth of the time."""
        return cast(sqlite3.Connection, self._connection.connection.driver_connection)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """A file that is no database of ours is the user's to mend."""
        try:
            yield
        except (sql.exc.DBAPIError, sqlite3.Error, UnicodeDecodeError) as error:
            cause = getattr(error, "orig", error)
            broken = f"cannot be used as the database of a run: {cause}"
            raise unusable(self.file, error, broken) from None


def places_of(key: GameKey) -> Iterator[tuple[str | int, ...]]:
    """The first values of the primary key with which a game may be kept: where players make the
    opening, neither it nor their colours are known before."""
    one, other, opening, round = key
    rule, _ = split_opening(opening)
    if not rule:
        yield one, other, round, 0, "", opening
        return
    yield one, other, round, 1, opening
    yield other, one, round, 2, opening


def has_texts(table: str, types: Mapping[str, str]) -> bool:
    """Tell whether a table keeps times and the like as texts, as versions before did."""
    return table == GAMES_TABLE.name and any(types[name] == "TEXT" for name in PACKED)


def fits(column: sql.ColumnElement[Any], kind: type) -> bool:
    """Tell whether a column may have values of this type: in a file of ours SQLite sees to it."""
    wanted = column.type.python_type
    is_none = getattr(column, "nullable", False) and kind is type(None)
    return kind is wanted or is_none or (wanted is float and kind is int)
