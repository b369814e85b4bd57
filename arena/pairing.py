"""What a format is: from a field of players and a tally, who meets whom on which opening.

A format's file has `pairings(field, tally, *, parameter=default, ...)`, a generator. It is asked
for the next pairing only when a worker is about to be free, and may look at the tally then. What
it yields depends on nothing else, so that a run goes on wherever it stopped. `total(field)`, with
the same parameters, tells how many pairings there will be, or None where results decide it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """Who plays, in the order of the config, and what on."""

    players: Sequence[str]
    openings: Sequence[str]
    rounds: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two games of two players from one opening, colours swapped."""

    one: str
    other: str
    opening: str
    round: int
