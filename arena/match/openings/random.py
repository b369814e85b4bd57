"""Openings drawn at random: a few quiet moves near the centre, none twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Annotated, Any, Protocol, runtime_checkable

from arena.engine import Range
from arena.errors import ConfigError
from arena.game import Game, Move, Position, symmetries
from arena.match.adjudication import draw_after
from arena.match.play import moves_text

DRAWS = True
TRIES = 20_000  # Positions drawn in vain, one after the other, before the generator gives up


@runtime_checkable
class KnowsQuiet(Protocol):
    def is_quiet(self, p: Position) -> bool:
        """Tell whether neither side has made, or is about to make, a decisive shape."""


def openings(
    game: Game,
    *,
    plies: Annotated[int, Range(0, 40), "moves in each opening"] = 4,
    count: Annotated[int, Range(1, 1_000_000), "openings"] = 10,
    seed: Annotated[int, "of the random numbers"] = 0,
    spread: Annotated[int, Range(1, 12), "cells from the centre"] = 3,
    skip: Annotated[int, Range(0, 1_000_000), "openings drawn before, and left out"] = 0,
) -> Iterator[str]:
    """Random legal moves near the centre: quiet, and distinct under the eight symmetries.

    Yields lazily: a larger count only adds openings to those of a smaller one.
    """
    source = Random(seed)
    seen: set[bytes] = set()
    for number in range(skip + count):
        drawn = (fresh(game, plies, spread, source, seen) for _ in range(TRIES))
        p = next(filter(None, drawn), None)
        if p is None:
            raise ConfigError(
                f"only {len(seen)} quiet opening{'s' * (len(seen) != 1)} of {plies} plies within "
                f"{spread} cells of the centre were found, not {skip + count}"
            )
        if number >= skip:
            yield moves_text(game, p.moves)


def count(parameters: Mapping[str, Any]) -> int:
    return int(parameters["count"])


def part(parameters: Mapping[str, Any], start: int, count: int) -> dict[str, Any]:
    return {**parameters, "skip": parameters.get("skip", 0) + start, "count": count}


def fresh(game: Game, plies: int, spread: int, source: Random, seen: set[bytes]) -> Position | None:
    """A random position, or None if it is over, loud, or (mirrored or turned) seen before."""
    p = game.start()
    for _ in range(plies):
        options = [
            move for move in game.moves(p) if move % game.size**2 in _central(game.size, spread)
        ]
        if not options:
            return None
        p = game.play(p, source.choice(options))
    if game.outcome(p) or draw_after(game, p):
        return None
    if isinstance(game, KnowsQuiet) and not game.is_quiet(p):
        return None
    shape = min(bytes(map(p.cells.__getitem__, order)) for order in symmetries(game.size))
    if shape in seen:
        return None
    seen.add(shape)
    return p


@lru_cache
def _central(size: int, spread: int) -> frozenset[Move]:
    """The cells of a square around the centre: on boards of even size, around its four cells."""
    middle, reach = (size - 1) / 2, spread + (size % 2 == 0) / 2
    near = [i for i in range(size) if abs(i - middle) <= reach]
    return frozenset(row * size + column for row in near for column in near)
