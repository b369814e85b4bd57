"""Candidates meet the field: each of them every other player, the others not each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Annotated

from arena.errors import ConfigError, unknown
from arena.format import OPENINGS, Field, Pairing
from arena.formats.round_robin import Pairs
from arena.match.pairs import Results


def pairings(
    field: Field,
    results: Results,
    *,
    candidates: Annotated[Sequence[str], "players' names; none given: the first player"] = (),
    pairs: Pairs = 0,
) -> Iterator[Pairing]:
    """Opening by opening, so that whenever a run stops, all have met about equally often."""
    chosen = _chosen_of(field, candidates)
    others = [player for player in field.players if player not in chosen]
    for number in range(field.pairs(pairs)):
        for one, other in product(chosen, others):
            yield Pairing(one, other, *field.start(number))


def total(field: Field, *, candidates: Sequence[str] = (), pairs: int = 0) -> int:
    """Pairs x candidates x others; ConfigError for candidates that are no players."""
    chosen = len(_chosen_of(field, candidates))
    return field.pairs(pairs) * chosen * (len(field.players) - chosen)


def openings(*, candidates: Sequence[str] = (), pairs: int = 0) -> int:
    return pairs or OPENINGS


def _chosen_of(field: Field, candidates: Sequence[str]) -> list[str]:
    """The candidates, in the order of the field."""
    for name in candidates:
        if name not in field.players:
            raise ConfigError(unknown("candidate", name, field.players))
    chosen = [player for player in field.players if player in candidates]
    if len(chosen) == len(field.players):
        raise ConfigError("candidates need opponents: at least one player must be none")
    return chosen or list(field.players[:1])
