"""Stones that are suggested to proposers without their own, for openings that players make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Annotated, Any

from arena.engine import Range
from arena.errors import ConfigError
from arena.game import Game, Move
from arena.games.gomoku import Gomoku
from arena.match.play import moves_text
from arena.plugins.load import names

Count = Annotated[int, Range(1, 1_000_000), "openings"]
Seed = Annotated[int, "of the order of the stones that are suggested"]
Skip = Annotated[int, Range(0, 1_000_000), "openings drawn before, and left out"]

DRAWS = True
STONES = Path(__file__).parent / "openings" / "three_stones.txt"
"""Openings of three stones on a board of 15, different under its symmetries: those of the seven
middle rows and columns that the selective `balance` found nearest to balance."""
STONES_SIZE = 15
AWAY = ((0, 0), *((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right))
"""Rows and columns from the middle by which the openings are moved, once all others are used."""


def rules_of(game: Game) -> Sequence[str]:
    """The rules by which the players can make the openings of a game: stones must be put down."""
    return names("opening rule") if isinstance(game, Gomoku) else ()


def suggested(rule: str, game: Game, count: int, seed: int, skip: int = 0) -> Iterator[str]:
    """The starts of openings by a rule, each with three balanced stones, none twice; once all are
    used, they come turned, mirrored, and then a point away from the middle.

    Raises ConfigError for another game than Gomoku, and for more than there are.
    """
    if not isinstance(game, Gomoku):
        raise ConfigError(f"{rule} is no opening of {game.name}: it needs stones to be put down")
    known = 0
    for known, stones in enumerate(islice(_suggestions(game, Random(seed)), skip + count), start=1):
        if known > skip:
            yield f"{rule} {stones}"
    if known < skip + count:
        size = f"{game.size} x {game.size} points"
        raise ConfigError(f"{rule} has {known} openings of {size}, not {skip + count}")


def _suggestions(game: Gomoku, source: Random) -> Iterator[str]:
    """All openings that there are for a board, in an order of the seed."""
    lines = [line.split() for line in STONES.read_text(encoding="utf-8").splitlines()]
    source.shuffle(lines)
    turns = [source.sample(game.symmetries, len(game.symmetries)) for _ in lines]
    seen = set[tuple[frozenset[Move], Move]]()
    for away, i in product(AWAY, range(len(game.symmetries))):
        for line, order in zip(lines, turns, strict=True):
            moves = [game.turned(move, order[i]) for move in _moves_on(game.size, line, away)]
            if (
                len(moves) == len(line)
                and (stones := (frozenset(moves[::2]), moves[1])) not in seen
            ):
                seen.add(stones)
                yield moves_text(game, moves)


def _moves_on(size: int, line: Sequence[str], away: tuple[int, int]) -> list[Move]:
    """The moves of an opening around the middle of a board, or so far away from there; only those
    that are on the board."""
    middle = (size - STONES_SIZE) // 2
    points = [[int(place) + middle for place in word.split(",")] for word in line]
    cells = [(row + away[0], column + away[1]) for row, column in points]
    return [
        size * row + column
        for row, column in cells
        if min(row, column) >= 0 and max(row, column) < size
    ]


def count(parameters: Mapping[str, Any]) -> int:
    """The number of openings."""
    return int(parameters["count"])


def part(parameters: Mapping[str, Any], start: int, count: int) -> dict[str, Any]:
    """The parameters that give `count` of the openings, from number `start` on."""
    return {**parameters, "skip": parameters.get("skip", 0) + start, "count": count}
