"""Fitted weights as an engine can have them."""

from __future__ import annotations

from math import inf, nextafter

import pytest

from arena.tuning.fit.result_fit import _value_of
from arena.tuning.space import Axis, Space

SPACE = Space(
    (
        Axis("share", 0.25, 0.0, 1 / 3),
        Axis("scale", 2.0, 0.1, 50.0, log=True),
        Axis("count", 10, 0, 100, is_whole=True, step=1),
    )
)


@pytest.mark.parametrize(
    ("name", "start", "change", "after"),
    [
        ("share", 0.25, 0.012345678901, 0.26234568),
        ("share", 0.25, 0.5, 0.33333333),
        ("scale", 2.0, 1.3456789012, 3.3456789),
        ("count", 10.0, 3.4, 13),
        ("7", 1.5, 0.123456789012, 1.6234568),
    ],
)
def test_a_weight_is_rounded_within_its_range(
    name: str, start: float, change: float, after: float
) -> None:
    for near in (nextafter(change, -inf), change, nextafter(change, inf)):
        assert _value_of(SPACE, name, start, near)[1] == after


def test_a_weight_that_is_not_changed_stays_as_it_was() -> None:
    assert _value_of(SPACE, "7", 0.123456789012345, 0.0) == (0.123456789012345,) * 2
    assert _value_of(SPACE, "share", 0.25, 0.0) == (0.25, 0.25)
