"""Numbers as people read them."""

from __future__ import annotations

import pytest

from arena.report.numbers import about, format_duration, format_number, format_range


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0123, "0.012 s"),
        (1.0, "1 s"),
        (119.9, "120 s"),
        (121.0, "2 min"),
        (3_540.0, "59 min"),
        (3_590.0, "1 h"),
        (6_600.0, "1 h 50 min"),
        (7_300.0, "2 h 2 min"),
        (35_990.0, "10 h"),
        (47.6 * 3_600, "48 h"),
        (5.3 * 86_400, "5.3 days"),
        (120 * 86_400.0, "120 days"),
    ],
)
def test_a_duration_is_told_as_people_would_and_has_no_exponent(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


def test_values_and_their_ranges_have_no_exponents_either() -> None:
    assert format_range(14_170.3, 1e6) == "14,170 to 1,000,000"
    assert format_range(0.5, 551.72) == "0.5 to 551.7"
    assert format_number(1_234_567.0) == "1,234,600"
    assert [format_number(each) for each in (0.25, 7_000, True, "wide")] == [
        "0.25",
        "7,000",
        "True",
        "wide",
    ]


@pytest.mark.parametrize(
    ("games", "text"), [(0.3, "1"), (7.2, "7"), (99.6, "100"), (347, "350"), (12345, "12,000")]
)
def test_an_estimate_has_no_digits_that_mean_nothing(games: float, text: str) -> None:
    assert about(games) == text
