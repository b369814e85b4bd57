"""The contract of a format: from the players and the pairs played, the pairs to play next.

A format's file has `pairings(field, results, *, parameter=default, ...)`, a generator of pairings,
or of None where the next one depends on results that are not there yet. It looks at the results of
pairings that it has yielded, and at nothing else: asked again, it gives the same schedule, however
many workers play and wherever a run stopped. It is asked only when a worker is about to be free.
`total(field)`, with the same parameters, tells how many pairings there can be, or None where
results decide it; ConfigError if the format cannot pair these players.

Where there is more to tell than standings, it also has `matches(field, results)`: one row of plain
values for each series of pairs that it decides, and `notes(field, results)`: what a reader of the
results must know, in sentences. A match that may end before all its pairs are played says so by a
`decision` in its row; a format that is one test of two hypotheses has `STATUS` too: the exit status
of a run for each decision that settles it. A format whose parameters set the number of pairs says
by `openings(**parameters)` how many openings it can use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

Row = dict[str, Any]

UNDECIDED = 3  # The exit status of a test that has settled on neither hypothesis
ONLY_FAULTS = "only faults"  # In a run that stopped since a player only lost by its faults
MANY_FAULTS: Final = "too many faults"  # A bound was reached only by games that ended by faults

TOGETHER = " / "  # Words between the names of players that are one side of a test together


@dataclass(frozen=True, slots=True)
class Field:
    """The players, in the order of the config, the openings, and the rounds."""

    players: Sequence[str]
    openings: Sequence[str]
    rounds: int

    def start(self, number: int) -> tuple[str, int]:
        """The opening and the round of a series' pair of this number (from 0), openings in turn."""
        return self.openings[number % len(self.openings)], 1 + number // len(self.openings)

    def pairs(self, given: int) -> int:
        """The pairs of two players that meet: those `given`, or if that is 0, one on each opening
        in each round."""
        return given or self.rounds * len(self.openings)


OPENINGS = 10  # The openings that a format can use whose parameters do not set their number


class Pairing(NamedTuple):
    """Two games of two players from one opening, colours swapped.

    All fields, in this order, are what `keys_of` in `tournament/schedule.py` tells games by.
    """

    one: str
    other: str
    opening: str
    round: int
