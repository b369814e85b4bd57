"""The stones that a manager lists, and the position that they make."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from arena.game import Move, Position
from arena.games.gomoku import Gomoku

OWN, OPPONENT = 1, 2
STONE_LINE = re.compile(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*(?:,\s*([0-9]{1,4})\s*)?")


def point(size: int, text: str) -> Move:
    """The move written `x,y`: a column and a row from 0; ValueError for other text."""
    move, _ = stone(size, text)
    return move


def stone(size: int, text: str) -> tuple[Move, int | None]:
    """The point of a line `x,y` or `x,y,whose`, and whose; ValueError for other text."""
    numbers = STONE_LINE.fullmatch(text)
    if not numbers:
        raise ValueError(f"{text.strip()!r} is no point: x,y")
    column, row = int(numbers[1]), int(numbers[2])
    if max(column, row) >= size:
        raise ValueError(f"{column},{row} is off the board")
    return row * size + column, int(numbers[3]) if numbers[3] else None


def words_of(size: int, moves: Iterable[Move]) -> str:
    """Moves as the protocol writes them, a blank between two."""
    return " ".join(f"{move % size},{move // size}" for move in moves)


def order_of_play(size: int, lines: Sequence[str]) -> list[Move]:
    """The stones of a BOARD, whose last is the opponent's; ValueError if they make no position.

    Managers may list them in any order. The stones of each side keep theirs.
    """
    stones: dict[int | None, list[Move]] = {OWN: [], OPPONENT: []}
    for line in lines:
        move, whose = stone(size, line)
        if whose not in stones:
            raise ValueError(f"{line.strip()!r} is neither an own stone (1) nor the opponent's (2)")
        stones[whose].append(move)
    own, other = stones[OWN], stones[OPPONENT]
    if len(other) - len(own) not in (0, 1):
        raise ValueError(f"{len(own)} own stones and {len(other)} of the opponent's")
    first, second = (own, other) if len(own) == len(other) else (other, own)
    pairs = zip_longest(first, second)
    return [move for pair in pairs for move in pair if move is not None]


def position_of(size: int, moves: Sequence[Move]) -> Position:
    """The position after these moves; ValueError if two are on one point."""
    cells = bytearray(size * size)
    for ply, move in enumerate(moves):
        if cells[move]:
            raise ValueError(f"{words_of(size, [move])} is on a stone")
        cells[move] = 1 + ply % 2
    return Position(bytes(cells), 1 + len(moves) % 2, tuple(moves))


def is_decided(game: Gomoku, p: Position) -> bool:
    """True if either side has won by a line, or no point is empty.

    The order of play is not always known, so each stone is taken for the last. A stone on a
    forbidden point decides nothing: there are managers that do not know of such points.
    """
    return any(
        Gomoku.outcome(game, Position(p.cells, 3 - p.cells[move], (move,))) for move in p.moves
    )
