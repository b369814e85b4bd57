"""The command that checks the program by which a player plays."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from arena.engine import Limit
from arena.match.terms import MARGIN, Terms
from arena.plugins.engine_names import PROGRAMS, parse_command
from arena.plugins.load import Named


def check_command(engine: Named, limit: Limit, terms: Terms) -> str:
    """The command that checks a program as it is to play; empty if the engine plays by none."""
    command = engine.parameters.get("command")
    if engine.name != PROGRAMS or not command:
        return ""
    words = parse_command(command)
    options = [*_options(engine, limit, terms)]
    end = ["--"] if len(words) > 1 else []
    return shlex.join(["arena", "check", *options, *end, *words])


def _options(engine: Named, limit: Limit, terms: Terms) -> Iterator[str]:
    game = terms.game.parameters
    rule = "renju" if terms.game.name == "renju" else str(game.get("rule", "freestyle"))
    if rule != "freestyle":
        yield from ("--rule", rule)
    if (size := game.get("size", 15)) != 15:
        yield from ("--size", str(size))
    if limit.seconds not in (None, 1):
        yield from ("--seconds", f"{limit.seconds:g}")
    if terms.margin != MARGIN:
        yield from ("--margin", f"{terms.margin:g}")
    if terms.memory is not None:
        yield from ("--memory", str(terms.memory))
    if folder := engine.parameters.get("folder"):
        yield from ("--folder", str(folder))
    if not (engine.parameters.get("values") or engine.parameters.get("template")):
        for key, value in (engine.parameters.get("info") or {}).items():
            yield from ("--info", f"{key}={value}")
