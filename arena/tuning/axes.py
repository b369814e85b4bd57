"""A free parameter as a study's file gives it, put together with what its engine declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from arena.errors import ConfigError
from arena.plugins.load import parse_parameters
from arena.plugins.parameters import Parameter, adapter, fit_value
from arena.tuning.space import Axis, Value


class AxisFault(NamedTuple):
    """What is wrong, and with which key of the parameter; with all of it, if the key is empty."""

    key: str
    message: str


def read_axis(
    parameter: Parameter, given: Mapping[str, Any], default: Value
) -> tuple[Axis | None, list[AxisFault]]:
    """The axis, or what is wrong with it; `given` has all keys of `axis_keys`, None for most."""
    choices = choices_of(parameter, given)
    if choices or given["choices"] is not None:
        faults = list(choice_faults(parameter, given, choices, default))
        return (None, faults) if faults else (Axis(parameter.name, default, choices=choices), [])
    if parameter.type not in (int, float):
        return None, [AxisFault("", f"{parameter.name} is no number: give its choices")]
    axis = range_of(parameter, given, default)
    faults = list(range_faults(parameter, given, axis)) or list(step_faults(axis))
    return (None, faults) if faults else (axis, [])


def is_spelt(value: str) -> bool:
    """Whether a text survives in a point's name, `style=text,depth=4`."""
    try:
        return parse_parameters(f"x={value}") == {"x": value}
    except ConfigError:
        return False


def choices_of(parameter: Parameter, given: Mapping[str, Any]) -> tuple[Value, ...]:
    """The values to choose from; none for a range."""
    if given["choices"] is not None:
        return tuple(given["choices"])
    return (False, True) if parameter.type is bool else parameter.choices


def range_of(parameter: Parameter, given: Mapping[str, Any], default: Value) -> Axis:
    """The range: what is not given is the engine's."""
    own = parameter.range
    is_whole = parameter.type is int
    low, high = (
        given[key] if given[key] is not None else getattr(own, key, 0.0) for key in ("low", "high")
    )
    log = given["log"] if given["log"] is not None else bool(own and own.log)
    step = given["step"] or (own.step if own and own.step and not log else None) or float(is_whole)
    return Axis(parameter.name, default, float(low), float(high), log, is_whole, step)


def range_faults(parameter: Parameter, given: Mapping[str, Any], axis: Axis) -> Iterator[AxisFault]:
    """What is wrong with a range."""
    own, name = parameter.range, axis.name
    missing = [key for key in ("low", "high") if given[key] is None and own is None]
    if missing:
        yield AxisFault("", f"{name} needs {' and '.join(missing)}: the engine declares no range")
        return
    for key in ("low", "high"):
        value = getattr(axis, key)
        if own and not own.low <= value <= own.high:
            yield AxisFault(key, f"{key} must be from {own.low:.12g} to {own.high:.12g}")
        if axis.is_whole and not value.is_integer():
            yield AxisFault(key, f"{key} must be a whole number, as {name} is")
    if axis.low >= axis.high:
        yield AxisFault("low", f"low must be less than high, {axis.high:.12g}")
    elif not axis.low <= float(axis.default) <= axis.high:
        span = f"{axis.low:.12g} to {axis.high:.12g}"
        yield AxisFault("", f"{name} is {axis.default} now, which is not from {span}")
    if axis.log and axis.low <= 0:
        yield AxisFault("low", "low must be more than 0 on a logarithmic scale")
    if given["step"] and axis.log:
        yield AxisFault("step", "steps and a logarithmic scale do not go together")
    elif given["step"] and (axis.is_whole and not float(given["step"]).is_integer()):
        yield AxisFault("step", f"step must be a whole number, as {name} is")
    elif given["step"] and axis.step > axis.high - axis.low:
        yield AxisFault("step", "step must be no more than the range")


def step_faults(axis: Axis) -> Iterator[AxisFault]:
    """What is wrong with a range's steps, if nothing else is."""
    if not axis.has(float(axis.default)):
        steps = f"a step of {axis.step:.12g} from {axis.low:.12g}"
        yield AxisFault("step", f"{axis.name} is {axis.default} now, which is not {steps}")


def choice_faults(
    parameter: Parameter, given: Mapping[str, Any], choices: tuple[Value, ...], default: Value
) -> Iterator[AxisFault]:
    """What is wrong with choices."""
    ranged = [key for key in ("low", "high", "log", "step") if given[key] is not None]
    if ranged:
        yield AxisFault(ranged[0], f"choices have no {ranged[0]}")
    for value in choices:
        if parameter.choices and value not in parameter.choices:
            known = ", ".join(map(str, parameter.choices))
            yield AxisFault("choices", f"{value!r} is none of {known}")
        elif not parameter.choices:
            check = adapter(Annotated[parameter.type, parameter.range])
            _, found = fit_value(check, value, None)
            yield from (AxisFault("choices", f"a choice {message}") for _, message in found)
        if isinstance(value, str) and not is_spelt(value):
            yield AxisFault("choices", f"{value!r} cannot be told from its spelling in a name")
    if len(choices) > len(set(map(str, choices))):
        yield AxisFault("choices", "choices must differ")
    elif len(choices) < 2:
        yield AxisFault("choices", "choices must be two or more")
    elif default not in choices:
        yield AxisFault("choices", f"{parameter.name} is {default} now, which is none of them")
