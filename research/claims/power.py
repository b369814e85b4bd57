"""Two players 30 Elo apart who are looked at once: how many pairs it takes to see it.

Each run has its seed, so that two versions of the code read the same games: what differs between
their tables is due to the code, and is known far better than its rows. `pairs for 80 %` are by a
line through the normal quantiles of all shares over the roots of their pairs, as leads in errors
grow with these; +- is 95 %, by runs that are drawn again.
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
Floats = NDArray[np.float64]

LEAD = 30
PLANNED = (200, 400, 500, 600, 800, 1_000)
POWER = 0.8
RESAMPLES = 999
SPLIT = "two runs"
"""Two runs of half the pairs, which are read together, once."""


def simulated(seed: int, world: int) -> Booleans:
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


def pairs_for(shares: Floats) -> float:
    """The pairs with which a share is `POWER`."""
    from scipy.special import ndtri

    kept = np.clip(shares, 0.005, 0.995)
    seen = ndtri(kept)
    # By the delta method: the quantile of a share of nearly all, or none, is hardly known.
    weights = np.exp(-(seen**2) / 2) / np.sqrt(kept * (1 - kept))
    slope, start = np.polyfit(np.sqrt(PLANNED), seen, 1, w=weights)
    return float(((ndtri(POWER) - start) / slope) ** 2)


def row(name: str, players: str, seen: Booleans) -> str:
    """A row of the table, by runs (rows) and plans (columns)."""
    source = np.random.default_rng(len(seen))
    again = [
        seen[source.integers(len(seen), size=len(seen))].mean(axis=0) for _ in range(RESAMPLES)
    ]
    error = QUANTILE * np.std([pairs_for(each) for each in again])
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
