"""Calls from Python: arguments are taken where their meaning is plain, else refused in its words.

`import arena` puts `called_from_python` around its functions; `checks_calls` looks after the calls
of a class and its methods. Both go by the signatures.
"""

from __future__ import annotations

import builtins
import inspect
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from functools import cache, lru_cache, wraps
from importlib import import_module
from numbers import Real
from types import FunctionType, NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from arena.errors import ConfigError, Fault, shown_value, unknown

WORDS: Mapping[Any, str] = {
    NoneType: "None",
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "text",
    os.PathLike: "a path",
    Mapping: "a dict",
    Sequence: "a list",
    Callable: "a function",
}
OPTION = re.compile(r"(arena [a-z]+ [^,;]*)|--([a-z][a-z-]+)(?:[ =]((?=\S*[\d:=/])[^\s,;)]*\w))?")
"""An option of the command line with its value, if any; or a whole command, which stays."""
ALIASES = {"Anchor": "arena.stats.ratings", "Notation": "arena.coordinates"}
"""Types that modules import for type checkers only, and the modules that have them."""
SWITCHES = {"accept_changes", "fresh", "gauntlet", "keep_going"}
KEPT = "Interrupted: the games are kept.\nTo go on with those missing, run this again."
MISFITS = (ArithmeticError, LookupError, TypeError, ValueError)

Class = TypeVar("Class", bound=type)


def called_from_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as users call it: each fault of theirs is a ConfigError in Python's words."""
    from arena.errors import refusals_told  # not where an engine's process asks for `Choice`
    from arena.files import forget_pipes

    keeps = "results" in inspect.signature(function).parameters

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        forget_pipes()
        try:
            with refusals_told():
                return _call(function, args, kwargs)
        except ConfigError as error:
            error.faults = [
                Fault(str(each.place).removeprefix("--"), in_python(each.message))
                for each in error.faults
            ]
            raise
        except KeyboardInterrupt:
            raise _in_two_lines(KeyboardInterrupt(KEPT if keeps else "Interrupted.")) from None

    call.__module__ = "arena"  # where pickle finds it
    return call


def checks_calls(kind: Class) -> Class:
    """A class whose calls are checked as those of functions are.

    What is made by the million, with fields, takes their values as they are, or raises a TypeError.
    """
    is_quick = hasattr(kind, "__dataclass_fields__")
    for name, method in [*vars(kind).items()]:
        if isinstance(method, FunctionType) and (name == "__init__" or name[0] != "_"):
            setattr(kind, name, _checked(method, is_quick))
    return kind


def _checked(method: Callable[..., Any], is_quick: bool) -> Callable[..., Any]:
    @wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        if is_quick:
            try:
                return method(*args, **kwargs)
            except TypeError:
                pass  # told below
        return _call(method, args, kwargs)

    return call


def in_python(message: str) -> str:
    """A message that names options of the command line, with Python's arguments in their place."""

    def argument(found: re.Match[str]) -> str:
        command, option, value = found.groups()
        name = (option or "").replace("-", "_")
        if command or not (value or name in SWITCHES):
            return command or name
        return f"{name}={value if re.fullmatch('[0-9.]+', value or '') else repr(value or True)}"

    return OPTION.sub(argument, message)


def _in_two_lines(error: KeyboardInterrupt) -> KeyboardInterrupt:
    """The error, which is told without all that it passed where it ends a script.

    It is no class of its own: by such a one Python does not end as shells expect (status 130).
    """
    _tell_some_in_brief()
    vars(error)["is_brief"] = True
    return error


@cache
def _tell_some_in_brief() -> None:
    before = sys.excepthook

    def tell(kind: type[BaseException], error: BaseException, trace: Any) -> None:
        if getattr(error, "is_brief", False):
            sys.stderr.write(f"{error}\n")
        else:
            before(kind, error, trace)

    sys.excepthook = tell


