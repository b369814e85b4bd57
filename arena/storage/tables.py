"""The tables of `arena.db`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

import sqlalchemy as sql

from arena.match.packed import PACKED, PackedName, packed, unpacked, unpacked_columns
from arena.match.record import PLAIN_FIELDS, GameRecord, OpeningMade


class PackedColumn(sql.LargeBinary):
    """Bytes as they are in the file, where other programs may have put another type."""

    def result_processor(self, dialect: object, coltype: object) -> None:
        """Nothing is done to values."""


METADATA = sql.MetaData()
GAMES_TABLE = sql.Table(
    "games",
    METADATA,
    sql.Column("first", sql.Text, primary_key=True),
    sql.Column("second", sql.Text, primary_key=True),
    sql.Column("round", sql.Integer, primary_key=True),
    sql.Column("proposer", sql.Integer, primary_key=True),
    sql.Column("by_rule", sql.Text, primary_key=True),
    sql.Column("opening", sql.Text, primary_key=True),
    sql.Column("seed", sql.Integer, nullable=False),
    sql.Column("winner", sql.Integer, sql.CheckConstraint("winner IN (1, 2)")),
    sql.Column("reason", sql.Text, nullable=False),
    sql.Column("detail", sql.Text, nullable=False),
    sql.Column("plies", sql.Integer, nullable=False),
    sql.Column("moves", sql.Text, nullable=False),
    sql.Column("times", PackedColumn, nullable=False),
    sql.Column("nodes", PackedColumn, nullable=False),
    sql.Column("depths", PackedColumn, nullable=False),
    sql.Column("scores", PackedColumn, nullable=False),
    sql.Column("start", sql.Text, nullable=False),
    sql.Column("digest", sql.Text, nullable=False),
    sql.Column("pv", sql.Text, nullable=False),
    sql.Column("info", sql.Text, nullable=False),
    sql.Column("answers", sql.Text, nullable=False),
    sql.Column("machine", sql.Text, nullable=False),
    sqlite_strict=True,
)
KEY = [column.name for column in GAMES_TABLE.primary_key]
STORED = [*PLAIN_FIELDS, "machine", "proposer", "by_rule", "answers"]
FIRST_PACKED = STORED.index(PACKED[0])
"""The place of the columns that are kept as `match.packed` tells, one after the other."""
values_in_order = attrgetter(*PLAIN_FIELDS, "machine")


def stored_values(record: GameRecord) -> tuple[Any, ...]:
    """The values of a game as its row has them."""
    values = values_in_order(record)
    end = FIRST_PACKED + len(PACKED)
    return (
        *values[:FIRST_PACKED],
        *map(packed, PACKED, values[FIRST_PACKED:end]),
        *values[end:],
        *((made.proposer, made.start, made.answers) if (made := record.made) else (0, "", "")),
    )


def record_of(row: Sequence[Any]) -> GameRecord:
    """The game of a row; a value of another type than ours stays as it is."""
    end = FIRST_PACKED + len(PACKED)
    texts = map(text_of, PACKED, row[FIRST_PACKED:end])
    *rest, machine, proposer, by_rule, answers = row[end:]
    made = made_of(proposer, by_rule, answers)
    return GameRecord(*[*row[:FIRST_PACKED], *texts, *rest, made, machine])


def made_of(proposer: int, by_rule: str, answers: str) -> OpeningMade | None:
    """The opening of a row, if the players made it."""
    if not proposer:
        return None
    rule, _, suggested = by_rule.partition(" ")
    return OpeningMade(rule, proposer, suggested, answers)


def records_of(rows: Sequence[Sequence[Any]]) -> Iterator[GameRecord]:
    """The games of many rows."""
    values = list(zip(*rows, strict=True))
    for place, name in enumerate(PACKED, start=FIRST_PACKED):
        if all(isinstance(value, bytes) for value in values[place]):
            values[place] = tuple(unpacked_columns(name, values[place]))
        else:
            values[place] = tuple(text_of(name, value) for value in values[place])
    *values, machines, proposers, rules, answers = values
    return map(GameRecord, *values, map(made_of, proposers, rules, answers), machines)


def text_of(name: PackedName, value: Any) -> Any:
    """The text of a packed column."""
    return unpacked(name, value) if isinstance(value, bytes) else value


INSERT_GAME = (
    f"INSERT INTO {GAMES_TABLE.name} ({', '.join(STORED)}) VALUES ({', '.join('?' * len(STORED))})"
)
MACHINES = sql.Table(
    "machines",
    METADATA,
    sql.Column("name", sql.Text, primary_key=True),
    sql.Column("cores", sql.Integer, nullable=False),
    sql.Column("megabytes", sql.Integer, nullable=False),
    sql.Column("speed", sql.REAL),
    sql.Column("slowest", sql.REAL),
    sql.Column("fastest", sql.REAL),
    sqlite_strict=True,
)
FILES_TABLE = sql.Table(
    "files",
    METADATA,
    sql.Column("file", sql.Text, nullable=False),
    sql.Column("format", sql.Text, nullable=False),
    sql.Column("sha256", sql.Text, nullable=False),
    sql.Column("games", sql.Integer, nullable=False),
    sql.Column("left_out", sql.Integer, nullable=False),
    sqlite_strict=True,
)
SESSIONS = sql.Table(
    "sessions",
    METADATA,
    sql.Column("began", sql.REAL, primary_key=True),
    sql.Column("ended", sql.REAL, nullable=False),
    sql.Column("workers", sql.Integer, nullable=False),
    sql.Column("cores", sql.Integer, nullable=False),
    sql.Column("least_load", sql.REAL, nullable=False),
    sql.Column("most_load", sql.REAL, nullable=False),
    sqlite_strict=True,
)
FACTS = sql.Table("facts", METADATA, sql.Column("json", sql.Text, nullable=False))
"""One row: the config that the games are of, with every player that has one."""
