"""Sequential tests of 0 against 50 Elo in which one player crashes: the wrong hypothesis accepted.

The crashes are the wrong one's help: of two equals the second crashes, so that H1 is wrong; or the
first, which is 50 Elo better, so that H0 is. `many faults` are tests that end without a decision
because faults would carry it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np

from arena.format import MANY_FAULTS, Field, Pairing
from arena.formats import sprt
from arena.match.pairs import PairResult, Results
from claims.cells import Cell, Outcome, counted, table
from claims.made_runs import MadePairs, World

SHARES = (0.02, 0.05, 0.1)
ELO1 = 50.0
MAX_PAIRS = 3_000


class MadeResults:
    """The results of pairs that were made up, as those of the player that does not crash, or of the
    other."""

    def __init__(self, made: MadePairs, *, crashes: bool) -> None:
        self.made, self.crashes = made, crashes

    def get(self, pairing: Pairing) -> PairResult:
        """The result of a pairing, whose opening is its number."""
        number = int(pairing.opening)
        points, faults = int(self.made.halves[number].sum()), int(self.made.crashed[number].sum())
        if self.crashes:
            return PairResult(4 - points, number, (faults, 0))
        return PairResult(points, number, (0, faults))


def simulated(seed: int) -> Outcome:
    """A test of each kind."""
    found = {}
    for number, share in enumerate(SHARES):
        for wrong, lead in (("H1", 0.0), ("H0", -ELO1)):
            source = np.random.default_rng([seed, number, wrong == "H1"])
            made = MadePairs(World(wrong, lead=lead, crashes=share), source, MAX_PAIRS)
            ended = decision(MadeResults(made, crashes=bool(lead)))
            who = f"+{ELO1:g} Elo, crashes" if lead else "equals, the other crashes"
            cell = Cell(f"test, {who} in {100 * share:g} %", "toss", MAX_PAIRS, "wrong at most 7 %")
            found[cell, "wrong"] = ended == wrong
            found[cell, "right"] = ended in {"H0", "H1"} - {wrong}
            found[cell, "many faults"] = ended == MANY_FAULTS
    return found


def decision(results: MadeResults) -> str:
    """The end of a test by these results."""
    field = Field(("a", "b"), [str(number) for number in range(MAX_PAIRS)], 1)
    design = {"elo0": 0.0, "elo1": ELO1, "alpha": 0.05, "beta": 0.05, "model": "logistic"}
    test = sprt.Test(field, [("a", "b")], **design, pairs=MAX_PAIRS)
    test.take(cast(Results, results), MAX_PAIRS)
    return test.decision


def lines(seeds: Sequence[int], workers: int) -> Iterator[str]:
    """The table."""
    yield from table(counted(simulated, seeds, workers))
