"""A free parameter as a study's file gives it, put together with what its engine declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Annotated, Any, NamedTuple

import numpy as np

from arena.engine import Range
from arena.errors import ConfigError, Fault, unknown
from arena.plugins.load import parse_parameters
from arena.plugins.parameters import Parameter, adapter, fit_value
from arena.tuning.space import Axis, Space, Value, Values


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
    """The values to choose from; none for a range."""
    if given["choices"] is not None:
        return tuple(given["choices"])
    return (False, True) if parameter.type is bool else parameter.choices


def _range_of(parameter: Parameter, given: Mapping[str, Any], default: Value) -> Axis:
    """The range as given; the rest is the engine's."""
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
    """The faults of a range; the default's place among the steps counts if all else is right."""
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
    found = _first_faults(
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
    steps = f"{now} not a step of {axis.step:.12g} from {low:.12g}"
    return found or _first_faults([(not axis.has(default), "step", steps)])


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
    """The faults of a point: names that are no parameters, and values that cannot be."""
    axes = {axis.name: axis for axis in space.axes}
    for name, value in point.items():
        if name not in axes:
            yield AxisFault(name, unknown("parameter", name, axes))
        elif message := _value_fault(axes[name], value):
            yield AxisFault(name, message)


def checked_point(space: Space, point: Mapping[str, Any]) -> Values:
    """A user's point, in which whole floats and numpy's numbers are numbers of Python's;
    ConfigError for its faults."""
    whole, found = {axis.name for axis in space.axes if axis.is_whole}, dict[str, Any]()
    for name, value in point.items():
        value = value.item() if isinstance(value, np.generic) else value
        is_whole = name in whole and isinstance(value, float) and value.is_integer()
        found[name] = int(value) if is_whole else value
    if faults := list(point_faults(space, found)):
        raise ConfigError(*(Fault(name, message) for name, message in faults))
    return found


def _value_fault(axis: Axis, value: object) -> str | None:
    """The reason that a parameter cannot have a value; None if it can."""
    if axis.choices:
        is_there = any(value == each and type(value) is type(each) for each in axis.choices)
        return None if is_there else f"{value!r} is none of {', '.join(map(str, axis.choices))}"
    if isinstance(value, bool) or not isinstance(value, int if axis.is_whole else int | float):
        return f"must be a {'whole ' * axis.is_whole}number, not {value!r}"
    if not axis.has(value):  # a whole number may be too large for a float
        step = f" in steps of {axis.step:.12g}" if axis.step else ""
        return f"must be from {axis.low:.12g} to {axis.high:.12g}{step}, not {value!r}"
    return None


def _first_faults(*groups: Sequence[tuple[object, str, str]]) -> Sequence[AxisFault]:
    """The first fault of each group of checks: true if wrong, the key, and the message."""
    failed = ([AxisFault(*words) for is_wrong, *words in group if is_wrong] for group in groups)
    return [faults[0] for faults in failed if faults]
