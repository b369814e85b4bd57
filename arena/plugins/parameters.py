"""The parameters of a game, engine or format: the keyword arguments of its factory.

Defaults are their defaults; the annotations hold their types, their `Range`, and a phrase about
them, so that a factory's signature is all that users, the tuner and the help need.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NoReturn,
    get_args,
    get_origin,
    get_type_hints,
)

from arena.engine import CommandLine, FilePath, NamedValues, Range
from arena.errors import is_taken, nearest, own_words, reworded_together, unknown

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Factory = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: Any  # A type, or the name of one that only a process with the engine's code can have
    default: Any
    range: Range | None
    choices: tuple[Any, ...]
    about: str
    is_path: bool = False
    """True if it holds the path of a file or folder, or a list of words with some."""
    is_command: bool = False  # True if a text that it holds may be a command line
    has_names: bool = False  # True if it holds values by names of the user's own: see `NamedValues`
    hint: Any = Any  # The annotation; None if only a process with the engine's code can have it

    @property
    def is_required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def domain(self) -> str:
        if self.choices:
            return ", ".join(map(str, self.choices))
        if self.range is None:
            return getattr(self.type, "__name__", str(self.type))
        return f"{self.range.low:.12g} to {self.range.high:.12g}{', log' if self.range.log else ''}"


Faults = list[tuple[tuple[str | int, ...], str]]
"""The faults of a value, each at a path inside the value."""


class Signature:
    """A factory that was read in another process: its parameters, without its code."""

    def __init__(
        self,
        parameters: Sequence[Parameter],
        doc: str | None,
        fit_there: Callable[[Mapping[str, Any]], Mapping[str, tuple[Any, Faults]]],
    ) -> None:
        self.parameters = parameters
        self.__doc__ = doc
        self.fit_there = fit_there
        """Fits values by parameters' names in a process that has the code."""

    def __call__(self, *_: object, **__: object) -> NoReturn:
        raise AssertionError("known by its signature only")


class Misfit(NamedTuple):
    """A value that does not fit its parameter, or a key that is none."""

    path: tuple[str | int, ...]
    message: str
    is_key: bool = False  # True if the key itself is wrong, rather than its value


@lru_cache
def parameters(factory: Factory) -> Sequence[Parameter]:
    if isinstance(factory, Signature):
        return factory.parameters
    hints = _hints_of(factory)
    return tuple(
        _described_parameter(name, hints.get(name, Any), argument.default)
        for name, argument in inspect.signature(factory).parameters.items()
        if argument.kind is argument.KEYWORD_ONLY
    )


@lru_cache
def _hints_of(factory: Factory) -> Mapping[str, Any]:
    made_by = factory.__init__ if isinstance(factory, type) else factory  # type: ignore[misc]
    return get_type_hints(made_by, include_extras=True)


def signature_fault(factory: Factory, positional: int, reserved: Collection[str]) -> str | None:
    try:
        _hints_of(factory)
    except Exception as error:
        return f"its annotations cannot be read: {own_words(error)}"
    arguments = list(inspect.signature(factory).parameters.values())
    for argument in arguments[positional:]:
        if argument.kind is not argument.KEYWORD_ONLY:
            return f"its parameters must be keyword-only: put a * before {argument.name!r}"
        if argument.name in reserved:
            return f"a parameter cannot be called {argument.name!r}, which is a key of every player"
        default = argument.default
        if default is not argument.empty and not isinstance(
            default, int | float | str | tuple | None
        ):
            return f"the default of {argument.name!r} must be a number, text, a tuple, or None"
    if len(arguments) < positional:
        return f"it must take {positional} argument{'s' * (positional > 1)} before its parameters"
    return None


def _described_parameter(name: str, hint: Any, default: Any) -> Parameter:
    kind, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    return Parameter(
        name=name,
        type=type(choices[0]) if choices else kind,
        default=default,
        range=next((extra for extra in extras if isinstance(extra, Range)), None),
        choices=choices,
        about=next((extra for extra in extras if isinstance(extra, str)), ""),
        is_path=any(isinstance(extra, FilePath) for extra in extras),
        is_command=any(isinstance(extra, CommandLine) for extra in extras),
        has_names=any(isinstance(extra, NamedValues) for extra in extras),
        hint=hint,
    )


