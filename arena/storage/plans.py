"""The plans of a run: how many pairs were to be played whenever it was begun, and which are over.

A plan is kept from its first game on, since from then on it may be changed by what was seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from arena.stats.leads import Looks
from arena.storage.database import Store

OVER, BEGUN = "plans", "plans_begun"
"""Facts of a run: games of the plans that were over, as earlier versions kept them; all plans."""


class RunPlan(NamedTuple):
    """A plan that was begun."""

    pairs: int  # Pairs of each two that meet
    is_over: bool = False


def begin_plan(store: Store, pairs: int, played: int, before: int | None = None) -> None:
    """Keep the plan that is played from now on, which is not over, though it may have been with
    fewer players; those before it only if games were `played`.

    `before` is the plan of the config that was kept before, of a folder that kept no plans.
    """
    facts = store.facts()
    begun = [*_begun(facts)] if played else []
    if played and not begun and before is not None:
        begun = [RunPlan(before)]
    if begun and begun[-1].pairs == pairs:
        begun.pop()
    store.note(facts | {BEGUN: [*begun, RunPlan(pairs)]})


def end_plan(store: Store) -> None:
    """Keep that the plan that was begun last is over: from now on its verdict is known."""
    facts = store.facts()
    *before, last = _begun(facts)
    if not last.is_over:
        store.note(facts | {BEGUN: [*before, RunPlan(last.pairs, True)]})


def kept_plans(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that stay as they are when a config is kept anew."""
    return {key: facts[key] for key in (OVER, BEGUN) if facts.get(key)}


def looks_of(facts: Mapping[str, Any], games: int) -> Looks:
    """The looks at the games of a run before the plan that was begun last; it has so many games."""
    begun = [plan.pairs for plan in _begun(facts)]
    over = {*_over(facts)} - {games}
    is_smaller = any(before > after for before, after in combinations(begun, 2))
    return Looks(max(len(begun) - 1, len(over)), is_smaller)


def last_looks(facts: Mapping[str, Any], games: int) -> Looks:
    """The same, for games that are read whatever was planned: at any moment, if some miss."""
    looks, begun = looks_of(facts, games), [*_begun(facts)]
    is_over = begun[-1].is_over if begun else games in _over(facts)
    return looks if is_over else Looks(looks.earlier, True)


def has_begun(facts: Mapping[str, Any]) -> bool:
    """True if plans are kept."""
    return any(_begun(facts))


def _over(facts: Mapping[str, Any]) -> list[int]:
    """Games of plans that were over; in a foreign folder they may be anything."""
    plans = facts.get(OVER)
    return [each for each in plans if isinstance(each, int)] if isinstance(plans, list) else []


def _begun(facts: Mapping[str, Any]) -> Iterator[RunPlan]:
    """The plans that were begun; in a foreign folder they may be anything."""
    plans = facts.get(BEGUN)
    for each in plans if isinstance(plans, list) else []:
        if isinstance(each, list | tuple) and [type(x) for x in each] == [int, bool]:
            yield RunPlan(*each)
