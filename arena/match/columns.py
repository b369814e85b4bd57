"""The games of a run as columns: a number for each game in place of an object.

So a million games are counted in seconds. The moves stay where the games are kept, and are read
from there in parts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import count
from math import prod
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from arena.errors import ConfigError
from arena.game import FAULTS
from arena.match.marks import Marks, hash_of, hashes, mark
from arena.match.packed import HEAD, PackedName, packed
from arena.match.record import HALF_POINTS, GameRecord, Numbered

Integers = NDArray[np.int64]
Chosen = NDArray[np.bool_]
MOST_CODE = 2**62
"""The most that the number of a row of columns may be, so that it does not overflow."""
THROWN_AWAY = "the games were thrown away, or changed, while they were read"
WINNERS = {None: 0, 1: 1, 2: 2}
"""The numbers of winners in a column."""
COLUMNS = (
    *("first", "second", "opening", "start", "by_rule", "reason"),
    *("round", "plies", "winner", "proposer", "scored", "whole"),
)
"""The columns in the order in which they are read."""
WORDS = COLUMNS[2:6]
"""The columns that have numbers of words, behind those of players."""


class GameSource(Protocol):
    """The place in which games are kept, by their rows."""

    def packed(
        self, names: Sequence[PackedName], rows: Integers
    ) -> Iterator[tuple[slice, Sequence[str], Sequence[Sequence[bytes]]]]:
        """These columns of rows in ascending order, in parts: which of the rows, the mark or the
        moves of each whole game, and a sequence for each name."""

    def records(self, rows: Integers) -> Iterator[GameRecord]:
        """The games of rows, in this order."""


class PairPlaces(NamedTuple):
    """Places of games that are pairs, in the order in which these were complete."""

    later: Integers
    """The game that made the pair complete."""
    earlier: Integers
    single: Integers
    """Games without the other of their pair."""


@dataclass(frozen=True, eq=False)
class Games:
    """Games in the order of their run's schedule, or in which they ended; a place for each game."""

    source: GameSource
    words: Sequence[str]
    """The texts that `opening`, `start`, `by_rule` and `reason` have the numbers of."""
    players: Sequence[str]
    """The names that `first` and `second` have the numbers of."""
    row: Integers
    number: Integers
    """The number in the schedule, from 1."""
    pair: Integers
    """The number of its pair, from 1."""
    first: Integers
    second: Integers
    opening: Integers
    start: Integers
    by_rule: Integers
    reason: Integers
    round: Integers
    plies: Integers
    winner: Integers
    """1, 2, or 0 for a draw."""
    proposer: Integers
    scored: Chosen
    """True where scores are kept as more than the head of a column."""
    whole: Marks
    """A hash of the mark of the whole game, or of its moves."""

    def __len__(self) -> int:
        return len(self.row)

    def part(self, places: Integers | Chosen | slice, number: Integers | None = None) -> Games:
        """The games at some places; with other numbers, if these are given."""
        columns = {
            field.name: getattr(self, field.name)[places]
            for field in fields(self)
            if field.name not in ("source", "words", "players")
        }
        if number is not None:
            columns |= {"number": number, "pair": (number + 1) // 2}
        return replace(self, **columns)

    def of_players(self, names: Collection[str]) -> Games:
        """The games of two of these players."""
        is_known = np.array([name in names for name in self.players], np.bool_)
        return self.part(is_known[self.first] & is_known[self.second])

    @property
    def met(self) -> list[str]:
        """The names of the players of these games."""
        return [self.players[i] for i in np.unique([self.first, self.second]).tolist()]

    def renamed(self, names: Mapping[str, str]) -> Games:
        """The games with other names of players."""
        return replace(self, players=[names.get(name, name) for name in self.players])

    def records(self) -> Iterator[GameRecord]:
        """The games as objects, with the names that their players have here.

        ConfigError if they were thrown away, or changed, since the columns were read.
        """
        facts = zip(self.first.tolist(), self.second.tolist(), self.whole.tolist(), strict=True)
        for record, (first, second, whole) in zip(
            self.source.records(self.row), facts, strict=True
        ):
            if hash_of(record.digest or record.moves) != whole:
                raise ConfigError(THROWN_AWAY)
            one, other = self.players[first], self.players[second]
            is_named = record.first == one and record.second == other
            yield record if is_named else replace(record, first=one, second=other)

    def numbered(self) -> Numbered:
        """All games as objects, with their numbers."""
        return list(zip(self.number.tolist(), self.records(), strict=True))

    def packed(
        self, names: Sequence[PackedName]
    ) -> Iterator[tuple[Integers, Sequence[Sequence[bytes]]]]:
        """These columns in parts: the places of some games, in ascending order, and a sequence for
        each name.

        ConfigError if the games were thrown away, or changed, since the columns were read.
        """
        order = np.argsort(self.row, kind="stable")
        for part, wholes, columns in self.source.packed(names, self.row[order]):
            places = order[part]
            if (hashes(wholes, len(wholes)) != self.whole[places]).any():
                raise ConfigError(THROWN_AWAY)
            if (places[1:] < places[:-1]).any():
                by_place = np.argsort(places)
                places = places[by_place]
                columns = [[column[i] for i in by_place] for column in columns]
            yield places, columns

    def is_word(self, numbers: Integers, wanted: Iterable[str]) -> Chosen:
        """True for each number of one of these texts."""
        wanted = {*wanted}
        return np.array([word in wanted for word in self.words], np.bool_)[numbers]

    @cached_property
    def faulty(self) -> Chosen:
        """True for each game that a player's own fault ended."""
        return self.is_word(self.reason, FAULTS)

    @cached_property
    def points(self) -> Integers:
        """Half points of the first player."""
        return np.array([HALF_POINTS[winner] for winner in WINNERS])[self.winner]

    @cached_property
    def loser(self) -> Integers:
        """The number of the player whose own fault ended a game; -1 if none did."""
        lost = np.where(self.winner == 1, self.second, self.first)
        return np.where(self.faulty & (self.winner > 0), lost, -1)

    @cached_property
    def one(self) -> Integers:
        """The number of the player that is first in a game's `key`."""
        return np.where(self.proposer == 2, self.second, self.first)

    @cached_property
    def other(self) -> Integers:
        """The number of the player that is second in a game's `key`."""
        return np.where(self.proposer == 2, self.first, self.second)

    @cached_property
    def is_opened(self) -> Chosen:
        """True for each game with an opening."""
        return ~self.is_word(self.opening, [""])

    @cached_property
    def name_marks(self) -> Marks:
        """The hashes of the players' names."""
        return hashes(self.players, len(self.players))

    @cached_property
    def opening_marks(self) -> Marks:
        """The hash of the opening in each game's `key`."""
        marks = hashes(self.words, len(self.words))
        return marks[np.where(self.proposer > 0, self.by_rule, self.opening)]

    @cached_property
    def keys(self) -> Marks:
        """The mark of each game's `key`."""
        one, other = self.name_marks[self.one], self.name_marks[self.other]
        return mark(one, other, self.opening_marks, self.round.astype(np.uint64))

    @cached_property
    def pair_keys(self) -> Marks:
        """The mark of the `key` of each game and of the other of its pair."""
        one, other = self.name_marks[self.one], self.name_marks[self.other]
        low, high = np.minimum(one, other), np.maximum(one, other)
        return mark(low, high, self.opening_marks, self.round.astype(np.uint64))

    @cached_property
    def identities(self) -> Marks:
        """The mark of each whole game, with its players: copies of a game share it."""
        return mark(self.name_marks[self.first], self.name_marks[self.second], self.whole)

    @cached_property
    def pairs(self) -> PairPlaces:
        """The games that are pairs."""
        order = np.argsort(self.pair_keys, kind="stable")
        marks, keys = self.pair_keys[order], self.keys[order]
        is_pair = np.zeros(len(order) + 1, np.bool_)
        is_pair[1:-1] = (marks[1:] == marks[:-1]) & (keys[1:] != keys[:-1])
        # A pair begins where none ended: of three games in one place, the last is single.
        is_begun = is_pair[1:] & ~is_pair[:-1]
        places = np.flatnonzero(is_begun)
        earlier, later = order[places], order[places + 1]
        by_end = np.argsort(later)
        is_single = np.ones(len(order), np.bool_)
        is_single[earlier] = is_single[later] = False
        return PairPlaces(later[by_end], earlier[by_end], np.flatnonzero(is_single))


def is_first(values: NDArray[np.generic]) -> Chosen:
    """True for the first of each of these values."""
    _, firsts = np.unique(values, return_index=True)
    found = np.zeros(len(values), np.bool_)
    found[firsts] = True
    return found


def distinct(*columns: Integers) -> Iterator[tuple[int, ...]]:
    """The distinct rows of columns, in the order in which they come, and the number of each."""
    code = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        value = column - int(column.min(initial=0))
        if product_of(code, value) > MOST_CODE:
            code, value = (np.unique(each, return_inverse=True)[1] for each in (code, value))
        code = code * (int(value.max(initial=0)) + 1) + value
    _, places, counts = np.unique(code, return_index=True, return_counts=True)
    order = np.argsort(places)
    firsts = [column[places[order]].tolist() for column in columns]
    yield from zip(*firsts, counts[order].tolist(), strict=True)


def product_of(*columns: Integers) -> int:
    """The number of all combinations of whole numbers from 0 to those in columns."""
    return prod(int(column.max(initial=0)) + 1 for column in columns)


class GameColumns:
    """Holds the columns of games as they are read."""

    def __init__(self) -> None:
        self._players: dict[str, int] = defaultdict(count().__next__)
        self._words: dict[str, int] = defaultdict(count().__next__)
        self._parts: list[list[NDArray[np.generic]]] = []
        self._rows: list[Integers] = []

    def add(self, rows: Iterable[int], *facts: Sequence[Any]) -> None:
        """Take in games by their `COLUMNS`, with the bytes of packed scores, and marks or moves.

        Raises KeyError, TypeError or ValueError for values that no game has.
        """
        size = len(facts[0])
        self._rows.append(np.fromiter(rows, np.int64, size))
        numbers = [self._players.__getitem__] * 2 + [self._words.__getitem__] * len(WORDS)
        named = zip(numbers, facts, strict=False)
        round, plies, winner, proposer, scored, whole = facts[len(numbers) :]
        self._parts.append(
            [
                *(np.fromiter(map(number, each), np.int32, size) for number, each in named),
                *(np.fromiter(each, np.int64, size) for each in (round, plies)),
                np.fromiter(map(WINNERS.__getitem__, winner), np.int8, size),
                np.fromiter(proposer, np.int8, size),
                # Where no score is given, all numbers are 0, and have no bits.
                np.fromiter(scored, np.int64, size) > HEAD,
                hashes(whole, size),
            ]
        )

    def games(self, source: GameSource) -> Games:
        """All that was taken in, numbered in this order."""
        parts = (
            zip(*self._parts, strict=True)
            if self._parts
            else [[np.empty(0, np.int64)]] * len(COLUMNS)
        )
        columns = dict(zip(COLUMNS, map(np.concatenate, parts), strict=True))
        columns["whole"] = columns["whole"].astype(np.uint64)
        columns["scored"] = columns["scored"].astype(np.bool_)
        rows = np.concatenate([np.empty(0, np.int64), *self._rows])
        number = np.arange(1, len(rows) + 1)
        columns |= {"row": rows, "number": number, "pair": (number + 1) // 2}
        return Games(source, [*self._words], [*self._players], **columns)


class GivenGames:
    """Holds games that are no run's, as a source of what was played."""

    def __init__(self, records: Sequence[GameRecord]) -> None:
        self._records = records

    def packed(
        self, names: Sequence[PackedName], rows: Integers
    ) -> Iterator[tuple[slice, Sequence[str], Sequence[Sequence[bytes]]]]:
        """The columns of rows: see `GameSource`."""
        records = list(self.records(rows))
        wholes = [each.digest or each.moves for each in records]
        columns = [[packed(name, getattr(each, name)) for each in records] for name in names]
        yield slice(0, len(records)), wholes, columns

    def records(self, rows: Integers) -> Iterator[GameRecord]:
        """The games of rows."""
        return (self._records[row] for row in rows.tolist())


def games_of(records: Sequence[GameRecord]) -> Games:
    """Games as columns."""
    found = GameColumns()
    facts = [[getattr(record, name) for record in records] for name in COLUMNS[:-2]]
    scored = [len(packed("scores", each.scores)) for each in records]
    wholes = [each.digest or each.moves for each in records]
    found.add(range(len(records)), *facts, scored, wholes)
    return found.games(GivenGames(records))


def games_of_numbered(numbered: Numbered) -> Games:
    """Games as columns, with these numbers."""
    found = games_of([record for _, record in numbered])
    return found.part(slice(None), np.array([number for number, _ in numbered], np.int64))
