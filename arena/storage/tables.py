"""The tables of `arena.db`, and a game as their rows have it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import sqlalchemy as sql

from arena.match.game_row import GameResult, GameRow
from arena.match.record import HALF_POINTS, Effort, GameRecord, OpeningMade

METADATA = sql.MetaData()
SEATS = "first", "second"


def _numbers(*names: str) -> list[sql.Column[int]]:
    return [sql.Column(name, sql.Integer, nullable=False) for name in names]


def _reals(*names: str) -> list[sql.Column[float]]:
    return [sql.Column(name, sql.REAL, nullable=False) for name in names]


def _texts(*names: str) -> list[sql.Column[str]]:
    return [sql.Column(name, sql.Text, nullable=False) for name in names]


def _effort_of(seat: str) -> list[sql.Column[Any]]:
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
counting does not read them where they are long, its texts: see `packed_texts`."""
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

MAX_TEXTS = 1 << 26  # Bytes of the texts of a game; a foreign file may have any number in a few
SEPARATOR, LEVEL = "\0", 1
SHORT = 200
"""Texts of fewer bytes are not compressed: it would save little, and take as long as for more.
Such texts begin with the separator, which compressed ones never do."""
TEXT_FIELDS = (
    *("detail", "opening", "moves", "times", "nodes", "depths", "scores", "start", "digest"),
    *("pv", "info"),
)
"""Fields of a record in the order in which its texts are kept; those of `made` follow them."""
texts_of = attrgetter(*TEXT_FIELDS)

_OF_RECORD = ["first", "second", "round", "seed", "winner", "reason", "plies", "machine"]
SELECT_ROWS = (
    "SELECT id, first, second, winner, reason, key, cluster, content, rule, scored FROM games"
    " %sORDER BY id"
)
SELECT_RECORDS = f"SELECT id, {', '.join(_OF_RECORD)}, texts FROM games "
_SUMS = ", ".join(
    f"{'max' if name == 'overrun' else 'total'}({seat}_{name})"
    for seat in SEATS
    for name in Effort._fields
)
SELECT_EFFORTS = (
    f"SELECT first, second, count(*), sum(plies), {_SUMS} FROM games"
    " WHERE id <= ? AND id NOT IN (SELECT value FROM json_each(?)) GROUP BY first, second"
)
_COLUMNS = GAMES.columns.keys()
INSERT_GAME = f"INSERT INTO games ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"


def packed_texts(record: GameRecord) -> bytes:
    """The texts of a game, one after the other, compressed unless they are short."""
    made = record.made
    texts_of_made = (made.rule, str(made.proposer), made.suggested, made.answers) if made else ()
    texts = "", *texts_of(record), *texts_of_made
    whole = SEPARATOR.join([text.replace(SEPARATOR, "") for text in texts])
    data = whole.encode("utf-8", "surrogatepass")
    return data if len(data) < SHORT else zlib.compress(data, LEVEL)


def _unpacked_texts(data: bytes) -> dict[str, Any]:
    """The mirror of `packed_texts`; ValueError for anything else."""
    if not data.startswith(SEPARATOR.encode()):
        inflate = zlib.decompressobj()
        try:
            data = inflate.decompress(data, MAX_TEXTS)
        except zlib.error as error:
            raise ValueError(f"the texts of a game cannot be read: {error}") from None
        if not inflate.eof:
            raise ValueError("the texts of a game are cut, or have no end")
    count = len(TEXT_FIELDS)
    _, *texts = data.decode("utf-8", "surrogatepass").split(SEPARATOR, count + 5)
    found: dict[str, Any] = dict(zip(TEXT_FIELDS, texts[:count], strict=True))
    made = None
    if texts[count:]:
        rule, proposer, suggested, answers = texts[count:]
        made = OpeningMade(rule, int(proposer), suggested, answers)
    return found | {"made": made}


def rows_from(
    parts: Iterable[Sequence[Sequence[Any]]], name_of: Callable[[int], str]
) -> list[GameRow]:
    """The rows of what `SELECT_ROWS` gives, some at a time."""
    rows, make = list[GameRow](), GameRow._make
    # There may be a million rows, which share what can be shared.
    results: dict[tuple[Any, ...], tuple[GameResult, int]] = {}
    clusters: dict[int, int] = {}
    for part in parts:
        for id, first, second, winner, reason, key, cluster, content, rule, scored in part:
            values = first, second, winner, reason
            known = results.get(values)
            if known is None:
                known = results[values] = _result_from(values, name_of)
            result, seats = known
            cluster, identity = clusters.setdefault(cluster, cluster), content ^ seats
            rows.append(make((id, result, key, cluster, identity, name_of(rule), scored > 0)))
    return rows


def _result_from(values: Sequence[Any], name_of: Callable[[int], str]) -> tuple[GameResult, int]:
    """A result by the numbers of its players, and the hash of these; ValueError for no winner."""
    first, second, winner, reason = values
    if winner not in HALF_POINTS:
        raise ValueError(f"{winner} is no winner")
    result = GameResult(name_of(first), name_of(second), winner, reason)
    return result, result.seats


def record_from(values: Sequence[Any], name_of: Callable[[int], str]) -> GameRecord:
    """The record of what `SELECT_RECORDS` gives; ValueError for texts that cannot be read."""
    _, first, second, round, seed, winner, reason, plies, machine, texts = values
    if winner not in HALF_POINTS:
        raise ValueError(f"{winner} is no winner")
    return GameRecord(
        first=name_of(first),
        second=name_of(second),
        round=round,
        seed=seed,
        winner=winner,
        reason=reason,
        plies=plies,
        machine=name_of(machine),
        **_unpacked_texts(texts),
    )
