"""A game as `arena.db` has it: numbers that are counted, its texts, and what its moves cost."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from arena.match.efforts import Effort
from arena.match.game_row import GameResult, GameRow
from arena.match.record import HALF_POINTS, GameRecord, OpeningMade
from arena.storage.tables import GAMES, SEATS

MAX_TEXTS = 1 << 26
"""Bytes of the texts of a game; a foreign file may have any number in a few."""
SEPARATOR, LEVEL = "\0", 1
SHORT = 200
"""Bytes of texts below which compressing them, which takes as long as for many more, saves little.
Where they are kept as they are, they begin with the separator, and compressed ones never do."""
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
    texts = "", *texts_of(record), *_made_texts(record.made)
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
    found = dict(zip(TEXT_FIELDS, texts[:count], strict=True))
    return found | {"made": _made_from(*texts[count:]) if texts[count:] else None}


def _made_texts(made: OpeningMade | None) -> tuple[str, ...]:
    """An opening that players made as texts; none for one that was given."""
    return (made.rule, str(made.proposer), made.suggested, made.answers) if made else ()


def _made_from(rule: str, proposer: str, suggested: str, answers: str) -> OpeningMade:
    """The mirror of `_made_texts`."""
    return OpeningMade(rule, int(proposer), suggested, answers)


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
            if (known := results.get(told := (first, second, winner, reason))) is None:
                known = results[told] = _result_from(told, name_of)
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
