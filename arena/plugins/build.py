"""Engines built, ready to play a game, and let go."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, Literal, cast

from arena.engine import Conditions, Engine, Evaluation, Features, Program, ProgramError
from arena.errors import ConfigError, one_line, own_words
from arena.game import Game, Move, Position
from arena.plugins.engine_facts import can_play, check_plays
from arena.plugins.load import (
    Named,
    checked,
    looked_at,
    module,
    names,
)

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
    """The search for wins by fours and threes of the first engine that has one for this game."""
    return cast(ThreatWin | None, _search_of_an_engine("threat_win", game))


def _search_of_an_engine(
    function: Literal["forced_win", "threat_win"], game: Game, **bounds: int
) -> object | None:
    """The answer of this function of the first engine that has it and plays the game, if any."""
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
