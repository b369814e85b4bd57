"""Openings that the players make by swap2, each with stones for a proposer without its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import Annotated, Any

from arena.engine import Range
from arena.errors import ConfigError
from arena.game import Game
from arena.games.gomoku import Gomoku
from arena.match.play import moves_text
from arena.match.record import SWAP2

DRAWS = True
STONES = Path(__file__).parent / "three_stones.txt"
"""Openings of three stones on a board of 15, different under its symmetries: those of the seven
middle rows and columns that `strong` found nearest to balance."""
STONES_SIZE = 15


def openings(
    game: Game,
    *,
    count: Annotated[int, Range(1, 1_000_000), "openings"] = 10,
    seed: Annotated[int, "of the order of the stones that are suggested"] = 0,
    skip: Annotated[int, Range(0, 1_000_000), "openings drawn before, and left out"] = 0,
) -> Iterator[str]:
    """Three balanced stones for each opening, none twice; once they are used up, turned ones."""
    if not isinstance(game, Gomoku):
        raise ConfigError(f"swap2 is no opening of {game.name}: it needs stones to be put down")
    found = list(islice(suggestions(game, Random(seed)), skip + count))
    if len(found) < skip + count:
        raise ConfigError(
            f"swap2 has {len(found)} openings of {game.size} x {game.size}, not {skip + count}"
        )
    yield from found[skip:]


def suggestions(game: Gomoku, source: Random) -> Iterator[str]:
    """All openings that there are for a board, in an order of the seed."""
    shift = (game.size - STONES_SIZE) // 2
    lines = [
        [game.size * row + column for row, column in stones]
        for stones in shifted_stones(shift)
        if all(0 <= place < game.size for point in stones for place in point)
    ]
    source.shuffle(lines)
    turns = [source.sample(game.symmetries, len(game.symmetries)) for _ in lines]
    seen = set[tuple[frozenset[int], int]]()
    for i in range(len(game.symmetries)):
        for line, order in zip(lines, turns, strict=True):
            black, white, again = (game.turned(move, order[i]) for move in line)
            if (stones := (frozenset((black, again)), white)) not in seen:
                seen.add(stones)
                yield SWAP2 + moves_text(game, [black, white, again])


def shifted_stones(shift: int) -> Iterator[list[tuple[int, int]]]:
    """The points of each opening, moved by this many rows and columns."""
    for line in STONES.read_text().splitlines():
        points = (map(int, word.split(",")) for word in line.split())
        yield [(row + shift, column + shift) for row, column in points]


def count(parameters: Mapping[str, Any]) -> int:
    """The number of openings."""
    return int(parameters["count"])


def part(parameters: Mapping[str, Any], start: int, count: int) -> dict[str, Any]:
    """The parameters that give `count` of the openings, from number `start` on."""
    return {**parameters, "skip": parameters.get("skip", 0) + start, "count": count}
