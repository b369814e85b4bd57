"""The law for faults: a number holds without the games that they ended, and with these drawn."""

from __future__ import annotations

import pytest

from arena.stats.leads import UNKNOWN, Estimate, FaultViews, alike, is_carried

PLAYED = Estimate(50.0, 10.0, 90.0)


@pytest.mark.parametrize(
    ("without", "drawn", "is_so"),
    [
        (PLAYED, PLAYED, False),
        (Estimate(30.0, 1.0, 60.0), PLAYED, False),
        (Estimate(30.0, -1.0, 60.0), PLAYED, True),
        (PLAYED, Estimate(30.0, -1.0, 60.0), True),
        (Estimate(9.0, 1.0, 17.0), PLAYED, True),
        (PLAYED, Estimate(91.0, 60.0, 120.0), True),
        (Estimate(-50.0, -90.0, -10.0), PLAYED, True),
        (UNKNOWN, PLAYED, True),
    ],
)
def test_an_elo_that_is_sure_must_stay_so_and_within_its_interval(
    without: Estimate, drawn: Estimate, is_so: bool
) -> None:
    assert is_carried(FaultViews(PLAYED, without, drawn)) == is_so
    mirrored = [Estimate(-each.elo, -each.high, -each.low) for each in (PLAYED, without, drawn)]
    assert is_carried(FaultViews(*mirrored)) == is_so


def test_an_elo_that_claims_no_side_need_only_stay_within_its_interval() -> None:
    played = Estimate(5.0, -30.0, 40.0)
    assert not is_carried(FaultViews(played, Estimate(-20.0, -60.0, 20.0), played))
    assert not is_carried(FaultViews(played, Estimate(39.0, 5.0, 70.0), played))
    assert is_carried(FaultViews(played, Estimate(41.0, 5.0, 70.0), played))


def test_what_is_alike_is_asked_for_once() -> None:
    asked: list[int] = []
    views = alike(3).map(lambda value: asked.append(value) or 2 * value)
    assert (views, asked) == (FaultViews(6, 6, 6), [3])
    assert FaultViews(1, 2, 3).map(str) == FaultViews("1", "2", "3")
