"""What every format keeps, put to each file in arena/formats."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from types import ModuleType

import pytest

from arena.load import module, names
from arena.pairing import Field
from arena.tally import Tally

FIELD = Field(("a", "b", "c", "d"), ("7,7", "7,8", "8,8"), rounds=2)


@pytest.fixture(params=names("format"))
def format(request: pytest.FixtureRequest) -> ModuleType:
    return module("format", request.param)


def test_it_yields_lazily(format: ModuleType) -> None:
    endless = Field(tuple(map(str, range(1000))), tuple(map(str, range(1000))), rounds=10**6)
    assert len(list(islice(format.pairings(endless, Tally(endless.players)), 3))) == 3


def test_it_pairs_different_players_of_the_field(format: ModuleType) -> None:
    for pairing in islice(format.pairings(FIELD, Tally(FIELD.players)), 100):
        assert pairing.one != pairing.other
        assert {pairing.one, pairing.other} <= set(FIELD.players)
        assert pairing.opening in FIELD.openings
        assert 1 <= pairing.round <= FIELD.rounds


def test_no_pairing_comes_twice(format: ModuleType) -> None:
    pairings = islice(format.pairings(FIELD, Tally(FIELD.players)), 1000)
    keys = Counter(
        (frozenset((pairing.one, pairing.other)), pairing.opening, pairing.round)
        for pairing in pairings
    )
    assert max(keys.values()) == 1


def test_the_same_tally_gives_the_same_pairings(format: ModuleType) -> None:
    one, other = (list(islice(format.pairings(FIELD, Tally(FIELD.players)), 100)) for _ in range(2))
    assert one == other


def test_it_tells_how_many_there_will_be(format: ModuleType) -> None:
    total = format.total(FIELD)
    if total is not None:
        assert total == len(list(format.pairings(FIELD, Tally(FIELD.players))))
