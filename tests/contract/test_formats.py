"""What every format keeps, put to each file in arena/formats."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from types import ModuleType
from typing import cast

import pytest

from arena.format import Field, Pairing
from arena.game import Outcome
from arena.match.pairs import Results
from arena.match.record import GameRecord, Job, record
from arena.plugins.load import factory, module, names
from arena.plugins.parameters import parameters

STARTS = ("7,7", "7,8", "8,8")
SIZES = {"sprt": 2, "couples": 4, "sprt_couples": 4}
"""Numbers of players of formats that cannot take any number."""


@dataclass(frozen=True)
class Format:
    """A format with its defaults, and a field that it can pair."""

    name: str
    module: ModuleType
    field: Field
    values: dict[str, object]

    @property
    def may_end_early(self) -> bool:
        """Whether results can end it before all its pairs are played."""
        matches = getattr(self.module, "matches", None)
        rows = matches(self.field, Results(), **self.values) if matches else []
        return any("decision" in row for row in rows)

    def pairings(self, results: Results, field: Field | None = None) -> Iterator[Pairing | None]:
        pairings: Iterator[Pairing | None] = self.module.pairings(
            field or self.field, results, **self.values
        )
        return pairings


def format_of(name: str) -> Format:
    players = ("a", "b", "c", "d", "e")[: SIZES.get(name, 5)]
    values = {each.name: each.default for each in parameters(factory("format", name))}
    return Format(name, module("format", name), Field(players, STARTS, 2), values)


FORMATS = [format_of(name) for name in names("format")]


@pytest.fixture(params=FORMATS, ids=lambda format: format.name)
def format(request: pytest.FixtureRequest) -> Format:
    return cast(Format, request.param)


def those(formats: list[Format]) -> pytest.MarkDecorator:
    """These formats alone."""
    return pytest.mark.parametrize("format", formats, ids=lambda format: format.name)


def games(pairing: Pairing) -> list[GameRecord]:
    """Both games of a pairing, with results that depend on nothing else."""
    found = []
    for first, second in ((pairing.one, pairing.other), (pairing.other, pairing.one)):
        draw = random.Random(f"{first} {second} {pairing.opening} {pairing.round}")
        winner = draw.choices([1, 2, None], [5, 3, 1])[0]
        job = Job(first, second, pairing.opening, pairing.round)
        found.append(record(job, Outcome(winner, "line"), "", str(draw.random())))
    return found


def played(format: Format, workers: int, order: random.Random) -> tuple[list[Pairing], Results]:
    """A whole tournament in which so many pairs are under way at once, and end in any order."""
    results, under_way, schedule = Results(), [], []
    pairings = format.pairings(results)
    while True:
        while len(under_way) < workers and (pairing := next(pairings, None)):
            under_way.append(pairing)
            schedule.append(pairing)
        if not under_way:
            return schedule, results
        for game in games(under_way.pop(order.randrange(len(under_way)))):
            results.add(game)


def waits(format: Format) -> bool:
    """Tell if pairings of a format depend on results."""
    return None in islice(format.pairings(Results()), 1000)


@those([each for each in FORMATS if not waits(each)])
def test_what_waits_for_no_results_yields_lazily(format: Format) -> None:
    starts = tuple(map(str, range(1000)))
    endless = Field(format.field.players, starts, rounds=10**6)
    assert len(list(islice(format.pairings(Results(), endless), 3))) == 3


def test_it_pairs_different_players_of_the_field(format: Format) -> None:
    schedule, _ = played(format, 1, random.Random(0))
    for pairing in schedule:
        assert pairing.one != pairing.other
        assert {pairing.one, pairing.other} <= set(format.field.players)
        assert pairing.opening in STARTS
        assert pairing.round >= 1


def test_no_pairing_comes_twice(format: Format) -> None:
    schedule, _ = played(format, 1, random.Random(0))
    keys = Counter(
        (frozenset((pairing.one, pairing.other)), pairing.opening, pairing.round)
        for pairing in schedule
    )
    assert max(keys.values()) == 1


@pytest.mark.parametrize("workers", [2, 8])
def test_many_workers_play_what_one_does_whatever_ends_first(format: Format, workers: int) -> None:
    alone, _ = played(format, 1, random.Random(0))
    together, _ = played(format, workers, random.Random(workers))
    assert together[: len(alone)] == alone
    assert len(together) == len(alone) or format.may_end_early


def test_asked_again_with_all_results_it_gives_the_same_schedule(format: Format) -> None:
    alone, _ = played(format, 1, random.Random(0))
    _, results = played(format, 8, random.Random(1))
    assert list(format.pairings(results)) == alone


def test_stopped_anywhere_it_goes_on_with_what_is_missing(format: Format) -> None:
    alone, _ = played(format, 1, random.Random(0))
    for end in range(0, len(alone), max(7, len(alone) // 5)):
        results = Results()
        for pairing in alone[:end]:
            for game in games(pairing):
                results.add(game)
        known = list(islice(format.pairings(results), end + 1))
        assert [pairing for pairing in known if pairing] == alone[: len(known)]


def test_it_tells_how_many_there_will_be_at_most(format: Format) -> None:
    total = format.module.total(format.field, **format.values)
    schedule, _ = played(format, 1, random.Random(0))
    if total is not None:
        assert len(schedule) <= total
        assert len(schedule) == total or format.may_end_early


@those([each for each in FORMATS if hasattr(each.module, "matches")])
def test_what_it_decides_is_rows_of_plain_values(format: Format) -> None:
    _, results = played(format, 1, random.Random(0))
    for end in (Results(), results):
        for row in format.module.matches(format.field, end, **format.values):
            assert {"one", "other", "pairs"} <= row.keys()
            assert all(isinstance(value, str | int | float) for value in row.values())
