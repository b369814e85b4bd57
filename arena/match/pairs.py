"""The pairs of a run that are complete, the first games of each player, and an index of digests."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.format import Pairing
from arena.match.game_row import GameResult, GameRow, UnpairedGames, keys_of, pair_identity
from arena.match.record import GameRecord, key

RESULT_BITS = 8
"""Bits of a kept number that tell points, faults and copies; the others are an identity's."""


class PairResult(NamedTuple):
    points: int  # Half points of `one` in both games: 0 to 4
    games: int  # Equal for pairs whose games are copies of each other: see `copies`
    faults: tuple[int, int]  # Games that `one` and the other lost by faults of their own
    is_one_game: bool = False
    """True if both games are copies of each other, as those of a player against itself may be."""

    @property
    def points_faults_drawn(self) -> int:
        """Half points of `one` if the games that a fault ended were draws."""
        own, other = self.faults
        return self.points + own - other


class Results:
    """Holds one result for each pairing; games are added in any order."""

    def __init__(self) -> None:
        self.singles = UnpairedGames()  # The games without the other of their pair
        self._pairs = HashIndex()

    def add(self, row: GameRow) -> GameRow | None:
        if other := self.singles.take(row):
            self._pairs.put(row.pair, _number_of(row, other))
        return other

    def get(self, pairing: Pairing) -> PairResult | None:
        key, _ = keys_of(pairing)
        number = self._pairs.get(key >> 1)
        if number is None:
            return None
        points, faults = number >> 4 & 7, (number >> 2 & 3, number & 3)
        if pairing.one > pairing.other:
            points, faults = 4 - points, faults[::-1]
        return PairResult(points, number >> RESULT_BITS, faults, bool(number >> 7 & 1))

    def points(self, pairings: Iterable[Pairing]) -> list[int] | None:
        results = [self.get(pairing) for pairing in pairings]
        return None if None in results else [result.points for result in results if result]


def results_of(rows: Iterable[GameRow]) -> Results:
    results = Results()
    for row in rows:
        results.add(row)
    return results


def pair_points(row: GameResult, other: GameResult) -> int:
    """Half points in both games of the player that is first in `row`: 0 to 4."""
    more = other.half_points
    return row.half_points + (more if other.first == row.first else 2 - more)


def _number_of(row: GameRow, other: GameRow) -> int:
    """The result of a pair in 64 bits, as that of the player whose name comes first."""
    bits = _result_bits(row.result, other.result) | (row.content == other.content) << 7
    return pair_identity(row, other) >> RESULT_BITS << RESULT_BITS | bits


@lru_cache(4096)
def _result_bits(one: GameResult, other: GameResult) -> int:
    """The low bits of a pair's number: points and faults."""
    low, high = sorted((one.first, one.second))
    points = pair_points(one, other)
    lost = one.loser_by_fault, other.loser_by_fault
    own = points if one.first == low else 4 - points
    return own << 4 | lost.count(low) << 2 | lost.count(high)


def in_phases(phases: Iterable[list[Pairing]], results: Results) -> Iterator[Pairing | None]:
    """The pairings of each phase; None as long as results are missing that the next depends on."""
    for phase in phases:
        yield from phase
        while results.points(phase) is None:
            yield None


FIRST_GAMES = 8  # Games of a player after which a run stops, if all of them ended by its own faults


class FirstGames:
    """Holds the first pairs of players that did nothing but lose by faults of their own.

    A pair counts when all before it are in, so that games which end later change nothing, however
    many workers play.
    """

    def __init__(
        self, players: Iterable[str], player_of: Callable[[str], str] = lambda name: name
    ) -> None:
        self.faulty = ""
        """The player whose first games all ended by its own faults; empty as long as none did."""
        self._pairs: dict[str, list[Pairing]] = {player: [] for player in players}
        self._player_of = player_of
        self._due: deque[Pairing] = deque()

    @property
    def is_settled(self) -> bool:
        """True if no pair that may follow changes anything, or one is not in yet."""
        return bool(self.faulty or self._due or not self._pairs)

    @property
    def are_sound(self) -> bool:
        """True once every player has a game that ended otherwise: then nothing is counted."""
        return not self._pairs

    @property
    def last(self) -> Pairing:
        """The pair with the last of the faulty player's first games."""
        return self._pairs[self.faulty][-1]

    def add(self, pairing: Pairing) -> None:
        """Take in a pairing, in the order of the schedule."""
        if self._pairs:
            self._due.append(pairing)

    def look(self, results: Results) -> bool:
        """Take in the pairs that are in; True once there is a faulty player."""
        while self._due and not self.faulty:
            result = results.get(self._due[0])
            if result is None:
                break
            self._take(self._due.popleft(), result)
        return bool(self.faulty)

    def _take(self, pairing: Pairing, result: PairResult) -> None:
        faults: Counter[str] = Counter()
        for name, count in zip((pairing.one, pairing.other), result.faults, strict=True):
            faults[self._player_of(name)] += count
        for player, count in faults.items():
            if count < 2:
                self._pairs.pop(player, None)
            elif player in self._pairs:
                self._pairs[player].append(pairing)
                if 2 * len(self._pairs[player]) == FIRST_GAMES:
                    self.faulty = player

    @property
    def keys(self) -> set[int]:
        return {key for pair in self._pairs[self.faulty] for key in keys_of(pair)}

    def games(self, records: Iterable[GameRecord]) -> list[GameRecord]:
        kept = {key(record): record for record in records}
        return [
            kept[first, second, pair.opening, pair.round]
            for pair in self._pairs[self.faulty]
            for first, second in ((pair.one, pair.other), (pair.other, pair.one))
        ]


Integers = NDArray[np.int64]

RECENT = 1 << 13  # Entries that are not sorted yet


class HashIndex:
    """Holds a number of 64 bits for each of many others."""

    def __init__(self, keys: Iterable[int] = ()) -> None:
        """`keys` have the number 1."""
        self._recent: dict[int, int] = {}
        self._keys: Integers = np.sort(np.fromiter(keys, np.int64))
        self._values: Integers = np.ones(len(self._keys), np.int64)

    def __contains__(self, key: int) -> bool:
        return self.get(key) is not None

    def get(self, key: int) -> int | None:
        """The number of a key; None for one without."""
        value = self._recent.get(key)
        if value is None and len(self._keys):
            place = int(self._keys.searchsorted(key))
            if place < len(self._keys) and self._keys[place] == key:
                return int(self._values[place])
        return value

    def put(self, key: int, value: int) -> None:
        """Note a number; if the key has one, this takes its place."""
        self._recent[key] = value
        if len(self._recent) == RECENT:
            self._sort()

    def _sort(self) -> None:
        keys = np.concatenate([self._keys, np.fromiter(self._recent, np.int64)])
        values = np.concatenate([self._values, np.fromiter(self._recent.values(), np.int64)])
        self._recent = {}
        order = np.argsort(keys, kind="stable")
        keys, values = keys[order], values[order]
        is_last = np.append(keys[1:] != keys[:-1], True)
        self._keys, self._values = keys[is_last], values[is_last]
