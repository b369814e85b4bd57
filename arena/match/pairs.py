"""The pairs of a run that are complete, by their pairing: what formats decide on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from arena.format import Pairing
from arena.match.columns import Games, Integers, PairPlaces
from arena.match.marks import WORD, Marks, MarkTable, hash_of, mark
from arena.match.record import HALF_POINTS, GameKey, GameRecord, Job, at_fault, key

RESULT_BITS = 7
"""Bits of a kept number that tell points and faults; the others are those of a mark."""


class PairResult(NamedTuple):
    """The result of a pairing."""

    points: int
    """Half points of `one` in both games: 0 to 4."""
    games: int
    """Equal for pairs whose games are copies of each other: see `copies`."""
    faults: tuple[int, int]
    """Games that `one` and the other lost by faults of their own."""

    @property
    def points_faults_drawn(self) -> int:
        """Half points of `one` if the games that a fault ended were draws."""
        own, other = self.faults
        return self.points + own - other


class Results:
    """Holds one result for each pairing; games are added in any order."""

    def __init__(self) -> None:
        self._half: dict[GameKey, GameRecord] = {}
        self._pairs = MarkTable()
        self.singles = 0
        """Games without the other of their pair."""

    def add(self, record: GameRecord) -> GameRecord | None:
        """Take in a game; the other game of its pair, if that was the one that was missing."""
        one, two, opening, round = key(record)
        other = self._half.pop((two, one, opening, round), None)
        if other:
            self.singles -= 1
            lost = [at_fault(each) for each in (record, other)]
            faults = lost.count(one), lost.count(two)
            result = PairResult(pair_points(record, other), identity(record, other), faults)
            if hash_of(one) > hash_of(two):
                result = mirrored(result)
            self._pairs.put(pair_mark(one, two, opening, round), number_of(result))
        else:
            self.singles += 1
            self._half[key(record)] = record
        return other

    def add_games(self, games: Games) -> None:
        """Take in many games, both of each pair among them; a single one stays so."""
        self.singles += len(games.pairs.single)
        self._pairs.put_all(games.pair_keys[games.pairs.later], numbers_of(games))

    def expect(self, record: GameRecord) -> None:
        """Tell a game that was taken in as a single one, and whose other is still to come."""
        self._half[key(record)] = record

    def get(self, pairing: Pairing) -> PairResult | None:
        """The result of a pairing; None until both its games are played."""
        one, other = pairing.one, pairing.other
        found = self._pairs.get(pair_mark(one, other, pairing.opening, pairing.round))
        if found is None:
            return None
        result = result_of(found)
        return mirrored(result) if hash_of(one) > hash_of(other) else result

    def points(self, pairings: Iterable[Pairing]) -> list[int] | None:
        """The points of `one` in each of these; None until all are played."""
        found = [self.get(pairing) for pairing in pairings]
        return None if None in found else [result.points for result in found if result]


def results_of(records: Iterable[GameRecord]) -> Results:
    """The pairs among these games."""
    results = Results()
    for record in records:
        results.add(record)
    return results


def results_of_games(games: Games) -> Results:
    """The pairs among games that are columns."""
    results = Results()
    results.add_games(games)
    return results


def key_mark(game: Job | GameRecord) -> int:
    """The mark of a game's `key`: see `Games.keys`."""
    one, other, opening, round = key(game)
    return mark(hash_of(one), hash_of(other), hash_of(opening), round & WORD)


def pair_mark(one: str, other: str, opening: str, round: int) -> int:
    """The mark of a pair, with its players in either order: see `Games.pair_keys`."""
    low, high = sorted((hash_of(one), hash_of(other)))
    return mark(low, high, hash_of(opening), round & WORD)


def mirrored(result: PairResult) -> PairResult:
    """The result as the other player has it."""
    return PairResult(4 - result.points, result.games, result.faults[::-1])


def number_of(result: PairResult) -> int:
    """A result in 64 bits."""
    one, other = result.faults
    return result.games >> RESULT_BITS << RESULT_BITS | result.points << 4 | one << 2 | other


def result_of(number: int) -> PairResult:
    """The mirror of `number_of`; less of the mark is left."""
    return PairResult(number >> 4 & 7, number >> RESULT_BITS, (number >> 2 & 3, number & 3))


def numbers_of(games: Games) -> Marks:
    """`number_of` the results of all pairs of games, by the player whose name's hash is less."""
    later, earlier, _ = pairs = games.pairs
    marks = games.name_marks[games.one[later]], games.name_marks[games.other[later]]
    is_turned = marks[0] > marks[1]
    points = points_of_pairs(games, pairs)
    lost = [
        (games.loser[later] == player[later]).astype(np.int64)
        + (games.loser[earlier] == player[later])
        for player in (games.one, games.other)
    ]
    told = np.where(is_turned, 4 - points, points) << 4
    told |= np.where(is_turned, lost[1], lost[0]) << 2 | np.where(is_turned, lost[0], lost[1])
    identities = identities_of_pairs(games, pairs) >> np.uint64(RESULT_BITS)
    return (identities << np.uint64(RESULT_BITS)) | told.astype(np.uint64)


def points_of_pairs(games: Games, pairs: PairPlaces) -> Integers:
    """`pair_points` of pairs of games, their later games being the records."""
    later, earlier, _ = pairs
    one = games.one[later]
    here, there = (
        np.where(games.first[each] == one, games.points[each], 2 - games.points[each])
        for each in (later, earlier)
    )
    return here + there


def identities_of_pairs(games: Games, pairs: PairPlaces) -> Marks:
    """`identity` of pairs of games."""
    one, other = games.identities[pairs.later], games.identities[pairs.earlier]
    return mark(np.minimum(one, other), np.maximum(one, other))


def pair_points(record: GameRecord, other: GameRecord) -> int:
    """Half points in both games of the player that is first in the `key` of `record`: 0 to 4."""
    one, points, more = key(record)[0], points_of_first(record), points_of_first(other)
    own = points if record.first == one else 2 - points
    return own + (more if other.first == one else 2 - more)


def points_of_first(record: GameRecord) -> int:
    """Half points of the first player: 0, 1 or 2."""
    return HALF_POINTS[record.winner]


def identity(record: GameRecord, other: GameRecord) -> int:
    """A mark of players, colours and marks of both games: equal for pairs that are copies."""
    return mark(*sorted((whole_mark(record), whole_mark(other))))


def whole_mark(record: GameRecord) -> int:
    """The mark of a game and its players, which copies share."""
    return mark(*map(hash_of, (record.first, record.second, record.digest or record.moves)))


def pair_numbers(games: Games) -> Integers:
    """The number of each game's pair where games may have none, in the order of first games."""
    _, firsts, pairs = np.unique(games.pair_keys, return_index=True, return_inverse=True)
    rank = np.empty(len(firsts), np.int64)
    rank[np.argsort(firsts)] = np.arange(1, len(firsts) + 1)
    return rank[pairs]


def in_phases(phases: Iterable[list[Pairing]], results: Results) -> Iterator[Pairing | None]:
    """The pairings of each phase; None as long as results are missing that the next depends on."""
    for phase in phases:
        yield from phase
        while results.points(phase) is None:
            yield None
