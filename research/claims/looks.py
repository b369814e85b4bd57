"""Two equals, and somebody who looks after every pair and does what suits him.

once                   the plan ends, and is read once
shrinks                he begins the plan, and makes it smaller, so that it is over at the moment
                       that suits him best, with hindsight: games beyond a smaller plan are kept,
                       but do not count. If no moment gives a claim, the plan ends
stops                  he stops the run there, its plan as it was
shrinks, then extends  he makes the plan smaller, and then greater again, as far as suits him
imports                he takes the games of the best moment to another place, which nobody can see:
                       imported games are taken for a whole plan, and their report says so
extends                a plan of FIRST pairs that is over, then a greater one, and so on, each
                       chosen before its games. When near: by a pair while the lead is NEAR_MISS
                       errors or more, else by a quarter
extends, then shrinks  the second plan is the last, and is made smaller
two runs               of half the pairs each, which are read together, once
splits                 the first of two is made smaller at its best moment, and if that gives no
                       claim, is over; then the second likewise (or stopped), read with the first
best of two runs       each is made smaller, so that both together look best, or the gain from one
                       to the other
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import ceil, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.report.verdict import Conclusion
from arena.stats.elo import QUANTILE, superiority
from claims.cells import Cell, Outcome, counted, table
from claims.made_runs import (
    MadeRun,
    Plan,
    Read,
    World,
    compared,
    is_claim,
    made_run,
    rated,
    reported,
    tail_of,
)

Floats = NDArray[np.float64]
Plans = tuple[Plan, ...]
Ask = Callable[..., Conclusion]


class Chance(NamedTuple):
    """A moment at which a verdict may be read, and the plans that the run has had then."""

    pairs: int
    plans: Plans


Way = list[list[Chance]]
"""All chances that somebody has, those of one kind together."""

TARGET = "at most 7 %"
WORLDS = (World("toss"), World("30 % draws", draws=0.3, bias=200))
PLANNED = (100, 300, 500)
FIRST = 50
"""Pairs of the plan that is extended."""
STEPS: dict[str, Callable[[int], int]] = {
    "by a pair": lambda pairs: pairs + 1,
    "by a tenth": lambda pairs: ceil(1.1 * pairs),
    "by 50 pairs": lambda pairs: pairs + 50,
    "to the double": lambda pairs: 2 * pairs,
}
QUESTIONS: dict[str, Ask] = {"report": reported, "ratings": rated}
NEAR_MISS = 1.5
NEAR = 0.9
"""Part of the bound on Wald's z from which the LOS is computed, whose own z is hardly ever more."""
LOOSE = 1.4
"""Ratings are asked at tails of the LOS up to so many times the usual one."""
STRETCH = 1.1
"""The last of some moments, in times the first, of which only the best one is asked."""
WIDE = 1.5
"""The same of the moments of two runs."""
MANY = 10
"""So many times the tail of two runs that were made smaller, none costs more."""
MOST_ASKED = 6
"""Of the moments of two runs, those that are asked."""


def once(pairs: int) -> Way:
    return [[Chance(pairs, (Plan(pairs),))]]


def shrinks(pairs: int) -> Way:
    begun = Plan(pairs, False)
    return [[Chance(k, (begun, Plan(k))) for k in range(2, pairs)], *once(pairs)]


def stops(pairs: int) -> Way:
    return [[Chance(k, (Plan(pairs, False),)) for k in range(2, pairs)], *once(pairs)]


