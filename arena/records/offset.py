"""Openings as Gomocup writes them: distances from the centre, `8,-3, 6,-4`, column before row."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.game import Game, Move
from arena.records.cells import column_and_row, move_to

OFFSETS = re.compile(r"\s*-?[0-9]+(\s*,\s*-?[0-9]+)*\s*")


def read_opening(game: Game, text: str) -> tuple[Move, ...]:
    """The moves of a line; ValueError says what is wrong with it.

    The centre of a board of even size is the cell below and to the right of its middle.
    """
    if not OFFSETS.fullmatch(text):
        raise ValueError(f"{text!r} is no opening by offsets: write such as 8,-3, 6,-4")
    words = [word.strip() for word in text.split(",")]
    if len(words) % 2:
        raise ValueError(f"{len(words)} numbers, and a stone has two")
    return tuple(
        _stone_at(game, column, row) for column, row in zip(words[::2], words[1::2], strict=True)
    )


def _stone_at(game: Game, column: str, row: str) -> Move:
    """The move of one stone; ValueError if it is off the board."""
    centre = game.size // 2
    low, high = -centre, game.size - 1 - centre
    if any(len(word) > 4 or not low <= int(word) <= high for word in (column, row)):
        raise ValueError(f"{column},{row} is off the board: offsets go from {low} to {high}")
    return move_to(game, centre + int(column), centre + int(row))


def opening_text(game: Game, moves: Sequence[Move]) -> str:
    """The mirror of `read_opening`; ValueError for no moves: a blank line means nothing."""
    if not moves:
        raise ValueError("the empty board cannot be written by offsets")
    centre = game.size // 2
    cells = (column_and_row(game, move) for move in moves)
    return ", ".join(f"{column - centre},{row - centre}" for column, row in cells)
