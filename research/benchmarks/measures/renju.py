"""Renju's referee: milliseconds to find all forbidden points of a crowded board."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median
from typing import cast

from arena.bench import Measurement, seconds_of
from arena.game import Forbids, Position
from arena.plugins import load

BOARDS = 100


def rows(repeat: int) -> Iterator[Measurement]:
    """Ask of every point of every board if it is forbidden to Black."""
    game = cast(Forbids, load.load_game("renju"))
    boards = [crowded_board(seed) for seed in range(BOARDS)]

    def ask() -> None:
        for p in boards:
            for move in range(len(p.cells)):
                game.forbidden(p, move)

    ask()  # lines that have been seen are known from then on, as in a game
    seconds = median(seconds_of(ask) for _ in range(repeat))
    yield {
        "name": "renju",
        "boards": BOARDS,
        "seconds": seconds,
        "milliseconds_per_board": 1e3 * seconds / BOARDS,
    }


def crowded_board(seed: int) -> Position:
    """A board of 15 x 15 with 8 to 40 stones in its middle, more of them black; Black moves."""
    random, cells = Random(seed), bytearray(15 * 15)
    middle = [row * 15 + column for row in range(3, 12) for column in range(3, 12)]
    for move in random.sample(middle, random.randint(8, 40)):
        cells[move] = random.choice((1, 1, 2))
    return Position(bytes(cells), 1)
