"""Games of a run one by one, in and out, in memory that does not grow with their number."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import sqlalchemy as sql

from arena.match.record import FIELDS, GameRecord
from arena.storage.database import Store, lacking_columns
from arena.storage.tables import GAMES_TABLE, INSERT_GAME, KEY, stored_values

BATCH = 1000
"""Games of one transaction."""
LIGHT = ("first", "second", "opening", "round", "seed", "winner", "reason", "digest")
"""Fields that tell which game it was, and how it ended."""
ONE_GAME = f"SELECT {{}} FROM games WHERE {' AND '.join(f'{name} = ?' for name in KEY)}"
LAST_ROUND = "SELECT max(round) FROM games WHERE first = ? AND second = ? AND opening = ?"
TEXTS = ("detail", "moves", "times", "nodes", "depths", "scores")
BLANKS = {**dict.fromkeys(TEXTS, ""), "plies": 0}
"""Fields that a record must have, and of which a light one has nothing."""


class Rows(Store):
    """Holds the database of a run whose games are looked at, or added, one by one."""

    def __init__(self, file: Path, read_only: bool = False) -> None:
        super().__init__(file, read_only)
        self._pending = 0
        with self._faults(), self._engine.connect() as connection:
            lacking = lacking_columns(connection)
        self._columns = [GAMES_TABLE.c[name] for name in FIELDS if name not in lacking]

    def add(self, record: GameRecord) -> None:
        """Keep one game; many are kept at once, the last of them by `flush`."""
        with self._faults():
            self._driver.execute(INSERT_GAME, stored_values(record))
        self._pending += 1
        if self._pending == BATCH:
            self.flush()

    def flush(self) -> None:
        """Keep what was added."""
        with self._faults():
            self._driver.commit()
        self._pending = 0

    def last_round(self, first: str, second: str, opening: str) -> int:
        """The last round in which these two played this opening; 0 for none."""
        with self._faults():
            return int(
                self._driver.execute(LAST_ROUND, (first, second, opening)).fetchone()[0] or 0
            )

    def has(self, key: tuple[str, str, str, int]) -> bool:
        """Tell whether a game with this key is kept."""
        with self._faults():
            return self._driver.execute(ONE_GAME.format("1"), key).fetchone() is not None

    def find(self, key: tuple[str, str, str, int]) -> GameRecord | None:
        """The game with this key, if it is kept."""
        names = [column.name for column in self._columns]
        with self._faults():
            row = self._driver.execute(ONE_GAME.format(", ".join(names)), key).fetchone()
        return row and GameRecord(*row)

    def each(self) -> Iterator[GameRecord]:
        """Every game, in the order in which they ended."""
        rows = self.rows(sql.select(*self._columns).order_by(sql.text("rowid")))
        return (GameRecord(*row) for row in rows)

    def each_light(self) -> Iterator[GameRecord]:
        """Every game, without what was played: moves only where no mark stands for them."""
        columns = [column for column in self._columns if column.name in LIGHT]
        if len(columns) < len(LIGHT):
            columns.append(GAMES_TABLE.c.moves)
        names = [column.name for column in columns]
        for row in self.rows(sql.select(*columns).order_by(sql.text("rowid"))):
            yield GameRecord(**{**BLANKS, **dict(zip(names, row, strict=True))})

    @property
    def _driver(self) -> sqlite3.Connection:
        """The connection below SQLAlchemy's, whose statements take a tenth of the time."""
        return cast(sqlite3.Connection, self._connection.connection.driver_connection)
