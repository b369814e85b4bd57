"""Engines built, ready to play a game, and let go; and the facts that they tell of themselves."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

from arena.engine import (
    COMMON_RULES,
    Conditions,
    Engine,
    Evaluation,
    Features,
    Program,
    ProgramError,
)
from arena.errors import ConfigError, one_line, own_words
from arena.game import Game, Move, Position
from arena.plugins import load
from arena.plugins.engine_names import is_foreign
from arena.plugins.load import HUMAN, Named, checked, looked_at, module, names
from arena.plugins.parameters import parameters
from arena.plugins.user_engines import Module

logger = logging.getLogger(__name__)

ForcedWin = Callable[[Position], Sequence[Move] | None]
"""A function of a position: the line by which its mover wins; empty without one, or None."""
ThreatWin = Callable[[Position], bool]
"""A function of a position: True if its mover is seen to win by fours and threes."""


def prepare_forks() -> None:
    """Import numba, which takes half a second, for the processes that are forked from here."""
    import arena.jit  # noqa: F401


def load_engine(wanted: Any, game: Game, conditions: Conditions | None = None) -> Engine:
    """The engine that `name:key=value,...` names, or `{"engine": name, key: value}`, or that is an
    object of this program, ready to play this game.

    Raises ConfigError for anything wrong with it, including an exception of its own.
    """
    # numba takes half a second to import, which readers of games need not wait for.
    from arena.jit import compiling_for

    named = checked("engine", wanted)
    check_plays(named.name, game.name, getattr(game, "rule", None))
    _, build = looked_at(named.name)
    try:
        with compiling_for(named.name):
            engine = build(game, **named.parameters)
        if isinstance(engine, Program):
            engine.start(conditions or Conditions())
    except ProgramError as error:
        message = f"engine {named.name}: {error.program} {error.words}"
        raise ConfigError(one_line(message)) from error
    except (Exception, SystemExit) as error:
        raise ConfigError(f"engine {named.name} cannot be built: {own_words(error)}") from error
    for method in ("new_game", "choose", "close"):
        if not callable(getattr(engine, method, None)):
            raise ConfigError(f"engine {named.name}: what engine() returns has no {method}()")
    return cast(Engine, engine)


def forced_win_search(game: Game, **bounds: int) -> ForcedWin | None:
    """The search for forced wins of the first engine that has one for this game.

    `bounds` are `fours` and `nodes`, in place of the search's own.
    """
    return cast(ForcedWin | None, _search_of_an_engine("forced_win", game, **bounds))


def threat_win_search(game: Game) -> ThreatWin | None:
    return cast(ThreatWin | None, _search_of_an_engine("threat_win", game))


def _search_of_an_engine(
    function: Literal["forced_win", "threat_win"], game: Game, **bounds: int
) -> object | None:
    for name in names("engine"):
        search = getattr(module("engine", name), function, None)
        if search and can_play(name, game.name, getattr(game, "rule", None)):
            return cast(object, search(game, **bounds))
    return None


def evaluation_of(wanted: str | Named, game: Game) -> Evaluation | None:
    """The static evaluation of an engine with these parameters; None if its file has none.

    ConfigError as in `load_engine`.
    """
    return cast(Evaluation | None, _fitted_part("evaluate", wanted, game))


def features_of(wanted: str | Named, game: Game) -> Features | None:
    """The tables of weights of an engine with these parameters; None if its file has none.

    ConfigError as in `load_engine`.
    """
    return cast(Features | None, _fitted_part("features", wanted, game))


def _fitted_part(
    function: Literal["evaluate", "features"], wanted: str | Named, game: Game
) -> object | None:
    """The answer of a function in an engine's file to its parameters; None if it has none."""
    named = checked("engine", wanted)
    check_plays(named.name, game.name, getattr(game, "rule", None))
    make: Any = getattr(looked_at(named.name)[0], function, None)
    try:
        return cast(object, make(game, **named.parameters)) if make else None
    except (Exception, SystemExit) as error:
        words = f"engine {named.name}: {function}() cannot be used: {own_words(error)}"
        raise ConfigError(one_line(words)) from error


def close_engine(engine: Engine, name: str) -> None:
    """Close an engine; an exception of its own is logged, since no game depends on it."""
    try:
        engine.close()
    except (Exception, SystemExit):
        logger.exception("%s raised an exception as it was closed", name)


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
    rules: Any = getattr(module, "RULES", ("*",) if "*" in module.GAMES else COMMON_RULES)
    return tuple(rules)


def rules_of_game(game: str) -> tuple[str, ...]:
    if game not in load.names("game"):
        return ()
    declared = parameters(load.factory("game", game))
    return next((each.choices for each in declared if each.name == "rule"), ())


def program_files(name: str, values: Mapping[str, Any]) -> list[Path]:
    return _told_by_engine("program_files", name, values) or []


def filled_files(name: str, values: Mapping[str, Any]) -> Mapping[str, bytes]:
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
    places: list[Path] | None = _told_by_engine("shipped_places", name, values)
    return list(_paths_named(name, values)) if places is None else places


def _paths_named(name: str, values: Mapping[str, Any]) -> Iterator[Path]:
    if name == HUMAN:
        return
    for parameter in parameters(
        load.checked_factory("engine", name, load.known_description("engine", name))
    ):
        value = values.get(parameter.name) if parameter.is_path else None
        words = value if isinstance(value, list) else [value]
        for word in words:
            if isinstance(word, str) and word and (place := Path(word).absolute()).exists():
                yield place


def free_parameters(name: str) -> Collection[str]:
    if is_foreign(name) or name == HUMAN:
        return ()
    try:
        free: Collection[str] = getattr(load.module("engine", name), "FREE", ())
    except ConfigError:
        return ()  # an engine of another version, in a folder that is kept
    return free


def _told_by_engine(function: str, name: str, values: Mapping[str, Any], *others: Any) -> Any:
    """Call a function of an engine's module with the values; None if there is no such function."""
    if is_foreign(name) or name == HUMAN:
        return None
    tell = getattr(load.module("engine", name), function, None)
    return tell(values, *others) if tell else None
