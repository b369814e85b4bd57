"""Two players 30 Elo apart who are looked at once: how many pairs it takes to see it.

Each run has its seed, so that two versions of the code read the same games. `pairs for 80 %` are
interpolated between the plans on both sides of it, the share by the normal distribution's quantiles
and pairs by their roots, as leads grow with these; +- is 95 %, by runs that are drawn again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from arena.stats.elo import QUANTILE
from claims.cells import outcomes
from claims.looks import QUESTIONS, WORLDS
from claims.made_runs import Plan, Read, favoured_by, made_run

Booleans = NDArray[np.bool_]

LEAD = 30
PLANNED = (200, 400, 500, 600, 800, 1_000)
POWER = 0.8
RESAMPLES = 999
SPLIT = "two runs"
"""Two runs of half the pairs, which are read together, once."""


def simulated(seed: int, world: int) -> NDArray[np.bool_]:
    """For each way of reading (row) and each plan (column), if the stronger player is seen."""
    played = replace(WORLDS[world], lead=LEAD)
    run, one, two = (made_run(played, [seed, world], max(PLANNED), number) for number in range(3))
    found = []
    for pairs in PLANNED:
        whole = Read(run.at(pairs), (Plan(pairs),))
        halves = [Read(each.at(pairs // 2), (Plan(pairs // 2),)) for each in (one, two)]
        asked = [*((ask, [whole]) for ask in QUESTIONS.values())]
        asked += [(ask, halves) for ask in QUESTIONS.values()]
        found.append([favoured_by(ask(*read)) == "a" for ask, read in asked])
    return np.array(found).T


def pairs_for(shares: NDArray[np.float64]) -> float:
    """The pairs with which a share is `POWER`; NaN if it is not between those of two plans."""
    from scipy.special import ndtri

    above = np.flatnonzero(shares >= POWER)
    if not len(above) or not above[0]:
        return float("nan")
    places = [above[0] - 1, above[0]]
    seen, roots = ndtri(np.clip(shares[places], 0.001, 0.999)), np.sqrt(np.array(PLANNED)[places])
    return float(np.interp(ndtri(POWER), seen, roots) ** 2)


def row(name: str, players: str, seen: Booleans) -> str:
    """A row of the table, by runs (rows) and plans (columns)."""
    source = np.random.default_rng(len(seen))
    again = [
        seen[source.integers(len(seen), size=len(seen))].mean(axis=0) for _ in range(RESAMPLES)
    ]
    error = QUANTILE * np.nanstd([pairs_for(each) for each in again])
    shares = " | ".join(f"{100 * share:.1f} %" for share in seen.mean(axis=0))
    told = f"{pairs_for(seen.mean(axis=0)):.0f} +-{error:.0f}"
    return f"| {name} | {players}, +{LEAD} Elo | {len(seen):,} | {shares} | {told} |"


def lines(seeds: Sequence[int], workers: int) -> Iterator[str]:
    """The table."""
    plans = " | ".join(f"{pairs} pairs" for pairs in PLANNED)
    yield f"| read in | players | runs | {plans} | pairs for {100 * POWER:.0f} % |"
    yield "|---" * (4 + len(PLANNED)) + "|"
    names = [f"{told}{name}" for told in ("", f"{SPLIT}, ") for name in QUESTIONS]
    for number, world in enumerate(WORLDS):
        seen = np.array(list(outcomes(partial(simulated, world=number), seeds, workers)))
        for place, name in enumerate(names):
            yield row(name, world.name, seen[:, place])
