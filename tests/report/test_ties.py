"""Ties: no text hangs on the last bit of a number, in which processors differ."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from support.game_records import game, games_of
from support.reports import Played, report, schedule_of, shown

from arena.comparison.compare import leads
from arena.comparison.comparison_answer import _gains_told, _moved_told
from arena.plugins.load import Named
from arena.ratings.rating_answer import ratings_answer
from arena.ratings.rating_list import RatedPlayer, RatedRun, rated_pool
from arena.report.answer import report_text
from arena.report.numbers import json_text
from arena.report.verdict import Extras, RunFacts
from arena.stats.davidson import Points
from arena.stats.leads import alike
from arena.stats.ratings import rate
from arena.stats.score_scale import deciles
from arena.tuning.method import Forecast
from arena.tuning.report.frames import shapes_frame

PROCESSORS = 3
FORMS = ("table", "csv", "json")
INEXACT = ("exp", "log", "log10", "power", "tanh")
"""Functions of numpy that processors compute to different last bits."""
ALGEBRA = ("solve", "inv", "eigvalsh")


def moved(value: Any, random: np.random.Generator) -> Any:
    """A result with other last bits, but where it is exact on every processor."""
    ends = random.choice([-math.inf, math.nan, math.inf], np.shape(value))
    is_exact = np.isnan(ends) | ~np.isfinite(value) | (value == np.round(value))
    found = np.where(is_exact, value, np.nextafter(value, ends))
    return found if isinstance(value, np.ndarray) else type(value)(found)


@contextmanager
def processor(number: int) -> Iterator[None]:
    """Compute as another processor does; 0 is this one."""
    random = np.random.default_rng(number)

    def other(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given, **more: moved(function(*given, **more), random)

    with pytest.MonkeyPatch.context() as patch:
        for name in INEXACT if number else ():
            patch.setattr(np, name, other(getattr(np, name)))
        for name in ALGEBRA if number else ():
            patch.setattr(np.linalg, name, other(getattr(np.linalg, name)))
        if number:
            patch.setattr("arena.stats.elo.log10", other(math.log10))
        yield


Pair = tuple[str, str, int | None, int | None]


def cycle(names: Sequence[str], pairs: int = 6) -> list[Pair]:
    """All meet; each wins as often as it loses, on openings of its own."""
    return [
        (one, other, *result)
        for one, other in combinations(names, 2)
        for result in [(1, 2), (2, 1), (1, 1)] * (pairs // 3)
    ]


def beaten(names: Sequence[str], last: Sequence[str], pairs: int = 8) -> list[Pair]:
    """The first ones are equals, and take as much from each of the last, which are equals, too."""
    found = cycle(names) + cycle(last)
    for one in names:
        for other in last:
            found += [(one, other, 1, 2)] * (pairs - 2) + [(one, other, 2, 1), (one, other, 1, 1)]
    return found


def run_text(names: Sequence[str], pairs: list[Pair], **given: Any) -> str:
    facts = RunFacts("m", Named("gomoku"), Named("round_robin"), "", None, True)
    found = report(names, schedule_of(*pairs), extras=Extras(runs=[facts]), **given)
    return "\n".join(shown(found, form) for form in FORMS)


def equals_whose_leader_crashed() -> str:
    schedule = schedule_of(*beaten("ab", "cd"))
    lost = [
        replace(game(*names, winner, f"x{i}"), reason="crash")
        for i in range(6)
        for names, winner in ((("d", "a"), 2), (("a", "d"), 1))
    ]
    games: list[Played] = list(enumerate([*(each for _, each in schedule), *lost], start=1))
    found = report("abcd", games)
    return "\n".join(shown(found, form) for form in FORMS)


def rating_lists() -> str:
    players = {name: RatedPlayer(f"engine:{name}", "v") for name in "cabd"}
    records = [each for _, each in schedule_of(*beaten("cab", "d"))]
    run = RatedRun("run", ("g", "l"), players, games_of(records), 1.0, 2.0)
    answer = ratings_answer(rated_pool(("g", "l"), [run]))
    return "\n".join(report_text(answer, form) for form in ("table", "csv", "json"))


def evidence(pairs: list[Pair]) -> Points:
    points = {1: 2, 2: 0, None: 1}
    found = Counter[tuple[str, str, int, int]]()
    for i, (one, other, there, back) in enumerate(pairs):
        found[one, other, i, points[there]] += 1
        found[other, one, i, points[back]] += 1
    return found


def gains_that_are_equal() -> str:
    before, after = evidence(cycle("abcd", 30)), evidence(beaten("bc", "ad", 30))
    rows = leads("abcd", alike(before), alike(after))
    told = [_moved_told(each) for each in rows]
    return "\n".join([*told, _gains_told(rows), json_text([asdict(each) for each in rows])])


def gains_of_nothing() -> str:
    games = evidence(beaten("ab", "cde"))
    again = dict(reversed(games.items()))
    return "\n".join(map(_moved_told, leads("edcba", alike(games), alike(again))))


def openings_that_tell_as_much() -> str:
    """Ratings on as few openings as they may rest on, and on some that are next to heavy."""
    counts = (2, 16, 25)
    found = [rate("ab", evidence(cycle("ab", 60)[:count])) for count in counts]
    return json_text([asdict(each) for each in found])


def tenths_of_equals() -> str:
    """Expected results of which nine each are equal."""
    odds = np.repeat(np.linspace(-1.3, 1.7, 7), 9)
    found = deciles(1 / (1 + np.exp(-odds)), np.arange(len(odds)) % 2.0)
    return json_text([asdict(each) for each in found])


def shapes_as_likely() -> str:
    likely = np.exp(np.log(np.array([0.3, 0.3, 0.3, 0.1])))
    shares = zip(("ridge", "bowl", "cone", "plane"), likely.tolist(), strict=True)
    return " ".join(shapes_frame(Forecast(tuple(shares), 3.0, 10, 1.0, 0.1))["shape"])


TIES: dict[str, Callable[[], str]] = {
    "two equals": lambda: run_text("ab", cycle("ab", 9)),
    "two equals lead": lambda: run_text("abcd", beaten("bc", "ad")),
    "three equals follow": lambda: run_text("abcd", beaten("a", "bcd")),
    "four equals": lambda: run_text("dbca", cycle("dbca")),
    "equals that crashed": equals_whose_leader_crashed,
    "groups that never met": lambda: run_text("abcd", beaten("a", "b", 9) + beaten("c", "d", 9)),
    "rating lists": rating_lists,
    "equal gains": gains_that_are_equal,
    "gains of nothing": gains_of_nothing,
    "openings that tell as much": openings_that_tell_as_much,
    "tenths of equals": tenths_of_equals,
    "shapes as likely": shapes_as_likely,
}
"""Texts that rest on numbers that are equal, or lie on a bound."""


@pytest.mark.parametrize("tie", TIES)
def test_a_text_is_the_same_on_all_processors(tie: str) -> None:
    own = TIES[tie]()
    for number in range(1, PROCESSORS + 1):
        with processor(number):
            found = TIES[tie]()
        assert found == own
