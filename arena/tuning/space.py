"""The free parameters of an engine as a unit box for tuners, and as values for engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil, exp, floor, log
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.errors import ConfigError
from arena.stats.rounding import significant

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

Value = int | float | str | bool
Values = dict[str, Value]
"""A value for each free parameter."""
PROPOSED_DIGITS = 8
"""Significant digits of the floats that methods propose in new studies."""
EDGE_SHARE = 0.02
"""Share of a range that is its edge: a best value found there may lie beyond."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One free parameter: a range of numbers, or a choice among a few values."""

    name: str
    default: Value
    low: float = 0.0
    high: float = 1.0
    log: bool = False
    is_whole: bool = False
    step: float = 0.0
    """Distance of two neighbouring values, from `low` on; 0 where all are possible."""
    choices: tuple[Value, ...] = ()
    within: str = ""
    """The engine's parameter among whose values it is one; empty if it is a parameter itself."""

    def unit(self, value: Value) -> float:
        """The place of a number between low (0) and high (1)."""
        assert isinstance(value, int | float)
        if self.log:
            return log(value / self.low) / log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def number(self, unit: float) -> float:
        """The number there, not rounded; within the range."""
        unit = min(max(unit, 0.0), 1.0)
        if self.log:
            return min(max(self.low * exp(unit * log(self.high / self.low)), self.low), self.high)
        return self.low + unit * (self.high - self.low)

    def value(self, unit: float, draw: float = 0.5) -> Value:
        """The value there; between two possible ones, the upper one with the chance of a `draw`.

        Over a uniform draw from [0, 1), the expected value is the number itself.
        """
        number = self.number(unit)
        if not self.step:
            return number
        stepped = self.after(min(floor((number - self.low) / self.step + draw), self.steps))
        return round(stepped) if self.is_whole else stepped

    def after(self, steps: int) -> float:
        """The value this many steps above `low`, in decimals as people count them."""
        return float(Decimal(str(self.low)) + steps * Decimal(str(self.step)))

    @property
    def top(self) -> float:
        """The highest possible value: less than `high` if the steps do not end there."""
        return self.after(self.steps) if self.step else self.high

    @property
    def steps(self) -> int:
        """The number of steps from `low` to the highest possible value."""
        return floor((self.high - self.low) / self.step + 1e-9)

    def possible(self, low: float, high: float, is_outwards: bool) -> tuple[float, float]:
        """The possible values next to two numbers, outside of them or between them."""
        if not self.step:
            return low, high
        steps = [(end - self.low) / self.step for end in (low, high)]
        if is_outwards:
            first, last = floor(steps[0] + 1e-9), ceil(steps[1] - 1e-9)
        else:
            first, last = ceil(steps[0] - 1e-9), floor(steps[1] + 1e-9)
        return self.after(min(first, self.steps)), self.after(min(last, self.steps))

    def has(self, number: float) -> bool:
        """True if a number is a possible value."""
        if not self.low <= number <= self.high:
            return False
        return not self.step or abs(self.after(round((number - self.low) / self.step)) - number) < (
            1e-9 * self.step
        )

    def edge(self, value: Value) -> str:
        """The end of the range, `low` or `high`, at which a number stands; else empty."""
        if self.choices:
            return ""
        unit = self.unit(value)
        return "low" if unit < EDGE_SHARE else "high" if unit > 1 - EDGE_SHARE else ""

    @property
    def least(self) -> float:
        """The shortest way, in units, that changes the default's value."""
        if not self.step:
            return 0.0
        near = self.number(min(self.unit(self.default), 1.0))
        there, back = min(near + self.step, self.high), max(near - self.step, self.low)
        return max(self.unit(there) - self.unit(near), self.unit(near) - self.unit(back))

    def distribution(self, is_rounded: bool = True) -> BaseDistribution:
        """The axis as a distribution of Optuna's; if not rounded, all numbers of its range."""
        from optuna.distributions import (
            CategoricalDistribution,
            FloatDistribution,
            IntDistribution,
        )

        if not is_rounded:
            return FloatDistribution(self.low, self.high, log=self.log)
        if self.choices:
            return CategoricalDistribution(self.choices)
        if self.is_whole:
            step = 1 if self.log else int(self.step)
            return IntDistribution(int(self.low), int(self.top), log=self.log, step=step)
        return FloatDistribution(self.low, self.top, log=self.log, step=self.step or None)


@dataclass(frozen=True, slots=True)
class Space:
    """All free parameters, in the order of the config."""

    axes: tuple[Axis, ...]
    digits: int = field(default=PROPOSED_DIGITS, repr=False)
    """Significant digits of the numbers that methods propose; 0 for all that there are, as in
    studies that were begun before numbers were rounded."""

    def check_numbers(self, method: str) -> None:
        """ConfigError if some parameter is a choice, which this method cannot make."""
        if choices := ", ".join(axis.name for axis in self.axes if axis.choices):
            raise ConfigError(
                f"{method} moves through numbers, and cannot choose {choices}: see tpe"
            )

    @property
    def default(self) -> Values:
        """The values that the engine has without tuning."""
        return {axis.name: axis.default for axis in self.axes}

    def merged(self, parameters: Mapping[str, Any], values: Values) -> dict[str, Any]:
        """An engine's parameters with these values in their places."""
        found = dict(parameters)
        places = {axis.name: axis.within for axis in self.axes}
        for name, value in values.items():
            if place := places.get(name):
                found[place] = {**found[place], name: value}
            else:
                found[name] = value
        return found

    def units(self, values: Mapping[str, Value]) -> np.ndarray:
        """The point of the unit box with these values."""
        return np.array([axis.unit(values[axis.name]) for axis in self.axes])

    def values(self, point: Sequence[float] | np.ndarray, draw: float = 0.5) -> Values:
        """The values at a point, every parameter rounded with this draw."""
        return {
            axis.name: self.value(axis, float(unit), draw)
            for axis, unit in zip(self.axes, point, strict=True)
        }

    def value(self, axis: Axis, unit: float, draw: float = 0.5) -> Value:
        """The value that a method proposes for a parameter."""
        value = axis.value(unit, draw)
        return value if axis.step else self._rounded(axis, float(value))

    def numbers(self, point: Sequence[float] | np.ndarray) -> dict[str, float]:
        """The numbers at a point before they are rounded to possible values."""
        return {
            axis.name: self._rounded(axis, axis.number(float(unit)))
            for axis, unit in zip(self.axes, point, strict=True)
        }

    def _rounded(self, axis: Axis, number: float) -> float:
        """A number of a few digits, within its range: the last ones hang on the processor."""
        if not self.digits:
            return number
        return min(max(significant(number, self.digits), axis.low), axis.high)
