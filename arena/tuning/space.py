"""The free parameters of an engine: as a study's file gives them, and as a unit box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import ceil, exp, floor, inf, log
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from arena.engine import Range
from arena.errors import ConfigError, Fault, unknown
from arena.plugins.load import parse_parameters
from arena.plugins.parameters import Parameter, adapter, fit_value
from arena.stats.rounding import significant

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

Value = int | float | str | bool
Values = dict[str, Value]  # A value for each free parameter
PROPOSED_DIGITS = 8  # Significant digits of the floats that methods propose in new studies
EDGE_SHARE = 0.02  # Share of a range that is its edge: a best value found there may lie beyond


@dataclass(frozen=True, slots=True)
class Axis:
    """One free parameter: a range of numbers, or a choice among a few values."""

    name: str
    default: Value
    low: float = 0.0
    high: float = 1.0
    log: bool = False
    is_whole: bool = False
    step: float = 0.0  # Distance of two neighbouring values, from `low` on; 0 where all are
    choices: tuple[Value, ...] = ()
    within: str = ""  # The engine's parameter that has it among its values; or empty

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
        if not self.low <= number <= self.high:
            return False
        if not self.step:
            return True
        nearest = self.after(round((number - self.low) / self.step))
        return abs(nearest - number) < 1e-9 * self.step

    def edge(self, value: Value) -> str:
        """The end of the range, `low` or `high`, at which a number stands; else empty."""
        if self.choices:
            return ""
        unit = self.unit(value)
        if unit < EDGE_SHARE:
            return "low"
        return "high" if unit > 1 - EDGE_SHARE else ""

    @property
    def least(self) -> float:
        """The shortest way, in units, that changes the default's value."""
        if not self.step:
            return 0.0
        near = self.number(min(self.unit(self.default), 1.0))
        above, below = min(near + self.step, self.high), max(near - self.step, self.low)
        return max(self.unit(above) - self.unit(near), self.unit(near) - self.unit(below))

    def distribution(self, is_rounded: bool = True) -> BaseDistribution:
        """The axis as a distribution of Optuna's; if not rounded, all numbers of its range."""
        from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

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
        if choices := ", ".join(axis.name for axis in self.axes if axis.choices):
            raise ConfigError(
                f"{method} moves through numbers, and cannot choose {choices}: see tpe"
            )

    @property
    def default(self) -> Values:
        return {axis.name: axis.default for axis in self.axes}

    def merged(self, parameters: Mapping[str, Any], values: Values) -> dict[str, Any]:
        merged = dict(parameters)
        holders = {axis.name: axis.within for axis in self.axes}
        for name, value in values.items():
            if holder := holders.get(name):
                merged[holder] = {**merged[holder], name: value}
            else:
                merged[name] = value
        return merged

    def units(self, values: Mapping[str, Value]) -> np.ndarray:
        return np.array([axis.unit(values[axis.name]) for axis in self.axes])

    def values(self, point: Sequence[float] | np.ndarray, draw: float = 0.5) -> Values:
        return {
            axis.name: self.value(axis, float(unit), draw)
            for axis, unit in zip(self.axes, point, strict=True)
        }

    def value(self, axis: Axis, unit: float, draw: float = 0.5) -> Value:
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


class AxisFault(NamedTuple):
    """A message, and the key of the parameter that it is about; empty if about all of it."""

    key: str
    message: str


class Candidate(NamedTuple):
    """A parameter that a study may search, its present value, and the one that holds it, if any."""

    parameter: Parameter
    value: Any
    within: str = ""


def candidates(declared: Sequence[Parameter], values: Mapping[str, Any]) -> Mapping[str, Candidate]:
    """All by their names: parameters, and what stands by a user's own name within one of these."""
    own = {
        name: Candidate(Parameter(name, type(value), value, None, (), ""), value, holder.name)
        for holder in declared
        if holder.has_names
        for name, value in (values[holder.name] or {}).items()
    }
    return own | {each.name: Candidate(each, values[each.name]) for each in declared}


def read_axis(
    candidate: Candidate, given: Mapping[str, Any]
) -> tuple[Axis | None, Sequence[AxisFault]]:
    """The axis, or its faults; `given` has all keys of `axis_keys`, None for most."""
    parameter, default, within = candidate
    if within and not _is_spelt(default, parameter.name):
        words = f"{parameter.name!r} with {default!r} cannot be told from its spelling in a name"
        return None, [AxisFault("", words)]
    choices = _choices_of(parameter, given)
    if choices or given["choices"] is not None:
        axis = Axis(parameter.name, default, choices=choices)
        faults = _choice_faults(parameter, given, choices, default)
    elif parameter.type in (int, float):
        axis = _range_of(parameter, given, default)
        faults = _range_faults(parameter, given, axis)
    else:
        return None, [AxisFault("", f"{parameter.name} is no number: give its choices")]
    return (None if faults else replace(axis, within=within)), faults


def _is_spelt(value: Value, name: str = "x") -> bool:
    """True if a value and its name survive in a point's name, `style=text,depth=4`."""
    try:
        return parse_parameters(f"{name}={value}") == {name: value}
    except ConfigError:
        return False


def _choices_of(parameter: Parameter, given: Mapping[str, Any]) -> tuple[Value, ...]:
    if given["choices"] is not None:
        return tuple(given["choices"])
    return (False, True) if parameter.type is bool else parameter.choices


