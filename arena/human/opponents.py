"""The engines that a person can play against, and the one that a person meets by default."""

from __future__ import annotations

from arena.plugins import load
from arena.plugins.engine_facts import known_rules
from arena.plugins.engine_names import PROGRAMS
from arena.plugins.load import Named
from arena.plugins.parameters import parameters


def opponents() -> list[str]:
    """The engines that come with the project and need no parameters, those with levels first."""
    found = [
        name
        for name in load.names("engine")
        if name != PROGRAMS
        and not any(each.is_required for each in parameters(load.factory("engine", name)))
    ]
    return sorted(found, key=lambda name: middle_level(name) is None)


def middle_level(engine: str) -> int | None:
    """The level at which an engine plays people by default; None without levels."""
    level: int | None = getattr(load.module("engine", engine), "LEVEL", None)
    return level


def levels_of(engine: str) -> range:
    """The levels of an engine, from the weakest; empty if it has none."""
    known = {each.name: each.range for each in parameters(load.factory("engine", engine))}
    bounds = None if middle_level(engine) is None else known["level"]
    return range(1, int(bounds.high) + 1) if bounds else range(0)


def at_level(engine: str, level: int | None) -> Named:
    """An engine at one of its levels, as users type it."""
    return Named(engine, {} if level is None else {"level": level})


def default_opponent(game: str, rule: object = None) -> str | None:
    """The first engine made for this game, and for its rule; at its middle level if it has any."""
    for name in opponents():
        if game in load.playable_games(name):
            known = known_rules(name, game)
            if rule is None or not known or rule in known:
                return str(at_level(name, middle_level(name)))
    return None
