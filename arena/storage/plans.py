"""The plans of a run: how many games were to be played whenever it was begun, and which are over.

A plan is kept from its first game on, since from then on it may be changed by what was seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb
from typing import Any, NamedTuple

from arena.stats.looks import Looks
from arena.storage.database import Store

OVER, BEGUN = "plans", "plans_begun"
"""Facts of a run: games of the plans that are over, and games with players of those begun."""


class RunPlan(NamedTuple):
    """The games that a run is to have at most, and its players."""

    games: int
    players: int

    @property
    def meetings(self) -> float:
        """Games of each two players: a player that leaves makes no plan smaller."""
        return self.games / comb(self.players, 2)


def begin_plan(store: Store, plan: RunPlan, played: int) -> None:
    """Keep the plan that is played from now on; those before it only if games were `played`."""
    facts = store.facts()
    before = [list(each) for each in _begun(facts)] if played else []
    if before[-1:] != [list(plan)]:
        store.note(facts | {BEGUN: [*before, plan]})


def end_plan(store: Store, plan: RunPlan) -> None:
    """Keep that a plan is over: from now on its verdict is known."""
    facts = store.facts()
    if plan.games not in (over := _over(facts)):
        store.note(facts | {OVER: [*over, plan.games]})


def kept_plans(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that stay as they are when a config is kept anew."""
    return {key: facts[key] for key in (OVER, BEGUN) if facts.get(key)}


def looks_of(facts: Mapping[str, Any], plan: RunPlan) -> Looks:
    """The looks at the games of a run before this plan of it."""
    begun = [each for each in _begun(facts) if each.players > 1]
    others = {*_over(facts), *(each.games for each in begun)} - {plan.games}
    is_smaller = plan.players > 1 and any(each.meetings > plan.meetings for each in begun)
    return Looks(len(others), is_smaller)


def last_looks(facts: Mapping[str, Any], games: int) -> Looks:
    """The same of the plan that was begun last, for games that are read whatever it was: at any
    moment, if it is not over."""
    plan = next(reversed([*_begun(facts)]), RunPlan(games, 0))
    looks = looks_of(facts, plan)
    return looks if plan.games in _over(facts) else Looks(looks.earlier, True)


def _over(facts: Mapping[str, Any]) -> list[int]:
    """Games of the plans that are over; in a foreign folder they may be anything."""
    plans = facts.get(OVER)
    return [each for each in plans if isinstance(each, int)] if isinstance(plans, list) else []


def _begun(facts: Mapping[str, Any]) -> Iterator[RunPlan]:
    """The plans that were begun; in a foreign folder they may be anything."""
    plans = facts.get(BEGUN)
    for each in plans if isinstance(plans, list) else []:
        if isinstance(each, list | tuple) and [type(x) for x in each] == [int, int]:
            yield RunPlan(*each)
