"""Games of a run, in an order: their rows, and what is read beside these when asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.errors import ConfigError, Fault
from arena.match.game_row import GameRow, content_of
from arena.match.record import GameRecord, Numbered
from arena.storage.database import PlayerEffort, Store

THROWN_AWAY = "the games were thrown away, or changed, while they were read"


@dataclass(frozen=True, eq=False)
class Games:
    """Games in an order, each with its number in the schedule."""

    rows: Sequence[GameRow] = ()
    numbers: Sequence[int] = ()
    file: Path | None = None  # The database that has their texts; None if there are no games
    pairs: Sequence[int] = ()
    """The number of each game's pair, from 1, where that does not follow from its own."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Other names of players than they have in the file."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def pair_numbers(self) -> Sequence[int]:
        """The number of each game's pair, from 1."""
        return self.pairs or [(number + 1) // 2 for number in self.numbers]

    def part(self, is_wanted: Callable[[GameRow], bool]) -> Games:
        """The games whose rows are wanted."""
        return self.at([place for place, row in enumerate(self.rows) if is_wanted(row)])

    def at(self, places: Iterable[int]) -> Games:
        """The games at some places, from 0."""
        places = list(places)
        rows = [self.rows[place] for place in places]
        numbers = [self.numbers[place] for place in places]
        pairs = [self.pairs[place] for place in places] if self.pairs else ()
        return replace(self, rows=rows, numbers=numbers, pairs=pairs)

    def of_players(self, names: Collection[str]) -> Games:
        """The games of two of these players."""
        return self.part(lambda row: row.result.first in names and row.result.second in names)

    def renamed(self, names: Mapping[str, str]) -> Games:
        """The games with other names of players."""
        return replace(self, rows=[row.renamed(names) for row in self.rows], names=names)

    def records(self) -> Iterator[GameRecord]:
        """The whole games, with the names that their players have here.

        ConfigError if they were thrown away, or changed, since the rows were read.
        """
        if self.file is None:
            return
        with closing(Store(self.file, read_only=True)) as store:
            records = store.records([row.id for row in self.rows])
            for row, record in zip(self.rows, records, strict=True):
                if record is None or content_of(record) != row.content:
                    raise ConfigError(Fault(str(self.file), THROWN_AWAY))
                first, second, *_ = row.result
                is_named = record.first == first and record.second == second
                yield record if is_named else replace(record, first=first, second=second)

    def numbered(self) -> Numbered:
        """All whole games, with their numbers."""
        return list(zip(self.numbers, self.records(), strict=True))

    def efforts(self) -> list[PlayerEffort]:
        """What moves cost in these games: by players and seats, in sums."""
        if self.file is None or not self.rows:
            return []
        with closing(Store(self.file, read_only=True)) as store:
            efforts = store.efforts({row.id for row in self.rows})
        return [each._replace(player=self.names.get(each.player, each.player)) for each in efforts]


def kept_games(store: Store) -> Games:
    """All games that are kept, in the order in which they ended; ConfigError as in `Store.rows`."""
    rows = store.game_rows()
    return Games(rows, range(1, len(rows) + 1), store.file)
