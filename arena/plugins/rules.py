"""The rules of a game that an engine knows, and the fault of one that cannot play a game."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from arena.engine import COMMON_RULES
from arena.errors import ConfigError
from arena.plugins import load
from arena.plugins.parameters import parameters


def check_plays(name: str, game: str, rule: object) -> None:
    """Raise a ConfigError if this engine cannot play the game of this name by this rule."""
    module = load.checked_games(name, load.known_outline("engine", name))
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
    known = rules_in(load.checked_games(name, load.outline("engine", name)))
    return [rule for rule in rules_of_game(game) if rule in known or "*" in known]


def rules_in(module: ModuleType) -> tuple[str, ...]:
    """The rules that an engine's module names; who plays any game asks it, and knows any rule."""
    found: Any = getattr(module, "RULES", ("*",) if "*" in module.GAMES else COMMON_RULES)
    return tuple(found)


def rules_of_game(game: str) -> tuple[str, ...]:
    """The rules by which a game can be played, if it has a parameter `rule`."""
    if game not in load.names("game"):
        return ()
    declared = parameters(load.factory("game", game))
    return next((each.choices for each in declared if each.name == "rule"), ())
