"""The opening rule swap2: three stones, the choice of a side, or two stones more."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from arena.engine import Choice, Limit
from arena.game import Move, Position
from arena.games.gomoku import Gomoku
from arena.gomocup.engine_as_brain.stones import is_decided, position_of, words_of
from arena.gomocup.engine_as_brain.time_keys import LEAST_THOUGHT, seconds_for_several

SWAP = "SWAP"
TRIED = 24
"""Openings of three stones that are tried, as far as the time allows."""
MOST_NODES = 10_000
"""Nodes of the search of each opening."""
SPREAD = 7
"""Rows and columns, in the middle of the board, on which the three stones stand."""

Search = Callable[[Position, Limit], Choice]


def three_stones(game: Gomoku, limit: Limit, search: Search) -> list[Move]:
    """The opening whose search comes out nearest to balance, so that either side will do."""
    total = seconds_for_several(limit)
    deadline = None if total is None else time.monotonic() + total
    best, least = list[Move](), float("inf")
    for moves in islice(_openings_of_three(game), TRIED):
        if best and deadline is not None and time.monotonic() > deadline:
            break
        choice = search(position_of(game.size, moves), _part_of(limit, total))
        if abs(choice.score or 0) < least:
            best, least = moves, abs(choice.score or 0)
    return best


def _part_of(limit: Limit, total: float | None) -> Limit:
    seconds = None if total is None else max(total / TRIED, LEAST_THOUGHT)
    nodes = MOST_NODES if limit.nodes is None else min(MOST_NODES, limit.nodes)
    return replace(limit, nodes=nodes, seconds=seconds, time_left=None, increment=None)


def _openings_of_three(game: Gomoku) -> Iterator[list[Move]]:
    """Sets of three stones in the middle of the board, in a fixed order, without end."""
    chance, size = random.Random(game.size), game.size
    width = min(size, SPREAD)
    low = (size - width) // 2
    cells = [
        row * size + column for row in range(low, low + width) for column in range(low, low + width)
    ]
    while True:
        yield chance.sample(cells, 3)


def side_chosen(game: Gomoku, p: Position, limit: Limit, search: Search) -> tuple[str, Choice]:
    """SWAP or White's next move, and the search behind it.

    White is to move. A side is worth no less than balance to the player that may
    choose it, so that two more stones, after which the other one chooses, are never better.
    """
    if is_decided(game, p):
        raise ValueError("the game is over")
    choice = search(p, limit)
    if choice.move is None or (choice.score or 0) < 0:
        return SWAP, choice
    return words_of(game.size, [choice.move]), choice
