"""An index of hashes holds what a dict holds."""

from __future__ import annotations

from random import Random

import pytest

from arena.match import copies
from arena.match.pairs import HashIndex


@pytest.mark.parametrize("recent", [1, 3, 100, 10_000])
def test_an_index_has_what_was_put_in_last(recent: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "RECENT", recent)
    random, index, expected = Random(recent), HashIndex(), dict[int, int]()
    known = [random.randrange(-(2**63), 2**63) for _ in range(300)]
    assert index.get(known[0]) is None
    for one in random.choices(known[:250], k=1000):
        expected[one] = random.randrange(-(2**63), 2**63)
        index.put(one, expected[one])
        assert index.get(one) == expected[one]
    assert [index.get(one) for one in known] == [expected.get(one) for one in known]
