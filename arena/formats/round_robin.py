"""Every two players meet on every opening, in every round, or for a number of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Annotated

from arena.engine import Range
from arena.format import OPENINGS, Field, Pairing
from arena.match.pairs import Results

Pairs = Annotated[int, Range(0, 1_000_000), "of each two that meet; 0: the openings x rounds"]


def pairings(field: Field, results: Results, *, pairs: Pairs = 0) -> Iterator[Pairing]:
    """Opening by opening, so that whenever a run stops, all have met about equally often."""
    for number in range(field.pairs(pairs)):
        for one, other in combinations(field.players, 2):
            yield Pairing(one, other, *field.start(number))


def total(field: Field, *, pairs: int = 0) -> int:
    """The pairs of each two, for all pairs of players."""
    players = len(field.players)
    return field.pairs(pairs) * players * (players - 1) // 2


def openings(*, pairs: int = 0) -> int:
    return pairs or OPENINGS
