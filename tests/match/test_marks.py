"""A table of marks holds what a dict holds."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from arena.match import marks
from arena.match.marks import MarkTable, hash_of, hashes, mark


@pytest.mark.parametrize("recent", [3, 100, 10_000])
def test_a_table_has_what_was_put_in_last(recent: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "RECENT", recent)
    random, table, expected = Random(recent), MarkTable(), dict[int, int]()
    known = [random.getrandbits(64) for _ in range(300)]
    for _ in range(40):
        for one in random.choices(known, k=20):
            expected[one] = random.getrandbits(64)
            table.put(one, expected[one])
        many = {one: random.getrandbits(64) for one in random.sample(known, 5)}
        table.put_all(np.array([*many], np.uint64), np.array([*many.values()], np.uint64))
        expected |= many
    assert [table.get(one) for one in known] == [expected.get(one) for one in known]
    assert table.has(np.array(known, np.uint64)).tolist() == [one in expected for one in known]


def test_an_empty_table_has_nothing() -> None:
    assert MarkTable().get(0) is None
    assert not MarkTable().has(np.zeros(2, np.uint64)).any()


def test_marks_of_many_are_those_of_each() -> None:
    names, openings = ["a", "b", "", "\udcff"], ["7,7", "", "8,8 9,9", "o"]
    rounds = np.arange(4, dtype=np.uint64)
    many = mark(hashes(names, 4), hashes(openings, 4), rounds)
    each = [
        mark(hash_of(a), hash_of(o), i)
        for i, (a, o) in enumerate(zip(names, openings, strict=True))
    ]
    assert many.tolist() == each
    assert mark(1, 2) != mark(2, 1)