def shrinks_then_extends(pairs: int) -> Way:
    begun = Plan(pairs, False)
    back = Chance(pairs, (begun, Plan(pairs // 2), Plan(pairs)))
    return [
        [Chance(k, (begun, Plan(2), Plan(k))) for k in range(3, pairs)],
        [Chance(k, (begun, Plan(k - 1), Plan(k))) for k in range(3, pairs)],
        [back],
    ]


def extends(pairs: int, step: str) -> Way:
    plans = [FIRST]
    while plans[-1] < pairs:
        plans.append(min(STEPS[step](plans[-1]), pairs))
    history = [Plan(each) for each in plans]
    return [[Chance(k, tuple(history[:number])) for number, k in enumerate(plans, start=1)]]


def imports(pairs: int) -> Way:
    return [[Chance(k, ()) for k in range(2, pairs + 1)]]


def extends_when_near(pairs: int, z: Floats) -> Way:
    plans = [Plan(FIRST)]
    while (last := plans[-1].pairs) < pairs:
        more = 1 if z[last - 1] >= NEAR_MISS else ceil(last / 4)
        plans.append(Plan(min(last + more, pairs)))
    return [[Chance(each.pairs, (*plans[:i], each)) for i, each in enumerate(plans)]]


def extends_then_shrinks(pairs: int) -> Way:
    first, begun = Plan(FIRST), Plan(pairs, False)
    moments = range(FIRST + 1, pairs)
    return [
        *once(FIRST),
        [Chance(k, (first, begun, Plan(k))) for k in moments],
        [Chance(pairs, (first, Plan(pairs)))],
    ]


WAYS: dict[str, Callable[[int], Way]] = {
    "once": once,
    "shrinks": shrinks,
    "stops": stops,
    "shrinks, then extends": shrinks_then_extends,
    "imports": imports,
}
SECOND = {"splits": shrinks, "splits, and stops": stops}
"""What is done to the second of two runs."""


@lru_cache(100)
def tails_of(ask: Ask, chances: tuple[Chance, ...], *before: Plans) -> Floats:
    """The tails beyond which the LOS must lie for a claim, or less."""
    is_rated = ask is rated
    tails = [tail_of(*before, each.plans, is_rated=is_rated) for each in chances]
    return (LOOSE if is_rated else 1) * np.array(tails)


@lru_cache(100)
def way_of(way: Callable[..., Way], *given: int | str) -> tuple[tuple[Chance, ...], ...]:
    """The chances of a way, made once for all runs."""
    return tuple(map(tuple, way(*given)))


class Match:
    """A run of two equals, as somebody sees it who looks after every pair."""

    def __init__(self, run: MadeRun, before: Read | None = None) -> None:
        """`before` has the games that count with those of the run, from an earlier one."""
        self.run, self.before = run, before
        halves = _halves(run)
        if before:
            halves = np.vstack([_halves(before.run)[: before.run.pairs], halves])
        self.points, self.z = halves.sum(axis=1) / 2, abs(sums(halves).z)
        self.more = before.run.pairs if before else 0

    def los(self, pairs: Sequence[int]) -> Floats:
        """The LOS of the first player after so many pairs of the run."""
        count = self.more + max(pairs)
        is_played = np.arange(count) < self.more + np.array(pairs)[:, None]
        points = np.where(is_played, self.points[:count], 0.0)
        return superiority(points, np.where(is_played, 2.0, 0.0))

    def best(self, chances: Sequence[Chance], tails: Floats) -> Iterator[Chance]:
        """Chances with a LOS beyond these tails: of each stretch, that which is furthest beyond."""
        from scipy.special import ndtri

        seen = self.z[[self.more + each.pairs - 1 for each in chances]]
        near = np.flatnonzero(seen >= -NEAR * ndtri(np.maximum(tails, 1e-300))).tolist()
        if not near:
            return
        los = self.los([chances[place].pairs for place in near])
        best = dict[int, tuple[float, Chance]]()
        for place, ratio in zip(near, np.minimum(los, 1 - los) / tails[near], strict=True):
            chance = chances[place]
            stretch = int(log(self.more + chance.pairs) / log(STRETCH))
            if ratio <= best.get(stretch, (1.0, chance))[0]:
                best[stretch] = ratio, chance
        yield from (chance for _, chance in best.values())

    def is_claimed(self, ask: Ask, way: Sequence[tuple[Chance, ...]]) -> bool:
        """True if somebody who goes this way meets a claim."""
        before = [self.before] if self.before else []
        earlier = [tuple(each.plans) for each in before]
        return any(
            is_claim(ask(*before, Read(self.run.at(chance.pairs), chance.plans)))
            for chances in way
            for chance in self.best(chances, tails_of(ask, chances, *earlier))
        )


class Sums(NamedTuple):
    """All beginnings of a run: the points of the first player, less one half of all."""

    lead: Floats
    variance: Floats
    """The variance of the lead."""

    @property
    def z(self) -> Floats:
        found: Floats = self.lead / np.sqrt(self.variance)
        return found


def sums(halves: NDArray[np.int8]) -> Sums:
    """The sums after each pair. A quarter of a pair won and one lost leave no variance at zero."""
    leads = halves.sum(axis=1) / 4 - 0.5
    count = np.arange(1, len(leads) + 1)
    lead, squares = leads.cumsum(), (leads**2).cumsum()
    return Sums(lead, squares - lead**2 / count + 0.125)


def _halves(run: MadeRun) -> NDArray[np.int8]:
    (made,) = run.pairings.values()
    return made.halves


def simulated(seed: int) -> Outcome:
    """A run of two equals of each kind, in all ways."""
    found: dict[tuple[Cell, str], bool] = {}
    for number, world in enumerate(WORLDS):
        one, two = (made_run(world, [seed, number], max(PLANNED), run) for run in (0, 1))
        for (way, pairs, read_in), is_claimed in outcomes_of(one, two):
            target = "" if way in ("once", "two runs", "imports") else TARGET
            found[Cell(way, world.name, pairs, target), read_in] = is_claimed
    return found


def outcomes_of(one: MadeRun, two: MadeRun) -> Iterator[tuple[tuple[str, int, str], bool]]:
    """What comes of one run, or of both together: the way, the pairs, and where it is read."""
    match, most = Match(one), max(PLANNED)
    ways = [(name, pairs, way_of(way, pairs)) for name, way in WAYS.items() for pairs in PLANNED]
    ways += [(f"extends {step}", most, way_of(extends, most, step)) for step in STEPS]
    ways += [("extends, then shrinks", most, way_of(extends_then_shrinks, most))]
    near = tuple(map(tuple, extends_when_near(most, match.z)))
    ways += [("extends when near", most, near)]
    for name, pairs, chances in ways:
        for read_in, ask in QUESTIONS.items():
            if (name, read_in) != ("imports", "ratings"):  # they leave such games out
                yield (name, pairs, read_in), match.is_claimed(ask, chances)
    for pairs in PLANNED:
        yield from split(one, two, pairs)


def split(one: MadeRun, two: MadeRun, pairs: int) -> Iterator[tuple[tuple[str, int, str], bool]]:
    """What comes of two runs of half the pairs each."""
    half = pairs // 2
    alone, first = Match(one), Read(one.at(half), (Plan(half),))
    both, over = Match(two, first), way_of(once, half)
    for read_in, ask in QUESTIONS.items():
        yield ("two runs", pairs, read_in), both.is_claimed(ask, over)
        is_claimed = alone.is_claimed(ask, way_of(shrinks, half))
        for name, way in SECOND.items():
            found = is_claimed or both.is_claimed(ask, way_of(way, half))
            yield (name, pairs, read_in), found
    second = Read(two.at(half), (Plan(half),))
    yield ("two runs", pairs, "compare"), is_claim(compared(first, second))
    for read_in, ask in (*QUESTIONS.items(), ("compare", compared)):
        yield ("best of two runs", pairs, read_in), best_of_two(one, two, half, ask)


def best_of_two(one: MadeRun, two: MadeRun, half: int, ask: Ask) -> bool:
    """True if two runs of this plan that are made smaller give a claim together."""
    from scipy.special import ndtri

    first, second = (sums(_halves(run)[:half]) for run in (one, two))
    smaller = _made_smaller(half - 1, half)
    reach = -float(ndtri(MANY * tail_of(smaller, smaller)))
    found = best_places(first, second, reach, is_gain=ask is compared)[:MOST_ASKED]
    for places in found or [(half - 1, half - 1)]:
        plans = [_made_smaller(place + 1, half) for place in places]
        read = [
            Read(run.at(each[-1].pairs), each) for run, each in zip((one, two), plans, strict=True)
        ]
        if is_claim(ask(*read)):
            return True
    return False


def best_places(
    one: Sums, two: Sums, reach: float = QUANTILE, *, is_gain: bool
) -> list[tuple[int, int]]:
    """The places in both runs where the lead of both, or the gain from one to the other, is
    greatest for its error, and about as great as `reach`: the best of each two stretches, and the
    greatest first."""
    count = np.arange(1, len(one.lead) + 1)
    if is_gain:
        one = Sums(-one.lead / count, one.variance / count**2)
        two = Sums(two.lead / count, two.variance / count**2)
    lead = one.lead[:, None] + two.lead
    z = np.abs(lead) / np.sqrt(one.variance[:, None] + two.variance)
    stretch, best = (np.log(count) / log(WIDE)).astype(int), list[tuple[float, int, int]]()
    parts = [np.flatnonzero(stretch == each) for each in set(stretch)]
    for rows, columns in product(parts, repeat=2):
        inner = z[np.ix_(rows, columns)]
        i, j = np.unravel_index(inner.argmax(), inner.shape)
        best.append((float(inner.max()), int(rows[i]), int(columns[j])))
    return [(i, j) for seen, i, j in sorted(best, reverse=True) if seen >= NEAR * reach]


def _made_smaller(pairs: int, planned: int) -> Plans:
    """The plans of a run that was made smaller, unless it ended as planned."""
    is_over = pairs == planned
    return (Plan(planned),) if is_over else (Plan(planned, False), Plan(pairs))


def lines(seeds: Sequence[int], workers: int) -> Iterator[str]:
    """The table."""
    yield from table(counted(simulated, seeds, workers))
