"""The changes of a config, each told at the leaf that differs."""

from __future__ import annotations

from typing import Any

import pytest

from arena.config.settings import value_changes


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, ["x.a.c: 2 -> 3"]),
        ({"a": 1}, {"a": 1, "b": 2}, ["x.b: None -> 2"]),
        ([{"name": "one", "low": 1}], [{"name": "one", "low": 2}], ["x.one.low: 1 -> 2"]),
        ([{"name": "a"}, {"name": "b"}], [{"name": "b"}, {"name": "a"}], ["x: [{"]),
        ([{"name": "a"}, {"name": "a"}], [{"name": "a"}], ["x: [{"]),
        ([1, 2], [2, 1], ["x: [1, 2] -> [2, 1]"]),
        ({"a": [1, 2], "b": 3}, {"b": 3, "a": [1, 2]}, []),
    ],
)
def test_a_change_is_told_at_its_leaf(before: Any, after: Any, told: list[str]) -> None:
    found = list(value_changes("x", before, after))
    assert len(found) == len(told)
    assert all(message.startswith(words) for message, words in zip(found, told, strict=True))
