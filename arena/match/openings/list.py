"""Openings that are written out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.game import Game


def openings(game: Game, *, list: Sequence[str]) -> Iterator[str]:
    """The openings as they stand, but for needless spaces."""
    yield from (" ".join(text.split()) for text in list)


def count(parameters: Mapping[str, Any]) -> int:
    return len(parameters["list"])


def part(parameters: Mapping[str, Any], start: int, count: int) -> dict[str, Any]:
    return {"list": parameters["list"][start : start + count]}
