"""Checks of a format of tournaments: `check_format`."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, overload

from arena.errors import ConfigError
from arena.format import Field, Pairing
from arena.game import Outcome
from arena.match.game_row import row_of
from arena.match.pairs import Results
from arena.match.record import GameRecord, Job, record
from arena.testing.running import Written, name_of, named_checks, names_of, run_checks, written

STARTS = ("7,7", "7,8", "8,8")
PLAYERS = (5, 4, 2, 3, 6, 8)
"""Numbers of players: a format is given the first one that it can pair."""
MOST = 5_000
"""Pairings of five players on three openings after which a format is held to be endless."""


@dataclass(frozen=True)
class FormatUnderTest:
    """A format, and a field that it can pair."""

    written: Written
    field: Field

    @property
    def may_end_early(self) -> bool:
        """True if results can end it before all its pairs are played."""
        return any("decision" in row for row in self.matches(Results()))

    @cached_property
    def alone(self) -> tuple[list[Pairing], Results]:
        """The schedule that one worker plays, and its results."""
        return self.played(1, random.Random(0))

    def pairings(self, results: Results, field: Field | None = None) -> Iterator[Pairing | None]:
        """Its pairings of the field, or of another one."""
        return iter(self.written.factory(field or self.field, results, **self.written.values))

    def matches(self, results: Results) -> list[dict[str, Any]]:
        """The rows of the format's own table of matches; none if it has no `matches`."""
        found = getattr(self.written.module, "matches", None)
        return list(found(self.field, results, **self.written.values)) if found else []

    def played(self, workers: int, order: random.Random) -> tuple[list[Pairing], Results]:
        """A whole tournament with this many pairs under way at once, which end in any order."""
        results, under_way, schedule = Results(), list[Pairing](), list[Pairing]()
        pairings = self.pairings(results)
        while len(schedule) <= MOST:
            while len(under_way) < workers and (pairing := next(pairings, None)):
                under_way.append(pairing)
                schedule.append(pairing)
            if not under_way:
                return schedule, results
            for game in games(under_way.pop(order.randrange(len(under_way)))):
                results.add(row_of(game))
        raise ConfigError(f"its pairings do not end: there are more than {MOST}")


def check_format(format: object, *, checks: Iterable[str] | None = None) -> None:
    """Put a format through the checks of `arena/format.py`, by default all of `FORMAT_CHECKS`.

    It is the name of a format, with parameters if any, the path of a file, or a module. Raises
    ContractError, which names every check that fails.
    """
    run_checks(name_of(format), lambda: format_under_test(format), CHECKS, checks)


def format_under_test(wanted: object) -> FormatUnderTest:
    """The format with a field that it can pair. Raises ConfigError if it is not a format."""
    found = written("format", wanted)
    total = getattr(found.module, "total", None)
    if not callable(total):
        raise ConfigError(f"format {found.name} has no function total")
    for players in PLAYERS:
        field = Field(tuple("abcdefgh"[:players]), STARTS, 2)
        try:
            total(field, **found.values)
        except ConfigError:
            continue
        return FormatUnderTest(found, field)
    raise ConfigError(f"format {found.name} can pair none of {PLAYERS} players")


def games(pairing: Pairing) -> list[GameRecord]:
    """Both games of a pairing, with results that depend on nothing else."""
    found = []
    for first, second in ((pairing.one, pairing.other), (pairing.other, pairing.one)):
        draw = random.Random(f"{first} {second} {pairing.opening} {pairing.round}")
        winner = draw.choices([1, 2, None], [5, 3, 1])[0]
        job = Job(first, second, pairing.opening, pairing.round)
        found.append(record(job, Outcome(winner, "line"), "", str(draw.random())))
    return found


class CountedOpenings(Sequence[str]):
    """A thousand openings that raise OverflowError once ten thousand were asked for."""

    def __init__(self) -> None:
        self.given = 0

    def __len__(self) -> int:
        return 1000

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        if not -1000 <= index < 1000:
            raise IndexError(index)
        self.given += 1
        if self.given > 10_000:
            raise OverflowError("it lists its pairings instead of yielding them one by one")
        return str(index % 1000)


def waits(tested: FormatUnderTest) -> bool:
    """True if pairings of a format depend on results."""
    return None in islice(tested.pairings(Results()), 1000)


