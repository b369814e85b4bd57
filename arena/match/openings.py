"""Starts for paired games, as moves' texts: a seeded generator, and the check of explicit lists."""

from __future__ import annotations

import random as numbers
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Annotated, Protocol, overload, runtime_checkable

from arena.engine import Range
from arena.errors import ConfigError
from arena.game import Game, Move, Position
from arena.match.adjudication import draw
from arena.match.play import moves_text, place_opening
from arena.plugins.parameters import Factory

TRIES = 20_000
"""Positions drawn in vain, one after the other, before the generator gives up."""


@runtime_checkable
class KnowsQuiet(Protocol):
    """A game that can tell positions in which nobody threatens anything yet."""

    def is_quiet(self, p: Position) -> bool:
        """Whether neither side has made, or is about to make, a decisive shape."""


def random(
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
    source = numbers.Random(seed)
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


SOURCES: dict[str, Factory] = {"random": random}
"""What makes openings, by the key in the YAML; an explicit `list` needs no making."""


class Drawn(Sequence[str]):
    """Holds openings that are drawn when first asked for: a test may need few of very many."""

    def __init__(self, source: Iterator[str], count: int) -> None:
        self._source = source
        self._count = count
        self._drawn: list[str] = []

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        wanted = range(self._count)[index]
        last = max(wanted, default=-1) if isinstance(wanted, range) else wanted
        self._drawn += islice(self._source, max(0, last + 1 - len(self._drawn)))
        return self._drawn[wanted] if isinstance(wanted, int) else [self[i] for i in wanted]


def fresh(
    game: Game, plies: int, spread: int, source: numbers.Random, seen: set[bytes]
) -> Position | None:
    """A random position, or None if it is over, loud, or (mirrored or turned) seen before."""
    p = game.start()
    for _ in range(plies):
        options = [
            move for move in game.moves(p) if move % game.size**2 in central(game.size, spread)
        ]
        if not options:
            return None
        p = game.play(p, source.choice(options))
    if game.outcome(p) or draw(game, p) or (isinstance(game, KnowsQuiet) and not game.is_quiet(p)):
        return None
    shape = min(bytes(map(p.cells.__getitem__, order)) for order in symmetries(game.size))
    if shape in seen:
        return None
    seen.add(shape)
    return p


@lru_cache
def central(size: int, spread: int) -> frozenset[Move]:
    """The cells of a square around the centre: on boards of even size, around its four cells."""
    middle, reach = (size - 1) / 2, spread + (size % 2 == 0) / 2
    near = [i for i in range(size) if abs(i - middle) <= reach]
    return frozenset(row * size + column for row in near for column in near)


@lru_cache
def symmetries(size: int) -> tuple[tuple[Move, ...], ...]:
    """The eight ways to turn and mirror a square board, each as the cells in their new order."""
    rows = [list(range(row * size, (row + 1) * size)) for row in range(size)]
    orders = []
    for _ in range(4):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
        orders += [rows, [row[::-1] for row in rows]]
    return tuple(tuple(cell for row in order for cell in row) for order in orders)


def fault_of(game: Game, opening: str, max_plies: int | None = None) -> str | None:
    """Why an opening cannot be played on; None if it can."""
    try:
        p = place_opening(game, opening)
    except ValueError as error:
        return f"opening {opening!r}: {error}"
    if max_plies is not None and p.ply >= max_plies:
        return f"opening {opening!r}: its {p.ply} plies leave none of max_plies {max_plies}"
    if outcome := draw(game, p):
        return f"opening {opening!r}: a draw ({outcome.reason}) before an engine moves"
    return None


def spelt(game: Game, opening: str) -> str:
    """The opening as the game itself writes it; ValueError if it is none."""
    return moves_text(game, place_opening(game, opening).moves)
