"""The games of a run's database as columns, and what was played in them, read in parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import chain
from operator import eq, itemgetter
from pathlib import Path
from typing import Any

from arena.errors import ConfigError, Fault
from arena.match.columns import COLUMNS, THROWN_AWAY, GameColumns, Games, Integers
from arena.match.packed import PackedName
from arena.match.record import GameRecord
from arena.storage.database import BATCH, Store
from arena.storage.tables import STORED, records_of

SPARSE = 4
"""Rows of a range for each that is wanted, beyond which each is looked up by itself."""
WHOLE = "CASE digest WHEN '' THEN moves ELSE digest END"
COLUMNS_QUERY = (
    f"SELECT rowid, {', '.join(COLUMNS[:-2])}, length(scores), {WHOLE} FROM games ORDER BY rowid"
)


def kept_games(store: Store) -> Games:
    """All games that are kept, in the order in which they ended; ConfigError as in `Store.rows`."""
    store.check_games()
    columns = GameColumns()
    for part in store.plain_rows(COLUMNS_QUERY):
        with store.refusing_games():
            columns.add(*zip(*part, strict=True))
    return columns.games(KeptGames(store.file))


class KeptGames:
    """Holds the file of a run's games, as the source of what was played in them."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def packed(
        self, names: Sequence[PackedName], rows: Integers
    ) -> Iterator[tuple[slice, Sequence[str], Sequence[Sequence[bytes]]]]:
        """The columns of rows: see `GameSource`."""
        done = 0
        for part in self._parts([WHOLE, *names], rows):
            _, wholes, *columns = zip(*part, strict=True)
            yield slice(done, done + len(part)), wholes, columns
            done += len(part)

    def records(self, rows: Integers) -> Iterator[GameRecord]:
        """The games of rows."""
        for part in self._parts(STORED, rows):
            yield from records_of([row[1:] for row in part])

    def _parts(self, names: Sequence[str], rows: Integers) -> Iterator[list[Sequence[Any]]]:
        """The rows of these numbers with these columns, some at a time; the number comes first."""
        query = f"SELECT rowid, {', '.join(names)} FROM games WHERE rowid "
        with closing(Store(self._file, read_only=True)) as store:
            for start in range(0, len(rows), BATCH):
                wanted = rows[start : start + BATCH]
                low, high = int(wanted.min()), int(wanted.max())
                if high - low < SPARSE * len(wanted):
                    found = store.plain_rows(f"{query} BETWEEN ? AND ?", (low, high))
                else:
                    found = (
                        part
                        for row in wanted.tolist()
                        for part in store.plain_rows(f"{query} = ?", (row,))
                    )
                yield in_order(list(chain.from_iterable(found)), wanted.tolist(), self._file)


def in_order(rows: list[Sequence[Any]], wanted: Sequence[int], file: Path) -> list[Sequence[Any]]:
    """The rows with these numbers; ConfigError if one is not among them."""
    if len(rows) == len(wanted) and all(map(eq, map(itemgetter(0), rows), wanted)):
        return rows
    by_number = {row[0]: row for row in rows}
    try:
        return [by_number[number] for number in wanted]
    except KeyError:
        raise ConfigError(Fault(str(file), THROWN_AWAY)) from None
