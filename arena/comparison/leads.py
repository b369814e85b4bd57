"""The Elo of players that two runs have in common, and by how much it changed between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isinf
from operator import attrgetter

from arena.stats.davidson import Points
from arena.stats.elo import TAIL
from arena.stats.leads import (
    UNKNOWN,
    Estimate,
    FaultViews,
    as_marked,
    change,
    estimate,
    is_beyond_chance,
)
from arena.stats.ratings import Rating, rate
from arena.stats.rounding import rounded


@dataclass(frozen=True, slots=True)
class Lead:
    """A player's Elo over the other players of both runs, by the games among them."""

    name: str
    field: tuple[str, ...]  # The players whose mean is the zero of its Elo, in both runs
    before: Estimate
    after: Estimate
    gain: Estimate
    is_sure: bool
    """True if so large a gain would hardly come by chance, of as many players as there are."""


NO_LEAD = Lead("", (), UNKNOWN, UNKNOWN, UNKNOWN, is_sure=False)


def leads(
    names: Sequence[str],
    before: FaultViews[Points],
    after: FaultViews[Points],
    tail: float = TAIL,
) -> list[Lead]:
    """The leads of players that are in both runs, most gain first; a claim may be wrong by the
    chance `tail` on either side."""
    played = _leads(names, before.played, after.played, tail)
    if all(each.without is each.played is each.drawn for each in (before, after)):
        return played
    rows = FaultViews(
        played,
        _leads(names, before.without, after.without, tail),
        _leads(names, before.drawn, after.drawn, tail),
    )
    views = rows.map(lambda view: {each.name: each for each in view})

    def marked(row: Lead) -> Lead:
        found = views.map(lambda view: view.get(row.name, NO_LEAD))
        before, after, gain = (
            as_marked(found.map(attrgetter(name))) for name in ("before", "after", "gain")
        )
        if row.is_sure and not all(each.is_sure for each in found):
            gain = gain._replace(doubtful=True)
        return replace(row, before=before, after=after, gain=gain)

    return list(map(marked, played))


def _leads(names: Sequence[str], before: Points, after: Points, tail: float) -> list[Lead]:
    """The leads by the games in one view.

    In both runs a player is rated over the mean of the same other players: those that can be
    compared with it in both, and neither won nor lost everything there.
    """
    found = [_among(names, each) for each in (before, after)]
    fields = _fields_of(names, *({each.name: each for each in _rated(names, run)} for run in found))
    pairs = [{each.name: each for each in _rated(names, run, fields)} for run in found]
    gains = {}
    for name in fields:
        one, other = (estimate(run[name].elo, run[name].low, run[name].high) for run in pairs)
        gains[name] = one, other, change(one, other)
    # Of two players, what the one gained the other lost: that is one question.
    asked = len(gains) - (len(gains) == 2)
    rows = [
        Lead(name, fields[name], *gain, is_sure=is_beyond_chance(gain[2], asked, tail))
        for name, gain in gains.items()
    ]
    rows.sort(key=lambda row: (isinf(row.gain.high - row.gain.low), -rounded(row.gain.elo)))
    return rows


def _among(names: Sequence[str], points: Points) -> Points:
    """The games in which only these players met."""
    return {key: games for key, games in points.items() if key[0] in names and key[1] in names}


def _rated(
    names: Sequence[str], points: Points, fields: Mapping[str, Sequence[str]] | None = None
) -> Sequence[Rating]:
    """The ratings by these games; none if there are none."""
    return rate(names, points, over=fields).players if points else []


def _fields_of(
    names: Sequence[str], before: Mapping[str, Rating], after: Mapping[str, Rating]
) -> dict[str, tuple[str, ...]]:
    """For each player the others that its Elo can be told over in both runs, if there are any."""
    groups: dict[tuple[int, int], list[str]] = defaultdict(list)
    for name in names if before and after else ():
        groups[before[name].group, after[name].group].append(name)
    fields = {}
    for group in groups.values():
        firm = [name for name in group if _is_known(before[name]) and _is_known(after[name])]
        for name in group:
            if others := tuple(each for each in firm if each != name):
                fields[name] = others
    return fields


def _is_known(rating: Rating) -> bool:
    """True if both ends of its interval are known."""
    found = estimate(rating.elo, rating.low, rating.high)
    return not isinf(found.high - found.low)
