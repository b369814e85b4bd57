"""Some players meet some others only: by default the first the second, and so on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from arena.engine import Range
from arena.errors import ConfigError, unknown
from arena.format import OPENINGS, Field, Pairing
from arena.match.pairs import Results

Couple = tuple[str, str]


def pairings(
    field: Field,
    results: Results,
    *,
    of: Annotated[Sequence[Sequence[str]], "names, two by two; none given: as they stand"] = (),
    pairs: Annotated[Sequence[int], "of each couple; none given: the openings x rounds"] = (),
    turns: Annotated[int, Range(1, 10_000), "couples that take turns at the openings"] = 1,
) -> Iterator[Pairing]:
    """Opening by opening, so that whenever a run stops, all have met about equally often."""
    couples, most = couples_of(field, of), _pairs_of_each(field, of, pairs)
    for number in range(max(most)):
        for place, (one, other) in enumerate(couples):
            if number < most[place] and number % turns == place % turns:
                yield Pairing(one, other, *field.start(number))


def total(
    field: Field, *, of: Sequence[Sequence[str]] = (), pairs: Sequence[int] = (), turns: int = 1
) -> int:
    """The pairs of all couples; ConfigError if these players are no couples."""
    return sum(
        len(range(place % turns, most, turns))
        for place, most in enumerate(_pairs_of_each(field, of, pairs))
    )


def couples_of(field: Field, of: Sequence[Sequence[str]] = ()) -> list[Couple]:
    """The couples by their names; ConfigError for names that are no couples of players."""
    names = list(map(list, of)) or [
        list(field.players[i : i + 2]) for i in range(0, len(field.players), 2)
    ]
    for each in names:
        if len(each) != 2:
            raise ConfigError(
                f"couples are of two players each, not {len(each)}: {', '.join(each)}"
            )
        if each[0] == each[1]:
            raise ConfigError(f"{each[0]} cannot meet itself")
        for name in each:
            if name not in field.players:
                raise ConfigError(unknown("player", name, field.players))
    if len({frozenset(each) for each in names}) < len(names):
        raise ConfigError("a couple stands here twice")
    return [(one, other) for one, other in names]


def _pairs_of_each(
    field: Field, of: Sequence[Sequence[str]], pairs: Sequence[int]
) -> Sequence[int]:
    """The pairs of each couple, if all openings were its own."""
    couples = couples_of(field, of)
    if not pairs:
        return [field.rounds * len(field.openings)] * len(couples)
    if len(pairs) != len(couples):
        raise ConfigError(f"pairs must be one number for each of {len(couples)} couples")
    if min(pairs) < 1:
        raise ConfigError("a couple must have at least one pair")
    return pairs


def openings(**parameters: object) -> int:
    pairs = parameters.get("pairs")
    return max(pairs) if isinstance(pairs, list | tuple) and pairs else OPENINGS
