"""The price of looks at games before the last one: what a claim must be as sure as.

Who plays on until a match looks decided, or stops it at a good moment, finds a winner among equals.
So only one plan, played to its end and never changed, may be wrong in 5 of 100 cases. All later
looks share 1 of 100: the first of them has half of it, the next a sixth, a twelfth, and so on. A
look that may be at any moment, as that of who makes a plan smaller, has its share for all moments
together (the normal mixture: Robbins, 1970; Howard and others, 2021).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist

from arena.stats.elo import TAIL

LATER_TAIL = 0.005
"""The chance on either side that all looks but the first may be wrong by."""
MIXTURE_OPENINGS = 30.0
"""The scale of the mixture: with fewer openings a look at any moment costs steeply more."""
CHEAPEST_OPENINGS = 300
"""Openings at which it costs least, ten times as many."""
MIN_TAIL = 1e-12
"""The least tail: numbers near 1 cannot be told apart beyond it."""
MAX_RARE = 0.01
"""Share of games that faults may end without a price."""
FAULTY_TAIL = 1e-4
"""The tail of a claim where faults end more games than that: which ones may be no chance."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The looks at games before the one that is asked for."""

    earlier: int = 0
    """Plans that were begun before, of these games or of others that are read with them."""
    is_any_moment: bool = False  # True if the games may have ended because of their results
    is_chosen: bool = False
    """True if openings were left out after they were played: then nothing can be claimed."""
    runs: int = 1  # Runs that are read together

    def tail(self, openings: int, faulty: float = 0.0) -> float:
        """The chance, on either side, that a claim may be wrong by.

        It rests on so many `openings`; of the games, a share `faulty` ended by faults.

        >>> [round(Looks(earlier).tail(100), 5) for earlier in range(4)]
        [0.025, 0.0025, 0.00083, 0.00042]
        """
        if self.is_chosen:
            return MIN_TAIL
        if faulty > MAX_RARE:
            return min(self.tail(openings), FAULTY_TAIL)
        if not self.earlier and not self.is_any_moment:
            return TAIL
        later = max(self.earlier, 1)
        share = LATER_TAIL / (later * (later + 1))
        if not self.is_any_moment:
            return share
        seen = max(openings, 1) / MIXTURE_OPENINGS
        reach = sqrt((1 + 1 / seen) * (log(1 + seen) - 2 * log(2 * share)))
        return max(NormalDist().cdf(-reach), MIN_TAIL)


NO_LOOKS = Looks()
"""Nobody looked before."""


def joined_looks(runs: Iterable[Looks]) -> Looks:
    """The looks at runs that are read together: each is a look at the others."""
    each = list(runs)
    earlier = sum(looks.earlier + 1 for looks in each) - 1
    moments = any(looks.is_any_moment for looks in each)
    return Looks(max(earlier, 0), moments, any(looks.is_chosen for looks in each), len(each) or 1)
