"""Every two players meet on every opening, in every round."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from arena.format import Field, Pairing
from arena.match.pairs import Results


def pairings(field: Field, results: Results) -> Iterator[Pairing]:
    """Opening by opening, so that whenever a run stops, all have met about equally often."""
    for round in range(1, field.rounds + 1):
        for opening in field.openings:
            for one, other in combinations(field.players, 2):
                yield Pairing(one, other, opening, round)


def total(field: Field) -> int:
    """Rounds x openings x pairs of players."""
    players = len(field.players)
    return field.rounds * len(field.openings) * players * (players - 1) // 2
