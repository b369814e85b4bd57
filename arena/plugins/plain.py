"""A signature as plain data, and back: how a process that has an engine's code tells of it.

Types that plain data cannot say, and checks of the user's own, are left to be asked for.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from functools import reduce
from operator import or_
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NoReturn, Union, cast, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt

from arena.engine import FilePath, NamedValues, Range
from arena.errors import ConfigError
from arena.plugins.parameters import Factory, hints_of

Ask = Callable[[str, object], object]
"""A function of a parameter's name and a value: the value in its type, or an exception."""

PLAIN_TYPES = {each.__name__: each for each in (int, float, str, bool, NoneType)}
MARKS = {"path": FilePath, "values": NamedValues}
BOUNDS = {each.__name__: each for each in (Ge, Gt, Le, Lt)}
NOT_GIVEN = inspect.Parameter.empty


class Opaque:
    """A type of which only the name is known; any value may be of it."""

    @classmethod
    def __get_pydantic_core_schema__(cls, *_: object) -> Any:
        """The schema of anything."""
        from pydantic_core import core_schema

        return core_schema.any_schema()


def signature_data(factory: Factory) -> list[dict[str, Any]]:
    """The parameters of a factory; ConfigError for a default that is not plain."""
    hints = hints_of(factory)
    found = []
    for name, argument in inspect.signature(factory).parameters.items():
        if argument.kind is argument.KEYWORD_ONLY:
            entry = {"name": name, "hint": hint_data(hints.get(name, Any))}
            if argument.default is not NOT_GIVEN:
                entry["default"] = value_data(argument.default)
            found.append(entry)
    return found


def factory_from(found: Sequence[Mapping[str, Any]], doc: str | None, ask: Ask) -> Factory:
    """A factory with such parameters, which cannot be called."""

    def engine(*_: object, **__: object) -> NoReturn:
        raise AssertionError("known by its signature only")

    hints = {entry["name"]: hint_from(entry["hint"], entry["name"], ask) for entry in found}
    keywords = [
        inspect.Parameter(
            entry["name"],
            inspect.Parameter.KEYWORD_ONLY,
            default=value_from(entry["default"]) if "default" in entry else NOT_GIVEN,
        )
        for entry in found
    ]
    game = inspect.Parameter("game", inspect.Parameter.POSITIONAL_ONLY)
    engine.__signature__ = inspect.Signature([game, *keywords])  # type: ignore[attr-defined]
    engine.__annotations__ = hints
    engine.__doc__ = doc
    return engine


def value_data(value: object) -> Any:
    """A default; tuples are told from all else."""
    if isinstance(value, tuple):
        return {"tuple": [value_data(each) for each in value]}
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind(value)
    if value is not None:
        raise ConfigError(f"{value!r:.100} within a default must be a number, text, or None")
    return None


def value_from(data: Any) -> object:
    """The mirror of `value_data`; ValueError for what it cannot have made."""
    if isinstance(data, dict):
        return tuple(value_from(each) for each in data["tuple"])
    if data is None or isinstance(data, int | float | str):
        return data
    raise ValueError(f"{data!r} is no value")


def hint_data(hint: Any) -> dict[str, Any]:
    """An annotation: `type`, what stands beside it, and whether values have to be asked for."""
    kind, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    found: dict[str, Any] = type_data(kind)
    for extra in extras:
        if isinstance(extra, Range) and "range" not in found:
            found["range"] = [extra.low, extra.high, extra.log, extra.step]
        elif isinstance(extra, str):
            found.setdefault("about", extra)
        elif marks := [key for key, mark in MARKS.items() if isinstance(extra, mark)]:
            found[marks[0]] = True
        elif isinstance(extra, Ge | Gt | Le | Lt):
            found.setdefault("bounds", []).append([type(extra).__name__, *astuple(extra)])
        else:
            found["ask"] = True
    if any(part.get("ask") for part in found.get("union", ())):
        found = {"name": name_of(kind), "ask": True} | {
            key: found[key] for key in ("range", "about", *MARKS) if key in found
        }
    return found


def type_data(kind: Any) -> dict[str, Any]:
    """A type without anything beside it."""
    if kind is Any:
        return {}
    if kind is None or kind in PLAIN_TYPES.values():
        return {"type": (kind or NoneType).__name__}
    if get_origin(kind) is Literal and {*map(type, get_args(kind))} <= {int, str, bool}:
        return {"literal": list(get_args(kind))}
    if get_origin(kind) in (Union, UnionType):
        return {"union": [hint_data(each) for each in get_args(kind)]}
    return {"name": name_of(kind), "ask": True}


def name_of(kind: Any) -> str:
    """A type's name, for people."""
    return str(getattr(kind, "__name__", kind))


def hint_from(data: Mapping[str, Any], parameter: str, ask: Ask) -> Any:
    """The mirror of `hint_data`; ValueError and the like for what it cannot have made."""
    extras: list[Any] = []
    if "range" in data:
        low, high, log, step = data["range"]
        extras.append(Range(number(low), number(high), bool(log), step and number(step)))
    extras += [BOUNDS[name](number(bound)) for name, bound in data.get("bounds", ())]
    if "about" in data:
        extras.append(str(data["about"]))
    extras += [mark() for key, mark in MARKS.items() if data.get(key)]
    if data.get("ask"):
        from pydantic import AfterValidator

        extras.append(AfterValidator(lambda value: ask(parameter, value)))
    kind = type_from(data, parameter, ask)
    return Annotated[kind, *extras] if extras else kind


def type_from(data: Mapping[str, Any], parameter: str, ask: Ask) -> Any:
    """The mirror of `type_data`."""
    if "type" in data:
        return PLAIN_TYPES[data["type"]]
    if "literal" in data:
        return Literal[*(value_from(each) for each in data["literal"])]
    if "union" in data:
        return reduce(or_, (hint_from(each, parameter, ask) for each in data["union"]))
    return type(str(data["name"]), (Opaque,), {}) if "name" in data else Any


def number(value: Any) -> float:
    """A number as such; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r} is no number")
    return cast(float, value)
