"""What is counted of a game: a row of numbers, made once, when the game ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from arena.engine import Limit
from arena.format import Pairing
from arena.game import Reason
from arena.match.record import (
    HALF_POINTS,
    UNTIMED,
    Efforts,
    GameRecord,
    efforts_of,
    key,
    loser_by_fault,
)

DIGEST_BITS = 62
"""Bits of a digest: two of a million games share one by chance once in ten million times, and all
numbers made of digests fit SQLite's integers."""


class GameResult(NamedTuple):
    """The result of a game, which many games of a run have."""

    first: str
    second: str
    winner: int | None
    reason: Reason

    @property
    def half_points(self) -> int:
        return HALF_POINTS[self.winner]

    @property
    def loser_by_fault(self) -> str:
        """The player whose own fault ended the game; empty if none did."""
        return loser_by_fault(*self)

    @property
    def seats(self) -> int:
        """The digest of both players."""
        return _seats_digest(self.first, self.second)


class GameRow(NamedTuple):
    """A game as it is counted."""

    id: int  # Its number where its texts are kept, from 1; 0 where they are not
    result: GameResult
    key: int  # The digest of its pair, and in the last bit, which of the two games it is
    cluster: int
    """The digest of its opening, or of its image under symmetries; 0 for a game without one."""
    identity: int
    """What copies of the game by the same players share: the digests of its moves and of the
    players, one as a mask of the other."""
    rule: str  # The rule by which the players made the opening; empty if it was given
    scored: bool  # True if an engine gave a score

    @property
    def pair(self) -> int:
        """The digest that both games of a pair share."""
        return self.key >> 1

    @property
    def content(self) -> int:
        """The digest of its moves, which its copies share whoever played them."""
        return self.identity ^ self.result.seats

    def renamed(self, names: Mapping[str, str]) -> GameRow:
        first, second, winner, reason = self.result
        result = GameResult(names.get(first, first), names.get(second, second), winner, reason)
        return self._replace(result=result, identity=self.content ^ result.seats)


def row_of(record: GameRecord, id: int = 0) -> GameRow:
    result = GameResult(record.first, record.second, record.winner, record.reason)
    return GameRow(
        id=id,
        result=result,
        key=key_number(*key(record)),
        cluster=_cluster_digest(cluster_text(record)),
        identity=content_of(record) ^ result.seats,
        rule=record.made.rule if record.made else "",
        scored=bool(record.scores.strip(" -")),
    )


def keys_of(pairing: Pairing) -> tuple[int, int]:
    """The keys of both games of a pairing: that in which `one` is first, and the other."""
    number = key_number(*pairing)
    return number, number ^ 1


def key_number(first: str, second: str, opening: str, round: int) -> int:
    """The `key` of a game as a number; that of the other game of its pair differs in the last
    bit."""
    low, high = (first, second) if first <= second else (second, first)
    return digest_of(f"{low}\0{high}\0{opening}\0{round}") << 1 | (first > second)


def cluster_text(record: GameRecord) -> str:
    """The opening that all games on it share, as evidence; empty for a game without one.

    Openings that are symmetric images of each other are one. By an opening rule, games share the
    stones that were suggested: both of a pair do, even if its players then laid others.
    """
    if record.made:
        return record.made.start
    return (record.start or record.opening) if record.opening else ""


def read_efforts(record: GameRecord, limits: Sequence[Limit] = UNTIMED) -> Efforts:
    """The sums of a record from elsewhere, by its texts.

    ValueError if it has other than as many numbers of times, nodes and depths.
    """
    columns = (record.times, record.nodes, record.depths)
    times, nodes, depths = (list(map(float, text.split())) for text in columns)
    if not len(times) == len(nodes) == len(depths):
        raise ValueError("not as many nodes or depths as times")
    return efforts_of(len(record.opening.split()), times, nodes, depths, limits)


class UnpairedGames:
    def __init__(self) -> None:
        self._by_key: dict[int, GameRow] = {}

    def take(self, row: GameRow) -> GameRow | None:
        """The other game of its pair, which is single no more; without one, this game is held."""
        if (other := self._by_key.pop(row.key ^ 1, None)) is None:
            self._by_key[row.key] = row
        return other

    def __len__(self) -> int:
        return len(self._by_key)

    def __iter__(self) -> Iterator[GameRow]:
        return iter(self._by_key.values())


def in_pairs(rows: Iterable[GameRow]) -> Iterator[tuple[GameRow, GameRow]]:
    """The pairs among games as they become complete: the game that completes one, and the other."""
    unpaired = UnpairedGames()
    for row in rows:
        if other := unpaired.take(row):
            yield row, other


def content_of(record: GameRecord) -> int:
    """The digest of a game's moves, which its copies share whoever played them."""
    return digest_of(record.digest or record.moves)


def pair_identity(row: GameRow, other: GameRow) -> int:
    """A number that pairs share whose games are copies of each other."""
    one, two = row.identity, other.identity
    return hash((one, two) if one < two else (two, one))


def digest_of(text: str) -> int:
    """A number of `DIGEST_BITS` that, but for rare chance, only equal texts share."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest()) >> (64 - DIGEST_BITS)


@lru_cache(4096)
def _seats_digest(first: str, second: str) -> int:
    return digest_of(f"{first}\0{second}")


@lru_cache(1024)
def _cluster_digest(text: str) -> int:
    return digest_of(text) if text else 0
