"""Numbers without their last digits."""

from __future__ import annotations

from math import inf, isnan, nan, nextafter

import numpy as np
import pytest

from arena.stats.rounding import greatest, is_at_least, least, reported, rounded


@pytest.mark.parametrize("number", [0.1 + 0.2, 43.37777777777777, 1e-3, 0.0])
def test_neighbours_are_one_number(number: float) -> None:
    for other in (nextafter(number, inf), nextafter(number, -inf)):
        assert rounded(other) == rounded(number)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (1199.8296328912, 1199.829633),
        (-1.23456789012345e-7, -1.23456789e-7),
        (1.2e-15, 0.0),
        (12345678901234.0, 12345678901234.0),
        (0.1, 0.1),
        (inf, inf),
    ],
)
def test_programs_are_told_ten_digits_of_what_is_not_whole(number: float, shown: float) -> None:
    assert reported(number) == shown
    assert isnan(reported(nan))


def test_the_first_of_equals_is_the_greatest_and_the_least() -> None:
    third = 1 / 3
    equals = np.array([0.1, nextafter(third, 0), third, nextafter(third, 1)])
    assert greatest(equals) == 1
    assert least(-equals) == 1
    assert greatest(np.array([0.1, 0.2, 0.3])) == 2
    assert least(np.array([2.0, -1.0, 3.0])) == 1


def test_a_bound_is_met_by_what_is_equal_to_it_but_for_the_last_digit() -> None:
    near = np.array([nextafter(2.0, 0), 2.0, 1.9999])
    assert is_at_least(near, 2.0).tolist() == [True, True, False]
