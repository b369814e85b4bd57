"""The winner of each match goes on, the loser is out; the players' order is their seeding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from arena.engine import Range
from arena.pairing import Field, Pairing, Row
from arena.results import Results, in_phases

Pairs = Annotated[int, Range(1, 100_000), "pairs of a match"]
TieBreaks = Annotated[int, Range(0, 100_000), "most pairs to break a tie; then the seeding does"]


def pairings(
    field: Field, results: Results, *, pairs: Pairs = 4, tie_breaks: TieBreaks = 20
) -> Iterator[Pairing | None]:
    """All matches of a stage at once, then one pair more for those tied; then the next stage."""
    return in_phases(Bracket(field, pairs, tie_breaks).phases(results), results)


def total(field: Field, *, pairs: int = 4, tie_breaks: int = 20) -> None:
    """Nobody knows the ties beforehand."""


def matches(field: Field, results: Results, *, pairs: int, tie_breaks: int) -> list[Row]:
    """One row a match that has begun: its stage, players, pairs, the share of `one`, the winner."""
    bracket = Bracket(field, pairs, tie_breaks)
    for _ in bracket.phases(results):
        pass
    return [match.row(results) for match in bracket.matches]


@dataclass
class Match:
    """Holds the pairs that two players have to play, as far as that is known."""

    stage: int
    one: str
    """The better seed."""
    other: str
    pairs: list[Pairing] = field(default_factory=list)

    def next_pair(self, field: Field) -> Pairing:
        """One more pair, on the next opening."""
        self.pairs.append(Pairing(self.one, self.other, *field.start(len(self.pairs))))
        return self.pairs[-1]

    def lead(self, results: Results) -> int:
        """The points by which the better seed leads, in halves."""
        return sum(result.points - 2 for pair in self.pairs if (result := results.get(pair)))

    def winner(self, results: Results) -> str:
        """Who goes on, once all pairs are played."""
        return self.one if self.lead(results) >= 0 else self.other

    def row(self, results: Results) -> Row:
        """The match as it stands."""
        played = sum(results.get(pair) is not None for pair in self.pairs)
        is_over = played == len(self.pairs)
        return {
            "stage": self.stage,
            "one": self.one,
            "other": self.other,
            "pairs": played,
            "score": 0.5 + self.lead(results) / (4 * played) if played else 0.5,
            "winner": self.winner(results) if is_over else "",
        }


class Bracket:
    """Holds the matches known so far."""

    def __init__(self, field: Field, pairs: int, tie_breaks: int) -> None:
        self.matches: list[Match] = []
        self._field = field
        self._pairs = pairs
        self._most = pairs + tie_breaks

    def phases(self, results: Results) -> Iterator[list[Pairing]]:
        """What can be played at once, in turn; each phase depends on all results before it."""
        players, stage = seeded(self._field.players), 1
        while len(players) > 1:
            found = [couple(stage, *players[i : i + 2]) for i in range(0, len(players), 2)]
            due = [match for match in found if isinstance(match, Match)]
            self.matches += due
            more = self._pairs
            while due:
                phase = [match.next_pair(self._field) for _ in range(more) for match in due]
                yield phase
                if results.points(phase) is None:
                    return
                due = [match for match in due if self._is_tied(match, results)]
                more = 1
            players = [
                match.winner(results) if isinstance(match, Match) else match for match in found
            ]
            stage += 1

    def _is_tied(self, match: Match, results: Results) -> bool:
        """Whether more pairs are to decide a match."""
        return match.lead(results) == 0 and len(match.pairs) < self._most


def seeded(players: Sequence[str]) -> list[str | None]:
    """The bracket's first stage: the best two can meet in the last match only, and so on.

    The best ones have nobody to play where the players are not a power of two.
    """
    order = [0]
    while len(order) < len(players):
        last = 2 * len(order) - 1
        order = [seed for better in order for seed in (better, last - better)]
    return [players[seed] if seed < len(players) else None for seed in order]


def couple(stage: int, one: str | None, other: str | None) -> Match | str:
    """A match, or who has nobody to play."""
    assert one is not None
    return Match(stage, one, other) if other else one