def fit(
    factory: Factory, values: Mapping[str, Any], also: Collection[str] = ()
) -> tuple[dict[str, Any], list[Misfit]]:
    """Every parameter's value, defaults filled in, and all that is wrong with those given.

    Types are taken strictly: the text "4" is no number. A missing value, or one that does not fit,
    is the default, or None. `also` are keys that an unknown one may have been meant to be.
    """
    known = {parameter.name: parameter for parameter in parameters(factory)}
    fitted = {name: parameter.default for name, parameter in known.items()}
    misfits = []
    there = _fitted_there(factory, values)
    for key, value in values.items():
        if key in known:
            fitted_value, faults = there.get(key) or fit_value(adapter_of(factory, key), value)
            if not faults:
                # A whole number stays one: a study searches its value in steps of 1.
                fitted[key] = dict(value) if known[key].has_names and value else fitted_value
            for path, message in faults:
                blank = "" if message.startswith("[") else " "
                misfits.append(Misfit((key, *path), f"{key}{blank}{message}"))
        elif not is_taken(key, value, {*known, *also}):
            misfits.append(Misfit((key,), unknown("key", key, {*known, *also}), is_key=True))
    missing = [name for name in known if fitted[name] is inspect.Parameter.empty]
    fitted |= dict.fromkeys(missing)
    meant = {nearest(str(key), {*known, *also}) for key in values if key not in known}
    misfits += [
        Misfit((), f"missing key {key!r}") for key in missing if key not in {*values, *meant}
    ]
    return fitted, [*misfits, *_name_clashes(known, fitted)]


def _fitted_there(factory: Factory, values: Mapping[str, Any]) -> Mapping[str, tuple[Any, Faults]]:
    if not isinstance(factory, Signature):
        return {}
    strange = {each.name for each in factory.parameters if each.hint is None}
    asked = {key: value for key, value in values.items() if key in strange}
    return factory.fit_there(asked) if asked else {}


def _name_clashes(known: Mapping[str, Parameter], fitted: Mapping[str, Any]) -> Iterator[Misfit]:
    taken = dict.fromkeys(known, "a parameter")
    for each in known.values():
        names = fitted[each.name] if each.has_names else None
        for name in names or ():
            if name in taken:
                message = f"{name!r} is {taken[name]} of the engine: choose another name"
                yield Misfit((each.name, name), message, is_key=True)
            taken.setdefault(name, f"one of the {each.name}")


@lru_cache(maxsize=1024)
def adapter_of(factory: Factory, name: str) -> TypeAdapter[Any]:
    """A cached pydantic validator: making one takes longer than building most engines."""
    return adapter(next(each.hint for each in parameters(factory) if each.name == name))


def adapter(hint: Any) -> TypeAdapter[Any]:
    # pydantic takes a fifth of a second to import, and `arena --help` has no use for it.
    from pydantic import TypeAdapter

    return TypeAdapter(hint)


def fit_value(check: TypeAdapter[Any], value: object) -> tuple[Any, Faults]:
    """The value in its type, and what is wrong with it.

    The message of a fault in a list begins with its index: `[2] must be text`.
    """
    from pydantic import ValidationError

    try:
        return check.validate_python(value, strict=True), []
    except ValidationError as error:
        faults_at: dict[tuple[str | int, ...], list[Any]] = {}
        for fault in error.errors():
            faults_at.setdefault(_path_within(value, fault["loc"]), []).append(fault)
        return value, [
            (path, f"{_index_text(path)} {reworded_together(faults)}".lstrip())
            for path, faults in faults_at.items()
            if not any(_is_below(other, path) for other in faults_at)
        ]


def _path_within(value: Any, location: tuple[str | int, ...]) -> tuple[str | int, ...]:
    keys = list[str | int]()
    for key in location:
        places = range(len(value)) if isinstance(value, list | tuple) else value
        if isinstance(places, dict | range) and key in places:
            value = value[key]
            keys.append(key)
    return tuple(keys)


def _is_below(path: tuple[str | int, ...], other: tuple[str | int, ...]) -> bool:
    return len(path) > len(other) and path[: len(other)] == other


def _index_text(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{key}]" for key in path if isinstance(key, int))
