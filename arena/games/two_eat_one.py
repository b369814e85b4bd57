"""Two eat one: on 5 x 5 points, two pieces side by side capture a third beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.game import Game, Move, Outcome, Position

DOCUMENT = "source document 004: a children's game in which two pieces capture one"

SIZE = 5
AREA = SIZE * SIZE
PIECE = (b"\0", b"\1", b"\2")
START = PIECE[1] * SIZE + bytes(AREA - 2 * SIZE) + PIECE[2] * SIZE
NEIGHBOURS = tuple(
    tuple(
        row * SIZE + column
        for row, column in ((y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x))
        if 0 <= row < SIZE and 0 <= column < SIZE
    )
    for y in range(SIZE)
    for x in range(SIZE)
)
"""The points one step from each, in ascending order."""
LINES = tuple(
    (range(cell - cell % SIZE, cell - cell % SIZE + SIZE), range(cell % SIZE, AREA, SIZE))
    for cell in range(AREA)
)
"""The row, then the column, of each point."""
MIRRORED = tuple(cell - cell % SIZE + SIZE - 1 - cell % SIZE for cell in range(AREA))
"""Left for right: turned otherwise, the pieces do not start where they did."""
FEW_PIECES = (None, Outcome(2, "few pieces"), Outcome(1, "few pieces"))
NO_MOVE = (None, Outcome(2, "no move"), Outcome(1, "no move"))
"""The end of the game, by the side that has lost; so `FEW_PIECES`."""


def game() -> Game:
    """Pieces step and capture on 5 x 5 points; fewer than two of them, or no move, lose.

    A position that comes about for the third time, and 200 plies, make a draw.
    """
    return TwoEatOne()


class TwoEatOne:
    name = "two_eat_one"
    size = SIZE
    repetitions: int | None = 3
    longest: int | None = 200
    symmetries = tuple(range(AREA)), MIRRORED

    def start(self) -> Position:
        """The first player's pieces on row 0, the second's on row 4."""
        return Position(START, 1)

    def moves(self, p: Position) -> Sequence[Move]:
        """Every step of one piece to an empty point beside it; none once the game is over."""
        cells, mover = p.cells, p.turn
        if cells.count(mover) < 2:
            return ()
        return [
            cell * AREA + to
            for cell, piece in enumerate(cells)
            if piece == mover
            for to in NEIGHBOURS[cell]
            if not cells[to]
        ]

    def is_legal(self, p: Position, move: Move) -> bool:
        cell, to = divmod(move, AREA)
        return (
            0 <= cell < AREA
            and p.cells[cell] == p.turn
            and to in NEIGHBOURS[cell]
            and not p.cells[to]
        )

    def play(self, p: Position, move: Move) -> Position:
        """The position with the piece moved, and what it captures taken off."""
        cell, to = divmod(move, AREA)
        cells = bytearray(p.cells)
        cells[cell], cells[to] = 0, p.turn
        for line in LINES[to]:
            if (captured := capture(cells, line, p.turn)) is not None:
                cells[captured] = 0
        return Position(bytes(cells), 3 - p.turn, (*p.moves, move))

    def outcome(self, p: Position) -> Outcome | None:
        """A side to move that has fewer than two pieces, or no move, has lost."""
        cells, mover = p.cells, p.turn
        if cells.count(mover) < 2:
            return FEW_PIECES[mover]
        for cell, piece in enumerate(cells):
            if piece == mover and not all(cells[to] for to in NEIGHBOURS[cell]):
                return None
        return NO_MOVE[mover]

    def text(self, move: Move) -> str:
        """The move as `row,column-row,column`, 0-based: from where, and to where."""
        cell, to = divmod(move, AREA)
        return f"{cell // SIZE},{cell % SIZE}-{to // SIZE},{to % SIZE}"

    def parse(self, text: str) -> Move:
        """The mirror of `text`; ValueError for other text or a point off the board."""
        numbers = re.fullmatch(r"\s*(\d+)\s*,\s*(\d+)\s*-\s*(\d+)\s*,\s*(\d+)\s*", text, re.ASCII)
        if not numbers:
            raise ValueError(f"{text!r} is no move: write from-to, such as 0,4-1,4")
        if any(len(digits) > 1 or int(digits) >= SIZE for digits in numbers.groups()):
            raise ValueError(f"{text!r} is off the board: rows and columns go from 0 to {SIZE - 1}")
        row, column, to_row, to_column = map(int, numbers.groups())
        return (row * SIZE + column) * AREA + to_row * SIZE + to_column

    def turned(self, move: Move, symmetry: Sequence[Move]) -> Move:
        cell, to = divmod(move, AREA)
        return symmetry[cell] * AREA + symmetry[to]


def capture(cells: bytearray, line: range, mover: int) -> int | None:
    """The point of the enemy that the piece just moved onto this line captures there.

    Three pieces in all stand on the line, next to each other: two own and, at an end, an enemy.
    """
    pieces = cells[line.start : line.stop : line.step]
    three, own, enemy = pieces.strip(b"\0"), PIECE[mover], PIECE[3 - mover]
    if three == own + own + enemy:
        return line[pieces.index(three) + 2]
    if three == enemy + own + own:
        return line[pieces.index(three)]
    return None
