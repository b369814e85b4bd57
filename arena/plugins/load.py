"""Modules and objects by their names: the only import by string."""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal, cast

from arena.engine import COMMON_RULES
from arena.errors import ConfigError, Fault, unknown
from arena.game import Game
from arena.plugins import user_engines
from arena.plugins.engine_names import (
    PROGRAMS,
    is_command_line,
    is_file,
    is_foreign,
    is_program,
    run_by_engine,
    split_command,
)
from arena.plugins.parameters import Factory, Signature, fit, signature_fault
from arena.plugins.source_files import HOME, Home, engine_files
from arena.plugins.user_engines import Module, Patience, foreign_module, wrap_hint
from arena.processes.child import is_confined

Kind = Literal[
    "game",
    "engine",
    "format",
    "method",
    "form",
    "source of openings",
    "adjudication",
    "opening rule",
    "check",
    "record format",
    "experiment",
]

PACKAGES: dict[Kind, str] = {
    "game": "arena.games",
    "engine": "arena.engines",
    "format": "arena.formats",
    "method": "arena.tuning.methods",
    "source of openings": "arena.match.openings",
    "adjudication": "arena.match.adjudication",
    "opening rule": "arena.match.opening_rules",
    "form": "arena.report.forms",
    "check": "arena.gomocup.checks",
    "record format": "arena.records.formats",
    "experiment": "arena.experiments",
}
FACTORIES: dict[Kind, str] = {
    "game": "game",
    "engine": "engine",
    "format": "pairings",
    "method": "tuner",
    "source of openings": "openings",
    "adjudication": "rule",
    "check": "checks",
}
POSITIONAL: dict[Kind, int] = {
    "game": 0,
    "engine": 1,
    "format": 2,
    "method": 2,
    "source of openings": 1,
    "adjudication": 1,
    "check": 1,
}
"""Arguments of each factory before its parameters: engine(game, *, ...)."""
HUMAN = "human"  # A person: no engine, but a player of `arena play`
IMPORTED: Final = "imported"
"""The kind of a folder of games that others played, and in its config the engine and the format."""
PLAYER_KEYS = ("name", "engine", "limit")
"""Keys of a player in the YAML, beside which its engine's own parameters stand."""


@dataclass(frozen=True, slots=True)
class Named:
    """A game, engine, format or opening source by name, with its parameters."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    is_checked: bool = field(default=False, compare=False)
    """True once its parameters were held against the signature of what it names."""

    def __str__(self) -> str:
        values = ",".join(f"{key}={value}" for key, value in self.parameters.items())
        return f"{self.name}:{values}" if values else self.name


def parse_named(text: str) -> Named:
    """Read `name:key=value,key=value`; the name may be a path that has a `:` itself.

    A command line is a name, too: parameters follow its last file, or a blank, as in
    `java Main :startup=60`.
    """
    for match in re.finditer(r"(\s*):(?=[^\W\d][\w.]*=)", text):
        name = text[: match.start()]
        if is_command_line(name) and (match[1] or is_file(split_command(name)[-1])):
            return Named(name.strip(), parse_parameters(text[match.end() :]))
    if is_command_line(text):
        return Named(text.strip())
    ends = [match.start() for match in re.finditer(":|$", text)]
    paths = [end for end in ends[1:] if os.path.exists(os.path.expanduser(text[:end]))]
    end = max(paths, default=ends[0])
    return Named(text[:end].strip(), parse_parameters(text[end + 1 :]))


def parse_parameters(text: str) -> dict[str, Any]:
    """Read `key=value,key=value`; numbers and truth values are such, the rest is text.

    >>> parse_parameters("startup=60,info.thread_num=4,info.hash_size=65536")
    {'startup': 60, 'info': {'thread_num': 4, 'hash_size': 65536}}
    """
    parameters: dict[str, Any] = {}
    items = text.split(",") if text else []
    for item in items:
        key, _, value = map(str.strip, item.partition("="))
        outer, dot, inner = key.partition(".")
        if not (outer and value and bool(dot) == bool(inner)):
            raise ConfigError(Fault(text, f"{item!r} must be written key=value"))
        place = parameters.setdefault(outer, {}) if dot else parameters
        if not isinstance(place, dict) or (inner or outer) in place:
            raise ConfigError(Fault(text, f"{key!r} stands here twice"))
        place[inner or outer] = _scalar(value)
    return parameters


def _scalar(text: str) -> object:
    kinds = (int, float) if text.isascii() else ()  # both would take digits of any script
    for kind in kinds:
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text.lower(), text)


@cache
def names(kind: Kind) -> tuple[str, ...]:
    package = importlib.import_module(PACKAGES[kind])
    return tuple(sorted(m.name for m in pkgutil.iter_modules(package.__path__) if not m.ispkg))


def module(kind: Kind, name: str) -> ModuleType:
    """The module behind a name, imported into this process; of engines, only the project's own.

    ConfigError says what is near an unknown name. Users' engines: see `description`.
    """
    if kind == "engine" and name == HUMAN:
        raise ConfigError(
            f"{HUMAN} is a person, who plays at a terminal only: arena play {HUMAN} ENGINE"
        )
    if kind == "engine" and is_program(name):
        name = PROGRAMS
    if kind == "engine" and is_foreign(name):
        raise ValueError(f"{name} is a user's: read its description first")
    if name not in names(kind):
        players = [HUMAN] if kind == "engine" else []
        files = [file.name for file in Path().glob("*.py")] if kind == "engine" else []
        raise ConfigError(unknown(kind, name, [*names(kind), *players], files))
    return importlib.import_module(f"{PACKAGES[kind]}.{name}")


def engine_module(name: str) -> ModuleType:
    """The module of any engine, a user's by its path or dotted name, imported into this process.

    For processes that are there for it, and for what was read before: a file may hang, or end the
    process. ConfigError as in `module`, or because it cannot be imported.
    """
    return foreign_module(name) if is_foreign(name) else module("engine", name)


def description(kind: Kind, name: str, patience: Patience | None = None) -> Module:
    """The module behind a name; of a user's engine, only what it says of itself.

    That is read in a process of its own, within this patience, unless this one is there for engines
    to run in. ConfigError as in `module`, and if it is no engine.
    """
    if kind != "engine" or not is_foreign(name):
        return module(kind, name)
    if is_confined():
        return engine_module(name)
    return user_engines.description_of(name, looked_at, patience).module


def known_description(kind: Kind, name: str) -> Module:
    """The description as it was read last: a user's engine may have been edited since."""
    if kind == "engine" and is_foreign(name) and not is_confined():
        return user_engines.read_before(name, looked_at).module
    return description(kind, name)


