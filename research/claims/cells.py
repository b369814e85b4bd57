"""Claims counted by cells: the share of simulated runs that end with one, and its upper bound."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing import get_context
from typing import NamedTuple, TypeVar

T = TypeVar("T")

CONFIDENCE = 0.95
ASKED = 20
"""Seeds that a worker takes at once."""


class Cell(NamedTuple):
    """What was done, with whom, and where a claim is read."""

    way: str
    players: str
    pairs: int
    read_in: str
    target: str = ""
    """What the share must be, in words; empty for a row that is beside others for reference."""


Outcome = Mapping[Cell, bool]
Simulate = Callable[[int], Outcome]
"""The outcome of one simulated run in each cell, by its seed."""
COLUMNS = "| way | players | pairs | read in | runs | claims | share | at most (one-sided 95 %) |"
HEAD = f"{COLUMNS} target |"


class Counts(NamedTuple):
    """Runs and claims by cells."""

    runs: Counter[Cell]
    claims: Counter[Cell]


def counted(simulate: Simulate, seeds: Sequence[int], workers: int) -> Counts:
    """The counts of these seeds."""
    found = Counts(Counter(), Counter())
    for number, outcome in enumerate(outcomes(simulate, seeds, workers), start=1):
        found.runs.update(outcome.keys())
        found.claims.update(cell for cell, is_claim in outcome.items() if is_claim)
        if number % 100 == 0:
            print(f"{number:,} of {len(seeds):,}", file=sys.stderr, flush=True)
    return found


def outcomes(simulate: Callable[[int], T], seeds: Sequence[int], workers: int) -> Iterator[T]:
    """What comes of each seed."""
    if workers < 2:
        yield from map(simulate, seeds)
        return
    with get_context("forkserver").Pool(workers) as pool:
        yield from pool.imap(simulate, seeds, ASKED)


def at_most(claims: int, runs: int) -> float:
    """The upper end of the one-sided 95 % interval of a share (Clopper and Pearson)."""
    from scipy.special import betaincinv

    if claims == runs:
        return 1.0
    return float(betaincinv(claims + 1, runs - claims, CONFIDENCE))


def table(found: Counts) -> Iterator[str]:
    """The rows of all cells, in the order in which they came."""
    yield HEAD
    yield "|---" * HEAD.count(" | ") + "|---|"
    for cell, runs in found.runs.items():
        claims = found.claims[cell]
        share, bound = f"{claims / runs:.2%}", f"{at_most(claims, runs):.2%}"
        way, players, pairs, read_in, target = cell
        yield (
            f"| {way} | {players} | {pairs:,} | {read_in} | {runs:,} | {claims:,} | {share} | "
            f"{bound} | {target or '-'} |"
        )
