"""A game of stones as a file of any format has it: nothing is judged, and little is known.

Each file in `formats/` has `read(stream, name)`, which yields games as they come, and a `Fault`
with file and line in place of one that cannot be read; `text(game)`, the mirror of it; and
BEGINNING, the first byte of such a file that is no blank.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from arena.engine import Remark

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
