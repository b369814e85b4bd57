"""Openings as `h8i9`: the column's letter from a, i included, and the row from 1 at the top."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_lowercase

from arena.game import Game, Move
from arena.records.cells import column_and_row, move_to

STONE_TEXT = re.compile(r"([a-z])([1-9][0-9]?)")
WHOLE_LINE = re.compile(rf"\s*({STONE_TEXT.pattern})+\s*")


def read_opening(game: Game, text: str) -> tuple[Move, ...]:
    """The moves of a line; ValueError says what is wrong with it."""
    if not WHOLE_LINE.fullmatch(text):
        raise ValueError(f"{text!r} is no opening of letters and numbers: write such as h8i9")
    return tuple(_stone_of(game, *stone.groups()) for stone in STONE_TEXT.finditer(text))


def _stone_of(game: Game, letter: str, number: str) -> Move:
    """The move of one stone; ValueError if it is off the board."""
    column, row, last = ascii_lowercase.index(letter), int(number) - 1, game.size - 1
    if max(column, row) > last:
        raise ValueError(
            f"{letter}{number} is off the board: "
            f"columns go from a to {ascii_lowercase[last]}, rows from 1 to {last + 1}"
        )
    return move_to(game, column, row)


def opening_text(game: Game, moves: Sequence[Move]) -> str:
    """The mirror of `read_opening`; ValueError for no moves: a blank line means nothing."""
    if not moves:
        raise ValueError("the empty board cannot be written as letters and numbers")
    cells = (column_and_row(game, move) for move in moves)
    return "".join(f"{ascii_lowercase[column]}{row + 1}" for column, row in cells)
