"""The games and rules of an engine, and the facts that it tells of its program and parameters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.engine import COMMON_RULES
from arena.errors import ConfigError
from arena.game import Game
from arena.plugins import load
from arena.plugins.engine_names import is_foreign
from arena.plugins.load import HUMAN
from arena.plugins.parameters import parameters
from arena.plugins.user_engines import Module

Keys = tuple[str | int, ...]


def check_plays(name: str, game: str, rule: object) -> None:
    """Raise a ConfigError if this engine cannot play the game of this name by this rule."""
    module = load.checked_games(name, load.known_description("engine", name))
    if game not in module.GAMES and "*" not in module.GAMES:
        raise ConfigError(f"engine {name} cannot play {game}, only {', '.join(module.GAMES)}")
    known = rules_in(module)
    if rule in rules_of_game(game) and rule not in known and "*" not in known:
        raise ConfigError(f"engine {name} cannot play {game} by the rule {rule}")


def can_play(name: str, game: str, rule: object) -> bool:
    """True if this engine can play the game of this name by this rule."""
    try:
        check_plays(name, game, rule)
    except ConfigError:
        return False
    return True


def known_rules(name: str, game: str) -> list[str]:
    """The rules of a game that an engine knows; none where there is nothing to choose from."""
    known = rules_in(load.checked_games(name, load.description("engine", name)))
    return [rule for rule in rules_of_game(game) if rule in known or "*" in known]


def rules_in(module: Module) -> tuple[str, ...]:
    """The rules that an engine's module names; an engine that plays any game knows any rule."""
    found: Any = getattr(module, "RULES", ("*",) if "*" in module.GAMES else COMMON_RULES)
    return tuple(found)


def rules_of_game(game: str) -> tuple[str, ...]:
    """The rules by which a game can be played, if it has a parameter `rule`."""
    if game not in load.names("game"):
        return ()
    declared = parameters(load.factory("game", game))
    return next((each.choices for each in declared if each.name == "rule"), ())


def program_files(name: str, values: Mapping[str, Any]) -> list[Path]:
    """The files of the program that an engine plays by, if it does."""
    return _told_by_engine("program_files", name, values) or []


def filled_files(name: str, values: Mapping[str, Any]) -> Mapping[str, bytes]:
    """The contents of files that an engine's program is given, by the files' names."""
    return _told_by_engine("filled_files", name, values) or {}


def engine_misfits(
    name: str, values: Mapping[str, Any], game: Game | None
) -> Iterable[tuple[Keys, str]]:
    """The faults of parameters that fit each on its own: the path of keys, and a message.

    Of a game that has a fault itself, None is given: then only faults that need no game are found.
    """
    return _told_by_engine("misfits", name, values, game) or ()


def shipped_places(name: str, values: Mapping[str, Any]) -> list[Path]:
    """Files and folders, beside an engine's own sources, that go along to other machines.

    If the engine does not say, they are those that its parameters name.
    """
    told: list[Path] | None = _told_by_engine("shipped_places", name, values)
    return list(_paths_named(name, values)) if told is None else told


def _paths_named(name: str, values: Mapping[str, Any]) -> Iterator[Path]:
    """The files and folders that parameters of an engine name, if they are there."""
    if name == HUMAN:
        return
    for parameter in parameters(
        load.checked_factory("engine", name, load.known_description("engine", name))
    ):
        given = values.get(parameter.name) if parameter.is_path else None
        for word in given if isinstance(given, list) else [given]:
            if isinstance(word, str) and word and (place := Path(word).absolute()).exists():
                yield place


def free_parameters(name: str) -> Collection[str]:
    """The parameters of an engine on which none of its games depends."""
    if is_foreign(name) or name == HUMAN:
        return ()
    try:
        found: Collection[str] = getattr(load.module("engine", name), "FREE", ())
    except ConfigError:
        return ()  # an engine of another version, in a folder that is kept
    return found


def _told_by_engine(function: str, name: str, values: Mapping[str, Any], *others: Any) -> Any:
    """Call a function of an engine's module with the values; None if there is no such function."""
    if is_foreign(name) or name == HUMAN:
        return None
    found = getattr(load.module("engine", name), function, None)
    return found(values, *others) if found else None