def looked_at(name: str) -> tuple[Module, Factory]:
    """An engine's own module and factory; ConfigError if it is none."""
    module = engine_module(name)
    return checked_games(name, module), checked_factory("engine", name, module)


def files_of(name: str) -> Mapping[str, Path]:
    """The files that an engine is made of, by their paths within its tree; a person has none.

    Of a user's engine, those that it was made of as it was read last.
    """
    if name == HUMAN:
        return {}
    if is_foreign(name):
        return user_engines.read_before(name, looked_at).files
    return engine_files(Home(HOME, Path(str(module("engine", name).__file__))))


def factory(kind: Kind, name: str) -> Factory:
    """The function that makes the game or engine, or yields the format's pairings.

    ConfigError if there is none, or its signature does not tell its parameters.
    """
    return checked_factory(kind, name, description(kind, name))


def checked_factory(kind: Kind, name: str, module: Module) -> Factory:
    factory = getattr(module, FACTORIES[kind], None)
    if isinstance(factory, Signature):
        return factory  # checked where it was read
    if not callable(factory):
        raise ConfigError(f"{kind} {name} has no function {FACTORIES[kind]}")
    reserved = PLAYER_KEYS if kind == "engine" else ()
    if message := signature_fault(factory, POSITIONAL[kind], reserved):
        raise ConfigError(f"{kind} {name}: {message}")
    return cast(Factory, factory)


def playable_games(name: str) -> tuple[str, ...]:
    """The names of the games that an engine plays; "*" for any."""
    return tuple(checked_games(name, description("engine", name)).GAMES)


def checked_games(name: str, module: Module) -> Module:
    games = getattr(module, "GAMES", None)
    if not isinstance(games, tuple) or not games or not all(isinstance(g, str) for g in games):
        hint = wrap_hint(name, module)
        raise ConfigError(f"engine {name} must say which games it plays: GAMES = (...,){hint}")
    rules = getattr(module, "RULES", COMMON_RULES)
    if not isinstance(rules, tuple) or not rules or not all(isinstance(r, str) for r in rules):
        raise ConfigError(f"engine {name} must say which rules it knows as RULES = (...,)")
    return module


def load_game(game: str | Mapping[str, Any] | Named) -> Game:
    """The game that `name:key=value,...` names. Raises ConfigError for anything wrong with it."""
    named = checked("game", game)
    return cast(Game, factory("game", named.name)(**named.parameters))


def named_of(kind: Kind, given: Any) -> Named:
    """What a text or a dict of users names: `{name: {key: value}}`, or of an engine
    `{"engine": name, key: value}`, for which an object may stand. ConfigError for other values."""
    if isinstance(given, str | os.PathLike):
        return parse_named(os.fspath(given))
    if kind == "engine":
        values = dict(given) if isinstance(given, Mapping) else {kind: given}
        name = values.pop(kind, "")
        return Named(name if isinstance(name, str) else user_engines.given_name(name), values)
    if len(given) == 1:
        ((name, values),) = given.items()
        if isinstance(name, str) and isinstance(values, Mapping | None):
            return Named(name, values or {})
    raise ConfigError(f"{kind} must be a name, or {{name: {{key: value}}}}, not {given!r}")


def checked(kind: Kind, wanted: Any) -> Named:
    """The object that is wanted, with all its parameters. Raises ConfigError for what does not fit.

    What users give is new; all else was read before, with the engine that it names.
    """
    is_new = not isinstance(wanted, Named)
    named = named_of(kind, wanted) if is_new else wanted
    if named.is_checked:
        return named
    if kind == "engine":
        named = Named(*run_by_engine(named.name, named.parameters))
    module = (description if is_new else known_description)(kind, named.name)
    values, misfits = fit(checked_factory(kind, named.name, module), named.parameters)
    if misfits:
        raise ConfigError(*(Fault(str(named), misfit.message) for misfit in misfits))
    return Named(named.name, values, is_checked=True)
