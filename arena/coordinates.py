"""Points of a board as people read and type them: letters and numbers (h8), or row,column.

Letters name the columns from the left, `i` included, and numbers the rows from the bottom, as in
Renju and in nearly all programs for Gomoku. All that is stored has row,column from the top left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Literal, get_args

Notation = Literal["letters", "numbers"]  # `h8`, or `7,7`: row and column from 0 at the top left
NOTATIONS: tuple[Notation, ...] = get_args(Notation)

WRITTEN_POINT = re.compile("([0-9]+),([0-9]+)")
ANY_CASE = re.ASCII | re.IGNORECASE
TYPED_POINT = re.compile("([a-z])([1-9][0-9]?)", ANY_CASE)
TYPED_MOVE = re.compile(
    rf"\(?\s*{TYPED_POINT.pattern}(\s*(,|;|->|-)?\s*{TYPED_POINT.pattern})*\s*\)?", ANY_CASE
)


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The names of a board's points for a reader."""

    size: int  # Rows, and columns
    notation: Notation = "letters"

    @property
    def columns(self) -> Sequence[str]:
        if self.notation == "letters":
            return ascii_lowercase[: self.size]
        return [str(column) for column in range(self.size)]

    @property
    def rows(self) -> Sequence[str]:
        if self.notation == "letters":
            return [str(self.size - row) for row in range(self.size)]
        return [str(row) for row in range(self.size)]

    def point(self, cell: int) -> str:
        row, column = divmod(cell, self.size)
        if self.notation == "letters":
            return f"{self.columns[column]}{self.rows[row]}"
        return f"{row},{column}"

    def text(self, moves: str) -> str:
        """Moves as games write them, such as `7,7 7,8`, for readers; moves without a point stay."""
        if self.notation == "numbers":
            return moves

        def shown(found: re.Match[str]) -> str:
            row, column = map(int, found.groups())
            is_here = max(row, column) < self.size
            return self.point(row * self.size + column) if is_here else found[0]

        return WRITTEN_POINT.sub(shown, moves)


def written(typed: str, size: int) -> str:
    """A typed move with its points as row,column: `h8` is `7,7` on a board of 15.

    Text in which anything else stands comes back as it is. Raises ValueError if a point is off the
    board.
    """
    if not TYPED_MOVE.fullmatch(typed.strip()):
        return typed
    points = (_row_and_column(found[1], found[2], size) for found in TYPED_POINT.finditer(typed))
    return "-".join(f"{row},{column}" for row, column in points)


def _row_and_column(letter: str, number: str, size: int) -> tuple[int, int]:
    row, column = size - int(number), ascii_lowercase.index(letter.lower())
    if row < 0 or column >= size:
        last = ascii_lowercase[size - 1]
        raise ValueError(
            f"{letter}{number} is off the board: columns go from a to {last}, rows from 1 to {size}"
        )
    return row, column
