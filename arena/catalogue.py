"""What there is to play with, and how to set it: the texts of `arena engines` and `arena games`."""

from __future__ import annotations

import inspect

from arena import load
from arena.load import Kind
from arena.parameters import Parameter, parameters


def listing(kind: Kind) -> str:
    """A line for each, with the first sentence of its file."""
    found = load.names(kind)
    width = max(map(len, found))
    lines = [f"{name:<{width}}  {about(kind, name)}" for name in found]
    return "\n".join([*lines, "", f"To see the parameters of one: arena {kind}s NAME"])


def describe(kind: Kind, name: str) -> str:
    """What one is, its games, and its parameters with defaults and domains."""
    factory = load.factory(kind, name)
    parts = [f"{name}: {about(kind, name)}", inspect.getdoc(factory) or ""]
    if kind == "engine":
        playable = load.games_of(name)
        parts.append("Plays " + ("any game" if "*" in playable else ", ".join(playable)))
    return "\n\n".join(filter(None, [*parts, table(parameters(factory))]))


def about(kind: Kind, name: str) -> str:
    """The first line of the file's docstring."""
    return (inspect.getdoc(load.module(kind, name)) or "").partition("\n")[0]


def default_text(parameter: Parameter) -> str:
    """The default, or that there is none."""
    return "required" if parameter.default is inspect.Parameter.empty else str(parameter.default)


def table(found: list[Parameter]) -> str:
    """The parameters in columns."""
    if not found:
        return "It has no parameters."
    heads = ("parameter", "default", "values", "")
    rows = [heads, *((p.name, default_text(p), p.domain, p.about) for p in found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
