"""The winner of each match goes on, the loser is out; the players' order is their seeding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from arena.engine import Range
from arena.format import Field, Pairing, Row
from arena.match.pairs import Results, in_phases

Pairs = Annotated[int, Range(1, 100_000), "pairs of a match"]
TieBreaks = Annotated[int, Range(0, 100_000), "most pairs to break a tie; then the seeding does"]


def pairings(
    field: Field, results: Results, *, pairs: Pairs = 4, tie_breaks: TieBreaks = 20
) -> Iterator[Pairing | None]:
    """All matches of a stage at once, then one pair more for those tied; then the next stage."""
    return in_phases(Bracket(field, pairs, tie_breaks).phases(results), results)


def total(field: Field, *, pairs: int = 4, tie_breaks: int = 20) -> None:
    """None, since the number of ties is not known beforehand."""


def openings(*, pairs: int, tie_breaks: int) -> int:
    """The pairs of the longest match, one opening for each: copies of a pair break no tie."""
    return pairs + tie_breaks


def matches(field: Field, results: Results, *, pairs: int, tie_breaks: int) -> list[Row]:
    """One row a match that has begun: its stage, players, pairs, the share of `one`, the winner."""
    bracket = Bracket(field, pairs, tie_breaks)
    for _ in bracket.phases(results):
        pass
    return [match.row() for match in bracket.matches]


@dataclass
class Match:
    """A match of two players: its score, and the pairs to play, as far as they are known."""

    stage: int
    one: str  # The better seed
    other: str
    most: int  # Pairs, those that break ties included
    pairs: int = field(default=0, init=False)  # Pairs known so far
    lead: int = field(default=0, init=False)  # The points by which the better seed leads, in halves
    _due: list[Pairing] = field(default_factory=list, init=False)
    _seen: set[int] = field(default_factory=set, init=False)

    def next_pair(self, field: Field) -> Pairing:
        """One more pair, on the next opening."""
        pair = Pairing(self.one, self.other, *field.start(self.pairs))
        self._due.append(pair)
        self.pairs += 1
        return pair

    def take(self, results: Results) -> None:
        """Take in those of the pairs due that were played; a copy of another counts no more."""
        due, self._due = self._due, []
        for pair in due:
            result = results.get(pair)
            if result is None:
                self._due.append(pair)
            elif result.games not in self._seen:
                self._seen.add(result.games)
                self.lead += result.points - 2

    @property
    def is_tied(self) -> bool:
        return self.lead == 0 and self.pairs < self.most

    @property
    def winner(self) -> str:
        return self.one if self.lead >= 0 else self.other

    def row(self) -> Row:
        counted = len(self._seen)
        return {
            "stage": self.stage,
            "one": self.one,
            "other": self.other,
            "pairs": self.pairs - len(self._due),
            "score": 0.5 + self.lead / (4 * counted) if counted else 0.5,
            "winner": "" if self._due or self.is_tied else self.winner,
        }


class Bracket:
    """The matches of a knockout, as far as they are known."""

    def __init__(self, field: Field, pairs: int, tie_breaks: int) -> None:
        self.matches: list[Match] = []
        self._field = field
        self._pairs = pairs
        self._most = pairs + tie_breaks

    def phases(self, results: Results) -> Iterator[list[Pairing]]:
        """Pairs that can be played at once, phase by phase; each phase depends on all before it."""
        players, stage = seeded(self._field.players), 1
        while len(players) > 1:
            found = [self._couple(stage, *players[i : i + 2]) for i in range(0, len(players), 2)]
            due = [match for match in found if isinstance(match, Match)]
            self.matches += due
            more = self._pairs
            while due:
                phase = [match.next_pair(self._field) for _ in range(more) for match in due]
                yield phase
                for match in due:
                    match.take(results)
                if results.points(phase) is None:
                    return
                due = [match for match in due if match.is_tied]
                more = 1
            players = [match.winner if isinstance(match, Match) else match for match in found]
            stage += 1

    def _couple(self, stage: int, one: str | None, other: str | None) -> Match | str:
        both = sorted(filter(None, (one, other)), key=self._field.players.index)
        return Match(stage, both[0], both[1], self._most) if len(both) == 2 else both[0]


def seeded(players: Sequence[str]) -> list[str | None]:
    """The bracket's first stage: the best two can meet in the last match only, and so on.

    The best ones have no opponent there if the number of players is not a power of two.
    """
    order = [0]
    while len(order) < len(players):
        last = 2 * len(order) - 1
        order = [seed for better in order for seed in (better, last - better)]
    return [players[seed] if seed < len(players) else None for seed in order]
