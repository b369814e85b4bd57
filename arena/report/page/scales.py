"""Scales of charts: from values to places, and the round values that are marked on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite, log, log10

from arena.report.numbers import format_digits

ROUND_STEPS = (1.0, 2.0, 5.0, 10.0)
LOG_STEPS = ((1.0, 2.0, 5.0), (1.0, 5.0), (1.0,))
"""Marks of each ten on a scale of equal ratios: the first of these that are not too many."""

UNITS = ((1e6, 1e6, "M"), (1e4, 1e3, "K"))
"""Values from which on a mark is written in a unit, the unit, and its letter."""


@dataclass(frozen=True)
class AxisScale:
    """A range of values on a range of places."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def at(self, value: float) -> float:
        """The place of a value; of one beyond the range, or of none, that of the nearer end."""
        low, high, value = (self._unit(each) for each in (self.low, self.high, value))
        share = (value - low) / (high - low) if high > low else 0.5
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def holds(self, value: float) -> bool:
        """True if the value is a number within the range."""
        return self.low <= value <= self.high

    def ticks(self, most: int = 5) -> list[float]:
        """Round values within the range."""
        if self.is_log:
            return self._log_ticks(most)
        step = _round_step((self.high - self.low) / max(most, 1))
        return [i * step for i in range(ceil(self.low / step), floor(self.high / step) + 1)]

    def _log_ticks(self, most: int) -> list[float]:
        """1, 2, 5, 10, 20 and so on within the range; if they are many, fewer of each ten."""
        powers = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
        for steps in LOG_STEPS:
            found = (step * 10.0**power for power in powers for step in steps)
            if len(inside := [value for value in found if self.holds(value)]) <= most:
                break
        return inside[:: -(-len(inside) // most)] if inside else [self.low, self.high]

    def _unit(self, value: float) -> float:
        return log(max(value, self.low * 1e-9)) if self.is_log else value


def _round_step(least: float) -> float:
    """The least of 1, 2, 5, 10, 20, ... that is no less than this."""
    if not (isfinite(least) and least > 0):
        return 1.0
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in ROUND_STEPS if step * power >= least * (1 - 1e-9))


def around(
    values: Iterable[float], start: float, end: float, least: float = 1.0, zero: bool = True
) -> AxisScale:
    """A scale that holds all finite values, and zero if that is asked for, with room at its ends.

    Its range is not less than `least`.
    """
    found = [value for value in values if isfinite(value)] + ([0.0] if zero else [])
    low, high = (min(found), max(found)) if found else (0.0, 1.0)
    room = max(0.05 * (high - low), (least - (high - low)) / 2, 1e-9)
    return AxisScale(low - room, high + room, start, end)


def tick_text(value: float, is_signed: bool = False) -> str:
    """A value beside its mark: `5,000`, `20K`, `1M`."""
    sizes = (each[1:] for each in UNITS if abs(value) >= each[0])
    unit, letter = next(sizes, (1.0, ""))
    text = format_digits(value / unit, 6) + letter
    return "0" if value == 0 else f"+{text}" if is_signed and value > 0 else text
