"""Times, nodes, depths and scores in a few bits: all of them come out as they went in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from arena.match.packed import (
    PACKED,
    PackedName,
    choice_numbers,
    packed,
    unpacked,
    unpacked_columns,
)

TEXTS = {
    "times": ["", "0.012345", "0.000000 0.000000", "3600.000001 0.5", "12.345678 0.000001"],
    "nodes": ["", "0", "1 20 300", f"{2**53 - 1} 0", f"{2**53}", "007"],
    "depths": ["", "0 0 0", "4 5 9 4", "1\t2", "-1"],
    "scores": ["", "-", "- - -", "5 - -7 0", "-0", "good", f"{-(2**55)} 1", f"{2**60}"],
}


@pytest.mark.parametrize("name", PACKED)
def test_whatever_stands_in_a_field_comes_out_as_it_went_in(name: PackedName) -> None:
    for text in [*TEXTS[name], "\udcff", "é", " ", "1 ", "x" * 70_000, "1 " * 70_000 + "1"]:
        data = packed(name, text)
        assert unpacked(name, data) == (text if text != "\udcff" else "\ufffd\ufffd\ufffd")


numbers = st.lists(st.integers(0, 2**53 - 1), max_size=40)


@pytest.mark.slow
@given(st.lists(numbers, max_size=6))
def test_many_games_are_read_at_once_as_one_by_one(games: list[list[int]]) -> None:
    texts = {
        "times": [" ".join(f"{n // 10**6}.{n % 10**6:06d}" for n in game) for game in games],
        "nodes": [" ".join(map(str, game)) for game in games],
        "scores": [
            " ".join("-" if n % 5 == 0 else str(n // 4 - 2**20) for n in game) for game in games
        ],
    }
    names: tuple[PackedName, ...] = ("times", "nodes", "scores")
    for name in names:
        columns = [packed(name, text) for text in texts[name]]
        assert [unpacked(name, data) for data in columns] == texts[name]
        assert unpacked_columns(name, columns) == texts[name]
        odd = [*columns, b"\x01", packed(name, "odd")]
        assert unpacked_columns(name, odd) == [*texts[name], "?", "odd"]
        words = [word for text in texts[name] for word in text.split()]
        expected = [float("nan") if word == "-" else float(word) for word in words]
        for compiled in (False, True):
            counts, values = choice_numbers(name, columns, compiled=compiled)
            assert counts.tolist() == list(map(len, games))
            np.testing.assert_array_equal(values, expected)


COMPILED = pytest.mark.parametrize("compiled", [False, True])


@COMPILED
def test_numbers_kept_as_text_are_read_too(compiled: bool) -> None:
    columns = [packed("times", text) for text in ("0.5 1e3", "", "0.000001")]
    counts, values = choice_numbers("times", columns, compiled=compiled)
    assert counts.tolist() == [2, 0, 1]
    assert values.tolist() == [0.5, 1000.0, 1e-6]


NO_COLUMNS = [b"\x01", b"\x01\x00", b"\x08\x00\x02\x01", b"\x00\x00\x00", b"\x40\x00\x01" * 9]


@COMPILED
@pytest.mark.parametrize("data", NO_COLUMNS)
def test_bytes_that_are_no_column_are_seen(data: bytes, compiled: bool) -> None:
    assert unpacked("nodes", data) == "?"
    with pytest.raises(ValueError, match="no column"):
        choice_numbers("nodes", [packed("nodes", "1 2"), data], compiled=compiled)


def test_a_search_costs_some_bits_a_number() -> None:
    assert len(packed("nodes", " ".join(["65535"] * 40))) == 3 + 80
    assert len(packed("depths", " ".join(["7"] * 40))) == 3 + 15