def _call(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Call a function with arguments in the types of its annotations; ConfigError for others."""
    signature, hints = _signature(function)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        known = [name for name in signature.parameters if name != "self"]
        strange = [name for name in kwargs if name not in known]
        words = unknown("argument", strange[0], known) if strange else error
        raise ConfigError(f"{function.__qualname__.removesuffix('.__init__')}(): {words}") from None
    faults = []
    for name, value in bound.arguments.items():
        if name in hints and value is not signature.parameters[name].default:
            try:
                bound.arguments[name] = _taken(hints[name], value)
            except MISFITS:
                shown = shown_value(value) if value is not None else "None"
                faults.append(f"{name} must be {_words(hints[name])}, not {shown}")
    if faults:
        raise ConfigError(*faults)
    return function(*bound.args, **bound.kwargs)


@lru_cache
def _signature(function: Callable[..., Any]) -> tuple[inspect.Signature, Mapping[str, Any]]:
    signature, names = inspect.signature(function), _Names(inspect.unwrap(function).__globals__)
    arguments = signature.parameters.values()
    hints = ((each.name, each.annotation) for each in arguments)
    return signature, {name: eval(a, {}, names) for name, a in hints if isinstance(a, str)}


class _Names(dict[str, Any]):
    """The names of a module; what it has only for type checkers may be anything."""

    def __missing__(self, name: str) -> Any:
        if name in ALIASES:
            return getattr(import_module(ALIASES[name]), name)
        return import_module(name) if name == "optuna" else getattr(builtins, name, Any)


def _taken(hint: Any, value: Any) -> Any:
    """The value in the type of an annotation; one of MISFITS if that is not plain."""
    kind, parts = get_origin(hint) or hint, get_args(hint)
    if type(value).__module__ == "numpy" and not getattr(value, "ndim", 1):
        value = value.item()
    is_word = isinstance(value, str | os.PathLike)
    if is_word and "\0" in os.fspath(value):
        raise ValueError
    if kind in (Union, UnionType):
        return _taken_by_one(parts, value)
    if kind is str and is_word:
        return str(os.fspath(value))
    if kind in (tuple, Sequence) and not isinstance(value, Mapping | Set):
        items = [value] if is_word else [*value]
        hints = parts if kind is tuple else parts * len(items)
        taken = [_taken(*each) for each in zip(hints, items, strict=True)]
        return tuple(taken) if kind is tuple else taken
    is_number = isinstance(value, str | Real) and not isinstance(value, bool)
    if (kind in (int, float) and is_number) or (kind is bool and value in (0, 1)):
        number = kind(value)
        if number == (number if isinstance(value, str) else value):  # which NaN is not
            return number
    elif kind is Any or (kind not in (int, float, bool) and _is_of(kind, parts, value)):
        return value
    raise ValueError


def _taken_by_one(hints: Sequence[Any], value: Any) -> Any:
    """The value as it is if any of the types accepts that, else in the first that can take it."""
    taken = []
    for hint in hints:
        with suppress(*MISFITS):
            taken.append(_taken(hint, value))
    return value if any(each is value for each in taken) else taken[0]


def _is_of(kind: Any, parts: Sequence[Any], value: object) -> bool:
    """True for a value of a Literal, or of a class; of a contract that cannot tell, for any."""
    if kind is Literal:
        return value in parts
    is_open = getattr(kind, "_is_protocol", False) and not getattr(kind, "_is_runtime_protocol", 0)
    return is_open or isinstance(value, kind)


def _is_internal(kind: Any) -> bool:
    is_ours = kind.__module__.startswith("arena.")
    return is_ours and kind.__name__ not in sys.modules["arena"].__all__


def _words(hint: Any) -> str:
    kind, parts = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType, Literal):
        told = parts if kind is Literal else [each for each in parts if not _is_internal(each)]
        words = [*dict.fromkeys(map(repr if kind is Literal else _words, told))]
        return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
    if kind is tuple:
        return f"({', '.join(map(_words, parts))})"
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    return WORDS.get(kind) or f"{article} {kind.__name__}"
