"""The catalogue that `arena engines` and the like show: names, sources, parameters."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from typing import Any

from arena.plugins import load
from arena.plugins.build import known_rules
from arena.plugins.load import HUMAN, Kind
from arena.plugins.parameters import Parameter, parameters

PARTNERS: dict[Kind, str] = {"engine": "games", "game": "engines"}
"""Kinds that go together; any format goes with all."""

HEADS = ("parameter", "default", "values", "")


def catalogue_text(kind: Kind, name: str | None, as_json: bool) -> str:
    if as_json:
        found = facts(kind, name) if name else [facts(kind, each) for each in load.names(kind)]
        return json.dumps(found, indent=1)
    return describe(kind, name) if name else _listing(kind)


def _listing(kind: Kind) -> str:
    abouts = {name: about(kind, name) for name in load.names(kind)}
    if kind == "engine":
        abouts[HUMAN] = f"A person at this terminal: arena play {HUMAN} ENGINE"
    width = max(map(len, abouts))
    lines = [f"{name:<{width}}  {words}" for name, words in abouts.items()]
    return "\n".join([*lines, "", f"To see all about one: arena {kind}s NAME"])


def describe(kind: Kind, name: str) -> str:
    factory = load.factory(kind, name)
    lines = [_partners_text(kind, name)] if kind in PARTNERS else []
    if document := document_of(kind, name):
        lines.insert(0, f"From {document}")
    parts = [f"{name}: {about(kind, name)}", inspect.getdoc(factory) or "", "\n".join(lines)]
    return "\n\n".join(filter(None, [*parts, table(parameters(factory))]))


def facts(kind: Kind, name: str) -> dict[str, Any]:
    factory = load.factory(kind, name)
    described: dict[str, Any] = {
        "name": name,
        "about": about(kind, name),
        "details": inspect.getdoc(factory) or "",
        "document": document_of(kind, name),
    }
    if kind in PARTNERS:
        described[PARTNERS[kind]] = partners(kind, name)
    if kind == "engine":
        described["rules"] = {game: known_rules(name, game) for game in partners(kind, name)}
    return {**described, "parameters": [_parameter_facts(each) for each in parameters(factory)]}


def _parameter_facts(parameter: Parameter) -> dict[str, Any]:
    bounds = parameter.range
    return {
        "name": parameter.name,
        "type": getattr(parameter.type, "__name__", str(parameter.type)),
        "required": parameter.is_required,
        "default": None if parameter.is_required else parameter.default,
        "low": bounds and bounds.low,
        "high": bounds and bounds.high,
        "log": bool(bounds and bounds.log),
        "choices": list(parameter.choices) or None,
        "about": parameter.about,
    }


def about(kind: Kind, name: str) -> str:
    return (inspect.getdoc(load.description(kind, name)) or "").partition("\n")[0]


def document_of(kind: Kind, name: str) -> str:
    return str(getattr(load.description(kind, name), "DOCUMENT", ""))


def partners(kind: Kind, name: str) -> list[str]:
    if kind == "engine":
        playable = load.playable_games(name)
        return [*load.names("game")] if "*" in playable else list(playable)
    return [engine for engine in load.names("engine") if name in partners("engine", engine)]


def _partners_text(kind: Kind, name: str) -> str:
    if kind == "engine" and "*" in load.playable_games(name):
        return "Plays any game"
    if kind == "game":
        return f"Played by {', '.join(partners(kind, name))}"
    ruled = {game: ", ".join(known_rules(name, game)) for game in partners(kind, name)}
    return "Plays " + ", ".join(
        f"{game} ({rules})" if rules else game for game, rules in ruled.items()
    )


def table(found: Sequence[Parameter]) -> str:
    if not found:
        return "It has no parameters."
    rows: list[Sequence[str]] = [HEADS]
    for each in found:
        default = "required" if each.is_required else str(each.default)
        rows.append((each.name, default, each.domain, each.about))
    return "\n".join(in_columns(rows))


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
