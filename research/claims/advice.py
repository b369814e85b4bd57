"""Two equals whose user follows the advice: as long as the verdict is undecided and names a number
of games to plan for, so many are played, on new openings, at most MAX_GAMES."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from claims.cells import Cell, Outcome, counted, table
from claims.made_runs import MadeRun, Plan, Read, World, is_claim, made_run, reported

PLAYERS = (
    World("toss"),
    World("openings of 350 Elo", bias=350),
    World("60 % draws", draws=0.6),
    *(World(f"one crashes in {100 * share:g} %", crashes=share) for share in (0.02, 0.05, 0.1)),
)
FIRST = 50
"""Pairs of the first plan."""
MAX_GAMES = 10_000
"""Games at which a follower of the advice gives up."""
ADVICE = re.compile(r"Plan for ([\d,]+) games")


def simulated(seed: int) -> Outcome:
    """A run of each two players."""
    found = {}
    for number, world in enumerate(PLAYERS):
        run = made_run(world, [seed, number], MAX_GAMES // 2)
        cell = Cell("follows the advice", world.name, FIRST, "at most 7 %")
        found[cell, "report"] = ends_with_claim(run)
    return found


def ends_with_claim(run: MadeRun) -> bool:
    """True if a run ends with a claim, not with advice that is not worth its games."""
    plans = [Plan(FIRST)]
    while True:
        verdict = reported(Read(run.at(plans[-1].pairs), plans))
        if is_claim(verdict):
            return True
        advice = ADVICE.search(verdict.next_step)
        games = int(advice[1].replace(",", "")) if advice else MAX_GAMES + 1
        if games > MAX_GAMES:
            return False
        plans.append(Plan(max((games + 1) // 2, plans[-1].pairs + 1)))


def lines(seeds: Sequence[int], workers: int) -> Iterator[str]:
    """The table."""
    yield from table(counted(simulated, seeds, workers))
