"""The contract of a format (arena/format.py), for each in arena/formats."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from types import ModuleType
from typing import Any, overload

import pytest
from support.played_trials import played

from arena.errors import ConfigError
from arena.format import Field, Pairing
from arena.match.game_row import row_of
from arena.match.pairs import Results
from arena.match.record import Job
from arena.plugins.load import factory, module, names
from arena.plugins.parameters import fit

STARTS = ("7,7", "7,8", "8,8")
PLAYERS = (5, 4, 2, 3, 6, 8)  # Numbers of players: a format is given the first one that it can pair
MOST = 5_000
"""Pairings of five players on three openings after which a format is held to be endless."""

each_format = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name == "sprt_couples"))
        for name in names("format")
    ],
)


@dataclass(frozen=True)
class AnyFormat:
    module: ModuleType
    values: dict[str, Any]
    field: Field

    @property
    def may_end_early(self) -> bool:
        return any("decision" in row for row in self.matches(Results()))

    def pairings(self, results: Results, field: Field | None = None) -> Iterator[Pairing | None]:
        return iter(self.module.pairings(field or self.field, results, **self.values))

    def matches(self, results: Results) -> list[dict[str, Any]]:
        """The rows of the format's own table of matches; none if it has no `matches`."""
        found = getattr(self.module, "matches", None)
        return list(found(self.field, results, **self.values)) if found else []

    def played(self, workers: int) -> tuple[list[Pairing], Results]:
        """A whole tournament with this many pairs under way at once, which end in any order."""
        order, results = random.Random(workers), Results()
        under_way, schedule = list[Pairing](), list[Pairing]()
        pairings = self.pairings(results)
        while len(schedule) <= MOST:
            while len(under_way) < workers and (pairing := next(pairings, None)):
                under_way.append(pairing)
                schedule.append(pairing)
            if not under_way:
                return schedule, results
            add_games(results, under_way.pop(order.randrange(len(under_way))))
        pytest.fail(f"its pairings do not end: there are more than {MOST}")


@cache
def format_of(name: str) -> AnyFormat:
    values, _ = fit(factory("format", name), {})
    for players in PLAYERS:
        field = Field(tuple("abcdefgh"[:players]), STARTS, 2)
        try:
            module("format", name).total(field, **values)
        except ConfigError:
            continue
        return AnyFormat(module("format", name), values, field)
    pytest.fail(f"it can pair none of {PLAYERS} players")


@cache
def alone(name: str) -> tuple[list[Pairing], Results]:
    return format_of(name).played(1)


def add_games(results: Results, *pairings: Pairing) -> None:
    for pairing in pairings:
        for seats in ((pairing.one, pairing.other), (pairing.other, pairing.one)):
            results.add(row_of(played(Job(*seats, pairing.opening, pairing.round))))


class CountedOpenings(Sequence[str]):
    """A thousand openings that raise OverflowError once ten thousand were asked for."""

    def __init__(self) -> None:
        self.given = 0

    def __len__(self) -> int:
        return 1000

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        if not -1000 <= index < 1000:
            raise IndexError(index)
        self.given += 1
        if self.given > 10_000:
            raise OverflowError("it lists its pairings instead of yielding them one by one")
        return str(index % 1000)


@each_format
def test_pairings_are_of_two_players_and_an_opening_of_the_field(name: str) -> None:
    schedule, _ = alone(name)
    assert schedule
    for pairing in schedule:
        assert pairing.one != pairing.other
        assert {pairing.one, pairing.other} <= {*format_of(name).field.players}
        assert pairing.opening in STARTS
        assert pairing.round >= 1


@each_format
def test_two_players_meet_once_on_an_opening_in_a_round(name: str) -> None:
    schedule, _ = alone(name)
    met = [(frozenset((each.one, each.other)), each.opening, each.round) for each in schedule]
    assert len({*met}) == len(met)


@each_format
def test_long_tournaments_begin_at_once_unless_they_wait_for_results(name: str) -> None:
    format = format_of(name)
    if None not in islice(format.pairings(Results()), 1000):
        endless = Field(format.field.players, CountedOpenings(), rounds=1000)
        assert len([*islice(format.pairings(Results(), endless), 3)]) == 3


@pytest.mark.parametrize("workers", [2, 8])
@each_format
def test_one_worker_and_many_play_the_same_in_any_order(name: str, workers: int) -> None:
    schedule, _ = alone(name)
    together, results = format_of(name).played(workers)
    assert together[: len(schedule)] == schedule
    assert len(together) == len(schedule) or format_of(name).may_end_early
    assert [*format_of(name).pairings(results)] == schedule, "asked again with all results"


@each_format
def test_it_goes_on_where_it_stopped(name: str) -> None:
    schedule, _ = alone(name)
    for end in range(0, len(schedule), max(7, len(schedule) // 5)):
        results = Results()
        add_games(results, *schedule[:end])
        assert [*islice(format_of(name).pairings(results), end + 1)] == schedule[: end + 1]


@each_format
def test_total_is_the_number_of_pairings_or_the_most(name: str) -> None:
    format, count = format_of(name), len(alone(name)[0])
    total = format.module.total(format.field, **format.values)
    assert total in (None, count) or (count < total and format.may_end_early)


@each_format
def test_rows_of_matches_have_the_players_the_pairs_and_plain_values(name: str) -> None:
    for results in (Results(), alone(name)[1]):
        for row in format_of(name).matches(results):
            assert {"one", "other", "pairs"} <= row.keys()
            assert all(isinstance(value, str | int | float) for value in row.values())
