"""The tables of `arena.db`."""

from __future__ import annotations

import sqlalchemy as sql

METADATA = sql.MetaData()


def _numbers(*names: str) -> list[sql.Column[int]]:
    return [sql.Column(name, sql.Integer, nullable=False) for name in names]


def _reals(*names: str) -> list[sql.Column[float]]:
    return [sql.Column(name, sql.REAL, nullable=False) for name in names]


def _texts(*names: str) -> list[sql.Column[str]]:
    return [sql.Column(name, sql.Text, nullable=False) for name in names]


NAMES = sql.Table(
    "names",
    METADATA,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("name", sql.Text, nullable=False, unique=True),
    sqlite_strict=True,
)
"""Names of players and of machines, which games have the numbers of."""
GAMES = sql.Table(
    "games",
    METADATA,
    sql.Column("id", sql.Integer, primary_key=True),
    *_numbers("first", "second"),
    sql.Column("winner", sql.Integer, sql.CheckConstraint("winner IN (1, 2)")),
    *_texts("reason"),
    *_numbers("plies", "laid"),
    sql.Column("key", sql.Integer, nullable=False, unique=True),
    *_numbers("cluster", "content", "made", "scored", "opening", "round", "seed", "machine"),
    sqlite_strict=True,
)
"""What is counted of each game: the fields of `GameRow` with the numbers of names, then what tells
games apart. `opening` is the digest of the opening in the game's `key`."""
TEXTS = sql.Table(
    "texts",
    METADATA,
    sql.Column("game", sql.Integer, primary_key=True),
    sql.Column("texts", sql.LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""What was played and said in each game: see `games.packed_texts`."""
EFFORTS = sql.Table(
    "efforts",
    METADATA,
    sql.Column("game", sql.Integer, primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True),
    *_numbers("player", "choices"),
    *_reals("time", "nodes", "time_with_nodes"),
    *_numbers("searched"),
    *_reals("searched_depths"),
    *_numbers("deep"),
    *_reals("deep_depths"),
    sql.Column("overrun", sql.REAL),
    *_numbers("near"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""What the moves of each player cost: see `match.efforts`."""
MACHINES = sql.Table(
    "machines",
    METADATA,
    sql.Column("name", sql.Text, primary_key=True),
    *_numbers("cores", "megabytes"),
    *(sql.Column(name, sql.REAL) for name in ("speed", "slowest", "fastest")),
    sqlite_strict=True,
)
FILES = sql.Table(
    "files",
    METADATA,
    *_texts("file", "format", "sha256"),
    *_numbers("games", "left_out"),
    sqlite_strict=True,
)
SESSIONS = sql.Table(
    "sessions",
    METADATA,
    sql.Column("began", sql.REAL, primary_key=True),
    *_reals("ended"),
    *_numbers("workers", "cores"),
    *_reals("least_load", "most_load"),
    sqlite_strict=True,
)
FACTS = sql.Table("facts", METADATA, *_texts("json"), sqlite_strict=True)
"""One row: the config that the games are of, with every player that has one."""
