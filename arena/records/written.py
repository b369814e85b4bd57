"""A game of stones as a file of any format has it, and openings in a line of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Literal

from arena.engine import Remark
from arena.game import Game, Move

Point = tuple[int, int]  # Row and column from the top left, both 0-based
Result = Literal["first", "second", "draw", "unknown"]  # The winner, if the file tells
RESULTS: Mapping[int | None, Result] = {1: "first", 2: "second", None: "draw"}
"""Results by the winner's seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenGame:
    """A game of stones that two players put down in turn, Black first."""

    line: int = 0  # Line of the file where it begins; 0: of no file
    size: int  # Rows and columns of the board
    moves: tuple[Point, ...]  # The opening included
    opening: int | None = None
    """Number of moves that are the opening; None where the file does not tell."""
    first: str = ""
    """Name of Black, as of White below; empty where the file does not tell, as are all texts."""
    second: str = ""
    rule: str = ""  # The rule's name, or its code in the Gomocup protocol
    result: Result = "unknown"
    unread_result: str = ""  # The words of a result that is not understood
    other_game: str = ""
    """The code of another game that the file says it is of, though it may be of Gomoku."""
    reason: str = ""  # The reason of the end: one of ours where the file tells that much
    detail: str = ""  # For people: more about the end
    comment: str = ""  # For people: how the players made the opening, if they did; only written
    remarks: tuple[Remark | None, ...] = ()
    """One for each move, None where the file tells nothing of it; empty if it tells of none."""
    event: str = ""
    round: str = ""
    date: str = ""  # Dates as `YYYY-MM-DD`, with commas between
    guessed: str = ""  # The encoding that was taken for its texts, if the file does not tell it
    misdeclared: str = ""  # The encoding that the file tells, if its texts are not in that one


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


def _read_offsets(game: Game, text: str) -> tuple[Move, ...]:
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


def _read_pos(game: Game, text: str) -> tuple[Move, ...]:
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
    "offset": _read_offsets,
    "pos": _read_pos,
}