def comes_to_its_end(tested: FormatUnderTest) -> Iterator[str]:
    """A tournament ends once all is played."""
    if not tested.alone[0]:
        yield "it has no pairings"


def yields_one_by_one(tested: FormatUnderTest) -> Iterator[str]:
    """Long tournaments begin at once, unless they must wait for results."""
    if not waits(tested):
        endless = Field(tested.field.players, CountedOpenings(), rounds=1000)
        if len(list(islice(tested.pairings(Results(), endless), 3))) < 3:
            yield "it has fewer than three pairings of a thousand openings"


def pairs_different_players(tested: FormatUnderTest) -> Iterator[str]:
    """Each pairing is of two players and an opening of the field, in a round from 1."""
    for pairing in tested.alone[0]:
        if pairing.one == pairing.other:
            yield f"{pairing.one} is to play itself"
        if strangers := {pairing.one, pairing.other} - set(tested.field.players):
            yield f"{sorted(strangers)} are no players of the field"
        if pairing.opening not in STARTS or pairing.round < 1:
            yield f"{pairing} is on none of the openings, or in no round"


def repeats_no_pairing(tested: FormatUnderTest) -> Iterator[str]:
    """Two players meet once on an opening in a round."""
    keys = Counter(
        (" - ".join(sorted((pairing.one, pairing.other))), pairing.opening, pairing.round)
        for pairing in tested.alone[0]
    )
    for (players, opening, round), count in keys.items():
        if count > 1:
            yield f"{players} meet {count} times on opening {opening} in round {round}"


def looks_at_its_own_results(tested: FormatUnderTest) -> Iterator[str]:
    """One worker and many play an equal set of games, in any order in which pairs end."""
    alone, _ = tested.alone
    for workers in (2, 8):
        together, _ = tested.played(workers, random.Random(workers))
        if together[: len(alone)] != alone:
            yield f"{workers} workers play other pairings than one"
        if len(together) != len(alone) and not tested.may_end_early:
            yield f"{workers} workers play {len(together)} pairings, and one plays {len(alone)}"


def gives_its_schedule_again(tested: FormatUnderTest) -> Iterator[str]:
    """Asked again with all results, the format gives the pairings that were played."""
    _, results = tested.played(8, random.Random(1))
    if list(tested.pairings(results)) != tested.alone[0]:
        yield "asked again with all results, it gives another schedule"


def goes_on_where_it_stopped(tested: FormatUnderTest) -> Iterator[str]:
    """With some of the results the format gives their pairings, and then the missing ones."""
    alone, _ = tested.alone
    for end in range(0, len(alone), max(7, len(alone) // 5)):
        results = Results()
        for pairing in alone[:end]:
            for game in games(pairing):
                results.add(row_of(game))
        if list(islice(tested.pairings(results), end + 1)) != alone[: end + 1]:
            yield f"stopped after {end} pairings, it goes on with others"


def tells_its_length(tested: FormatUnderTest) -> Iterator[str]:
    """`total` is the number of pairings, or the most where results can end it early."""
    total = tested.written.module.total(tested.field, **tested.written.values)
    count = len(tested.alone[0])
    is_right = total is None or count == total or (count < total and tested.may_end_early)
    if not is_right:
        yield f"total() is {total}, and it has {count} pairings"


def decides_in_plain_values(tested: FormatUnderTest) -> Iterator[str]:
    """The rows of `matches` have `one`, `other`, `pairs`, and plain values."""
    for results in (Results(), tested.alone[1]):
        for row in tested.matches(results):
            if missing := {"one", "other", "pairs"} - row.keys():
                yield f"a row of matches() has no {sorted(missing)}"
            if odd := [key for key, v in row.items() if not isinstance(v, str | int | float)]:
                yield f"{odd} in a row of matches() are no plain values"


CHECKS = named_checks(
    comes_to_its_end,
    yields_one_by_one,
    pairs_different_players,
    repeats_no_pairing,
    looks_at_its_own_results,
    gives_its_schedule_again,
    goes_on_where_it_stopped,
    tells_its_length,
    decides_in_plain_values,
)
FORMAT_CHECKS = names_of(CHECKS)
"""The names of the checks of a format, in the order in which they run."""
