"""The games of one run in `arena.db`: appended one by one, each in a transaction of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import sqlalchemy as sql

from arena.match import GameRecord

METADATA = sql.MetaData()
GAMES = sql.Table(
    "games",
    METADATA,
    sql.Column("first", sql.Text, primary_key=True),
    sql.Column("second", sql.Text, primary_key=True),
    sql.Column("opening", sql.Text, primary_key=True),
    sql.Column("round", sql.Integer, primary_key=True),
    sql.Column("seed", sql.Integer, nullable=False),
    sql.Column("winner", sql.Integer),
    sql.Column("reason", sql.Text, nullable=False),
    sql.Column("detail", sql.Text, nullable=False),
    sql.Column("plies", sql.Integer, nullable=False),
    sql.Column("moves", sql.Text, nullable=False),
    sql.Column("times", sql.Text, nullable=False),
    sql.Column("nodes", sql.Text, nullable=False),
    sql.Column("depths", sql.Text, nullable=False),
    sql.Column("scores", sql.Text, nullable=False),
    sqlite_strict=True,
)


class Store:
    """Holds the database's connection; one process writes, others may read meanwhile."""

    def __init__(self, file: Path) -> None:
        """Open the file, and make it if there is none."""
        self._engine = sql.create_engine(f"sqlite:///{file}")
        sql.event.listen(self._engine, "connect", set_pragmas)
        METADATA.create_all(self._engine)
        self._connection = self._engine.connect()

    def append(self, record: GameRecord) -> None:
        """Keep one game: all of it or, if killed on the way, nothing."""
        self._connection.execute(GAMES.insert(), asdict(record))
        self._connection.commit()

    def games(self) -> Iterator[GameRecord]:
        """Every game kept, in the order in which they ended."""
        with self._engine.connect() as connection:
            for row in connection.execute(sql.select(GAMES).order_by(sql.text("rowid"))):
                yield GameRecord(*row)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
        self._engine.dispose()


def set_pragmas(connection: sql.engine.interfaces.DBAPIConnection, _: object) -> None:
    """WAL lets others read meanwhile; a commit then survives any kill, if not a power cut."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.close()
