"""Numbers without their last digits: these differ between processors, and versions of numpy."""

from __future__ import annotations

import numpy as np

from arena.stats.davidson import Booleans, Floats

DECIMALS = 6  # Digits after the point of a number by which things are sorted or judged
REPORTED = 10
"""Significant digits that programs are told. The last bits of long sums reach the twelfth digit in
one of some hundred numbers, hardly ever the tenth."""
FAINT = 1e-12
"""Numbers up to this are reported as zero: a result that is zero on one processor may be next to
zero on another."""
_SLACK = 1e-9  # The part of a number by which it may be off


def rounded(number: float) -> float:
    """A computed number to sort or to judge by: what is equal stays so, whatever the last bit."""
    return round(number, DECIMALS)


def significant(number: float, digits: int) -> float:
    return float(f"{number:.{digits}g}")


def reported(number: float) -> float:
    """A number as programs are told it; a whole one stays as it is."""
    if abs(number) <= FAINT:
        return 0.0
    return number if number.is_integer() else significant(number, REPORTED)


def is_at_least(numbers: Floats, bound: float | Floats) -> Booleans:
    """True for numbers that are not less than a bound, or equal but for last digits."""
    found: Booleans = numbers >= bound - _SLACK * np.abs(bound)
    return found


def greatest(numbers: Floats) -> int:
    """The place of the greatest number; of those that are equal but for last digits, the first."""
    return int(np.argmax(is_at_least(numbers, numbers.max())))


def least(numbers: Floats) -> int:
    """The place of the least number; of those that are equal but for last digits, the first."""
    return greatest(-numbers)
