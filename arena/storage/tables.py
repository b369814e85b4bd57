"""The tables of `arena.db`."""

from __future__ import annotations

from itertools import chain
from typing import Any

import sqlalchemy as sql

METADATA = sql.MetaData()
SEATS = "first", "second"


def _numbers(*names: str) -> list[sql.Column[int]]:
    return [sql.Column(name, sql.Integer, nullable=False) for name in names]


def _reals(*names: str) -> list[sql.Column[float]]:
    return [sql.Column(name, sql.REAL, nullable=False) for name in names]


def _texts(*names: str) -> list[sql.Column[str]]:
    return [sql.Column(name, sql.Text, nullable=False) for name in names]


def _effort_of(seat: str) -> list[sql.Column[Any]]:
    """The columns of what the moves of a player cost."""
    return [
        *_numbers(f"{seat}_choices", f"{seat}_time"),
        *_reals(f"{seat}_nodes"),
        *_numbers(f"{seat}_time_with_nodes", f"{seat}_searched"),
        *_reals(f"{seat}_searched_depths"),
        *_numbers(f"{seat}_deep"),
        *_reals(f"{seat}_deep_depths"),
        sql.Column(f"{seat}_overrun", sql.Integer),
        *_numbers(f"{seat}_near"),
    ]


NAMES = sql.Table(
    "names",
    METADATA,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("name", sql.Text, nullable=False, unique=True),
    sqlite_strict=True,
)
"""Names of players, opening rules and machines, which games have the numbers of."""
GAMES = sql.Table(
    "games",
    METADATA,
    sql.Column("id", sql.Integer, primary_key=True),
    *_numbers("first", "second"),
    sql.Column("winner", sql.Integer, sql.CheckConstraint("winner IN (1, 2)")),
    *_texts("reason"),
    sql.Column("key", sql.Integer, nullable=False, unique=True),
    *_numbers("cluster", "content", "rule", "scored", "round", "seed", "plies", "machine"),
    *chain.from_iterable(map(_effort_of, SEATS)),
    sql.Column("texts", sql.LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""What is counted of each game: the fields of `GameRow`, with numbers of names and the `content` of
its identity; what else a record has in numbers; the `Effort` of both players; and last, so that
counting does not read them where they are long, its texts: see `games.packed_texts`."""
MACHINES = sql.Table(
    "machines",
    METADATA,
    sql.Column("name", sql.Text, primary_key=True),
    *_numbers("cores", "megabytes"),
    # Kept no more, but in the tables of every run.
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
TRIALS = sql.Table(
    "trial_rounds",
    METADATA,
    sql.Column("round", sql.Integer, primary_key=True),
    *_texts("point"),
    *_numbers("openings"),
    sqlite_strict=True,
)
"""The trials of a user's own studies of Optuna, by the rounds of their games: the names of their
points, and the openings after which each ended; 0 before."""
ASKED = sql.Table(
    "asked_trials",
    METADATA,
    sql.Column("round", sql.Integer, primary_key=True),
    *_texts("json"),
    sqlite_strict=True,
)
"""The trials that a study's method has asked for, by the rounds of their games."""
SEARCH = sql.Table(
    "search",
    METADATA,
    sql.Column("name", sql.Text, primary_key=True),
    *_texts("json"),
    sqlite_strict=True,
)
"""What else a study keeps of its search, by its name: the digits of the numbers that its method
proposes, from the beginning on, and once all trials are told, what it found."""
FACTS = sql.Table("facts", METADATA, *_texts("json"), sqlite_strict=True)
"""One row: the config that the games are of, with every player that has one."""