def _range_of(parameter: Parameter, given: Mapping[str, Any], default: Value) -> Axis:
    own = parameter.range
    is_whole = parameter.type is int
    low, high = (
        given[key] if given[key] is not None else getattr(own, key, 0.0) for key in ("low", "high")
    )
    log = given["log"] if given["log"] is not None else bool(own and own.log)
    step = given["step"] or (own.step if own and own.step and not log else None) or float(is_whole)
    return Axis(parameter.name, default, float(low), float(high), log, is_whole, step)


def _range_faults(
    parameter: Parameter, given: Mapping[str, Any], axis: Axis
) -> Sequence[AxisFault]:
    missing = [key for key in ("low", "high") if given[key] is None and parameter.range is None]
    if missing:
        message = f"{axis.name} needs {' and '.join(missing)}: the engine declares no range"
        return [AxisFault("", message)]
    low, high, step, default = axis.low, axis.high, given["step"] or 0, float(axis.default)
    own, now = parameter.range or Range(-inf, inf), f"{axis.name} is {axis.default} now, which is"
    bounds, span = f"{own.low:.12g} to {own.high:.12g}", f"{low:.12g} to {high:.12g}"
    whole = f"must be a whole number, as {axis.name} is"
    scale = f"a logarithmic scale{'' if given['log'] else ': add log: false'}"
    ends = [
        [check]
        for key, end in (("low", low), ("high", high))
        for check in (
            (not own.low <= end <= own.high, key, f"{key} must be from {bounds}"),
            (axis.is_whole and not end.is_integer(), key, f"{key} {whole}"),
        )
    ]
    faults = _first_faults(
        *ends,
        [
            (low >= high, "low", f"low must be less than high, {high:.12g}"),
            (not low <= default <= high, "", f"{now} not from {span}"),
        ],
        [(axis.log and low <= 0, "low", f"low must be more than 0 on {scale}")],
        [
            (step and axis.log, "step", f"there are no steps on {scale}"),
            (axis.is_whole and not float(step).is_integer(), "step", f"step {whole}"),
            (step > max(high - low, 0), "step", "step must be no more than the range"),
        ],
    )
    if faults or axis.has(default):
        return faults
    return [AxisFault("step", f"{now} not a step of {axis.step:.12g} from {low:.12g}")]


def _choice_faults(
    parameter: Parameter, given: Mapping[str, Any], choices: tuple[Value, ...], default: Value
) -> Sequence[AxisFault]:
    return _first_faults(
        [
            (given[key] is not None, key, f"choices have no {key}")
            for key in ("low", "high", "log", "step")
        ],
        *([(True, "choices", each)] for value in choices for each in _misfits(parameter, value)),
        [
            (len(choices) > len(set(map(str, choices))), "choices", "choices must differ"),
            (len(choices) < 2, "choices", "choices must be two or more"),
            (
                default not in choices,
                "choices",
                f"{parameter.name} is {default} now, which is none of them",
            ),
        ],
    )


def _misfits(parameter: Parameter, value: Value) -> Iterator[str]:
    if not parameter.choices:
        check = adapter(Annotated[parameter.type, parameter.range])
        yield from (f"a choice {message}" for _, message in fit_value(check, value)[1])
    elif value not in parameter.choices:
        yield f"{value!r} is none of {', '.join(map(str, parameter.choices))}"
    if isinstance(value, str) and not _is_spelt(value):
        yield f"{value!r} cannot be told from its spelling in a name"


def point_faults(space: Space, point: Mapping[str, Any]) -> Iterator[AxisFault]:
    axes = {axis.name: axis for axis in space.axes}
    for name, value in point.items():
        if name not in axes:
            yield AxisFault(name, unknown("parameter", name, axes))
        elif message := _value_fault(axes[name], value):
            yield AxisFault(name, message)


def checked_point(space: Space, point: Mapping[str, Any]) -> Values:
    """A user's point, in numbers of Python's; ConfigError for its faults."""
    whole = {axis.name for axis in space.axes if axis.is_whole}
    values: dict[str, Any] = {}
    for name, value in point.items():
        value = value.item() if isinstance(value, np.generic) else value
        is_whole = name in whole and isinstance(value, float) and value.is_integer()
        values[name] = int(value) if is_whole else value
    if faults := list(point_faults(space, values)):
        raise ConfigError(*(Fault(name, message) for name, message in faults))
    return values


def _value_fault(axis: Axis, value: object) -> str | None:
    if axis.choices:
        is_there = any(value == each and type(value) is type(each) for each in axis.choices)
        return None if is_there else f"{value!r} is none of {', '.join(map(str, axis.choices))}"
    if isinstance(value, bool) or not isinstance(value, int if axis.is_whole else int | float):
        kind = "whole number" if axis.is_whole else "number"
        return f"must be a {kind}, not {value!r}"
    if not axis.has(value):  # a whole number may be too large for a float
        step = f" in steps of {axis.step:.12g}" if axis.step else ""
        return f"must be from {axis.low:.12g} to {axis.high:.12g}{step}, not {value!r}"
    return None


def _first_faults(*groups: Sequence[tuple[object, str, str]]) -> Sequence[AxisFault]:
    """The first fault of each group of checks: if it is wrong, the key, and the message."""
    first = []
    for group in groups:
        faults = [AxisFault(key, message) for is_wrong, key, message in group if is_wrong]
        first += faults[:1]
    return first
