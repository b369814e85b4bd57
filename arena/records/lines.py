"""Openings in a line of text: as this program writes them, as Gomocup does, and as `h8i9`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import ascii_lowercase

from arena.game import Game, Move

OFFSETS = re.compile(r"\s*-?[0-9]+(\s*,\s*-?[0-9]+)*\s*")
STONE_TEXT = re.compile(r"([a-z])([1-9][0-9]?)")
WHOLE_LINE = re.compile(rf"\s*({STONE_TEXT.pattern})+\s*")

LineReader = Callable[[Game, str], tuple[Move, ...]]


def read_moves(game: Game, text: str) -> tuple[Move, ...]:
    """Moves with spaces between, each as its game writes it.

    Raises ValueError, like its two siblings, with what is wrong with the line.
    """
    if not text.split():
        raise ValueError("there are no moves")
    return tuple(map(game.parse, text.split()))


def read_offsets(game: Game, text: str) -> tuple[Move, ...]:
    """Distances from the centre, `8,-3, 6,-4`, column before row.

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
    centre = game.size // 2
    low, high = -centre, game.size - 1 - centre
    if any(len(word) > 4 or not low <= int(word) <= high for word in (column, row)):
        raise ValueError(f"{column},{row} is off the board: offsets go from {low} to {high}")
    return _move_to(game, centre + int(column), centre + int(row))


def _move_to(game: Game, column: int, row: int) -> Move:
    return game.parse(f"{row},{column}")


def read_pos(game: Game, text: str) -> tuple[Move, ...]:
    """The column's letter from a, i included, and the row from 1 at the top: `h8i9`."""
    if not WHOLE_LINE.fullmatch(text):
        raise ValueError(f"{text!r} is no opening of letters and numbers: write such as h8i9")
    return tuple(_stone_of(game, *stone.groups()) for stone in STONE_TEXT.finditer(text))


def _stone_of(game: Game, letter: str, number: str) -> Move:
    column, row, last = ascii_lowercase.index(letter), int(number) - 1, game.size - 1
    if max(column, row) > last:
        raise ValueError(
            f"{letter}{number} is off the board: "
            f"columns go from a to {ascii_lowercase[last]}, rows from 1 to {last + 1}"
        )
    return _move_to(game, column, row)


LINE_READERS: Mapping[str, LineReader] = {
    "lines": read_moves,
    "offset": read_offsets,
    "pos": read_pos,
}
