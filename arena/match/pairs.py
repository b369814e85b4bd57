"""The pairs of a run that are complete, by their pairing: what formats decide on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from arena.format import Pairing
from arena.match.game_row import GameResult, GameRow, UnpairedGames, keys_of, pair_identity
from arena.match.hash_index import HashIndex

RESULT_BITS = 8
"""Bits of a kept number that tell points, faults and copies; the others are an identity's."""


class PairResult(NamedTuple):
    """The result of a pairing."""

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
        self.singles = UnpairedGames()
        """The games without the other of their pair."""
        self._pairs = HashIndex()

    def add(self, row: GameRow) -> GameRow | None:
        """Take in a game; the other game of its pair, if that was the one that was missing."""
        if other := self.singles.take(row):
            self._pairs.put(row.pair, _number_of(row, other))
        return other

    def get(self, pairing: Pairing) -> PairResult | None:
        """The result of a pairing; None until both its games are played."""
        key, _ = keys_of(pairing)
        number = self._pairs.get(key >> 1)
        if number is None:
            return None
        points, faults = number >> 4 & 7, (number >> 2 & 3, number & 3)
        if pairing.one > pairing.other:
            points, faults = 4 - points, faults[::-1]
        return PairResult(points, number >> RESULT_BITS, faults, bool(number >> 7 & 1))

    def points(self, pairings: Iterable[Pairing]) -> list[int] | None:
        """The points of `one` in each of these; None until all are played."""
        results = [self.get(pairing) for pairing in pairings]
        return None if None in results else [result.points for result in results if result]


def results_of(rows: Iterable[GameRow]) -> Results:
    """The pairs among these games."""
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
    told = _told(row.result, other.result) | (row.content == other.content) << 7
    return pair_identity(row, other) >> RESULT_BITS << RESULT_BITS | told


@lru_cache(4096)
def _told(one: GameResult, other: GameResult) -> int:
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
