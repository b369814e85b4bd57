"""The pairs of a run that are complete, by their pairing: what formats decide on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena.format import Pairing
from arena.match.record import GameRecord, Numbered, at_fault, key

HALF_POINTS = {1: 2, 2: 0, None: 1}
"""Half points of the first player by the winner."""

FEWEST_SOUND = 20
"""Games among which one that a fault ended does not yet make a player's result doubtful."""


class PairResult(NamedTuple):
    """The result of a pairing."""

    points: int
    """Half points of `one` in both games: 0 to 4."""
    games: int
    """Equal for pairs whose games are copies of each other: see `copies`."""
    faults: tuple[int, int]
    """Games that `one` and the other lost by faults of their own."""


class Results:
    """Holds one result for each pairing; games are added in any order."""

    def __init__(self) -> None:
        self._half: dict[tuple[str, str, str, int], GameRecord] = {}
        # Hashes: the keys of 100 000 games would take the memory of an engine.
        self._pairs: dict[int, PairResult] = {}
        self._games: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()

    def add(self, record: GameRecord) -> GameRecord | None:
        """Take in a game; the other game of its pair, if that was the one that was missing."""
        self._games[record.first] += 1
        self._games[record.second] += 1
        self._faults[at_fault(record)] += 1
        place = one, two, opening, round = key(record)
        other = self._half.pop((two, one, opening, round), None)
        if other:
            lost = [at_fault(each) for each in (record, other)]
            faults = lost.count(one), lost.count(two)
            result = PairResult(pair_points(record, other), identity(record, other), faults)
            self._pairs[hash(place)] = result
        else:
            self._half[place] = record
        return other

    def get(self, pairing: Pairing) -> PairResult | None:
        """The result of a pairing; None until both its games are played."""
        where = pairing.opening, pairing.round
        if result := self._pairs.get(hash((pairing.one, pairing.other, *where))):
            return result
        mirrored = self._pairs.get(hash((pairing.other, pairing.one, *where)))
        return mirrored and PairResult(4 - mirrored.points, mirrored.games, mirrored.faults[::-1])

    @property
    def are_doubtful(self) -> bool:
        """True if a player lost more than a twentieth of its games by its own faults."""
        return any(is_doubtful(self._faults[name], games) for name, games in self._games.items())

    def halves(self) -> Iterator[GameRecord]:
        """The games that have no other of their pair."""
        yield from self._half.values()

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


def is_doubtful(faulty: int, games: int) -> bool:
    """True if more than a twentieth of a player's games were lost, or won, by faults."""
    return faulty * FEWEST_SOUND > games


def pair_points(record: GameRecord, other: GameRecord) -> int:
    """Half points in both games of the player that is first in the `key` of `record`: 0 to 4."""
    one, points, more = key(record)[0], points_of_first(record), points_of_first(other)
    own = points if record.first == one else 2 - points
    return own + (more if other.first == one else 2 - more)


def points_of_first(record: GameRecord) -> int:
    """Half points of the first player: 0, 1 or 2."""
    return HALF_POINTS[record.winner]


def pair_numbers(numbered: Numbered, has_singles: bool) -> Iterable[int]:
    """The number of each game's pair; where games may have none, in the order of first games."""
    if not has_singles:
        return ((number + 1) // 2 for number, _ in numbered)
    found: dict[tuple[frozenset[str], str, int], int] = {}
    keys = (
        (frozenset((one, two)), opening, round)
        for one, two, opening, round in (key(record) for _, record in numbered)
    )
    return [found.setdefault(each, len(found) + 1) for each in keys]


def identity(record: GameRecord, other: GameRecord) -> int:
    """A hash of players, colours and marks of both games: equal for pairs that are copies."""
    one = record.first, record.second, record.digest or record.moves
    two = other.first, other.second, other.digest or other.moves
    return hash((one, two) if one < two else (two, one))


def in_phases(phases: Iterable[list[Pairing]], results: Results) -> Iterator[Pairing | None]:
    """The pairings of each phase; None as long as results are missing that the next depends on."""
    for phase in phases:
        yield from phase
        while results.points(phase) is None:
            yield None
