"""Claims counted by cells: the share of simulated runs that end with one, and its upper bound."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from signal import SIG_IGN, SIGINT, signal
from typing import NamedTuple, TypeVar

T = TypeVar("T")

CONFIDENCE = 0.95
ASKED = 20
"""Seeds that a worker takes at once."""


class Cell(NamedTuple):
    """What was done, with whom, and in how many pairs of each pairing."""

    what: str
    players: str
    pairs: int
    target: str = ""
    """What the shares must be, in words; empty for a row that is beside others for reference."""


Outcome = Mapping[tuple[Cell, str], bool]
"""What came of one simulated run: by the cell and the column of the table."""
Simulate = Callable[[int], Outcome]
"""The outcome by a seed."""


class Counts(NamedTuple):
    """Runs, and those in which it was so, by cells and columns."""

    runs: Counter[tuple[Cell, str]]
    hits: Counter[tuple[Cell, str]]


def counted(simulate: Simulate, seeds: Sequence[int], workers: int) -> Counts:
    """The counts of these seeds; of those that were simulated before an interrupt."""
    found = Counts(Counter(), Counter())
    with suppress(KeyboardInterrupt):
        for number, outcome in enumerate(outcomes(simulate, seeds, workers), start=1):
            found.runs.update(outcome.keys())
            found.hits.update(place for place, is_so in outcome.items() if is_so)
            if number % 100 == 0:
                print(f"{number:,} of {len(seeds):,}", file=sys.stderr, flush=True)
    return found


def outcomes(simulate: Callable[[int], T], seeds: Sequence[int], workers: int) -> Iterator[T]:
    """What comes of each seed."""
    if workers < 2:
        yield from map(simulate, seeds)
        return
    # An interrupt is for the process that counts.
    with get_context("forkserver").Pool(workers, signal, (SIGINT, SIG_IGN)) as pool:
        yield from pool.imap(simulate, seeds, ASKED)


def at_most(claims: int, runs: int) -> float:
    """The upper end of the one-sided 95 % interval of a share (Clopper and Pearson)."""
    from scipy.special import betaincinv

    if claims == runs:
        return 1.0
    return float(betaincinv(claims + 1, runs - claims, CONFIDENCE))


def table(found: Counts) -> Iterator[str]:
    """A row for each cell, in the order in which they came: in each column the count, its share,
    and the upper end of the one-sided 95 % interval."""
    cells, columns = (dict.fromkeys(each) for each in zip(*found.runs, strict=True))
    yield f"| what | players | pairs | runs | {' | '.join(columns)} | target |"
    yield "|---" * (5 + len(columns)) + "|"
    for cell in cells:
        runs = max(found.runs[cell, column] for column in columns)
        told = " | ".join(_share_text(found, (cell, column)) for column in columns)
        what, players, pairs, target = cell
        yield f"| {what} | {players} | {pairs:,} | {runs:,} | {told} | {target or '-'} |"


def _share_text(found: Counts, place: tuple[Cell, str]) -> str:
    """A count, its share, and the upper bound of that."""
    if not (runs := found.runs[place]):
        return "-"
    hits = found.hits[place]
    return f"{hits:,}: {100 * hits / runs:.1f} %, at most {100 * at_most(hits, runs):.1f} %"
