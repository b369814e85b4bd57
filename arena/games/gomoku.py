"""Gomoku on a square board of any size: five in a row win, or another number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Literal, cast

from arena.engine import Range
from arena.game import Game, Move, Outcome, Position, symmetries

DOCUMENT = "source documents 000 to 003, whose programs all play five in a row"

Rule = Literal["freestyle", "standard", "renju"]
AnyRule = Literal["freestyle", "standard", "renju", "caro", "caro_exact"]

EXACT: dict[AnyRule, tuple[bool, bool]] = {
    "freestyle": (False, False),
    "standard": (True, True),
    "renju": (True, False),
    "caro": (False, False),
    "caro_exact": (True, True),
}
"""True for the first, and the second, player if only exactly k wins; else more do, too."""
CARO: tuple[AnyRule, ...] = ("caro", "caro_exact")
"""Rules in which exactly k do not win between two stones of the opponent."""
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps along a row, a column and both diagonals: (down, right)."""
DIGITS = bytes.maketrans(b"\0\1\2", b"012")
STONE = (b"\0", b"\1", b"\2")
FULL_BOARD = Outcome(None, "full board")
LINE = (FULL_BOARD, Outcome(1, "line"), Outcome(2, "line"))


def game(
    *,
    size: Annotated[int, Range(5, 25), "rows and columns of the board"] = 15,
    rule: Annotated[
        Literal["freestyle", "standard", "caro", "caro_exact"],
        "freestyle: five or more win; standard: exactly five; caro, caro_exact: the same two, but "
        "no five between two stones of the opponent",
    ] = "freestyle",
) -> Game:
    """Five in a row on a square board; a full board is a draw.

    In caro, the edge of the board blocks no five, and six or more win however they end.
    """
    return Caro(size, rule) if rule in CARO else Gomoku("gomoku", size, 5, rule)


class Gomoku:
    """The rules of k in a row, with the lines through each cell looked up once."""

    repetitions: int | None = None
    longest: int | None = None
    """No limit: stones stay where they are, and a full board ends every game."""

    def __init__(self, name: str, size: int, k: int, rule: AnyRule) -> None:
        self.name = name
        self.size = size
        self.k = k
        # Engines read it, and no other rule comes to those that know just these three.
        self.rule = cast(Rule, rule)
        self._area = size * size
        self.symmetries = symmetries(size)
        exact = EXACT[rule]
        # Within this reach, any run that wins or is too long contains the last move.
        self._lines = _lines_through(size, k if any(exact) else k - 1)
        self._made = tuple(stone * k for stone in STONE)
        self._overlong = (
            None,
            *(STONE[player] * (k + 1) if exact[player - 1] else None for player in (1, 2)),
        )

    def start(self) -> Position:
        return Position(bytes(self._area), 1)

    def moves(self, p: Position) -> Sequence[Move]:
        if self.outcome(p):
            return ()
        return [cell for cell, stone in enumerate(p.cells) if not stone]

    def is_legal(self, p: Position, move: Move) -> bool:
        return 0 <= move < self._area and not p.cells[move]

    def play(self, p: Position, move: Move) -> Position:
        cells = p.cells
        stone = STONE[p.turn]
        return Position(cells[:move] + stone + cells[move + 1 :], 3 - p.turn, (*p.moves, move))

    def outcome(self, p: Position) -> Outcome | None:
        """A line through the last stone, or a full board."""
        if not p.moves:
            return None
        cells, mover = p.cells, 3 - p.turn
        made, overlong = self._made[mover], self._overlong[mover]
        for line in self._lines[p.moves[-1]]:
            stones = cells[line]
            if made in stones and not (overlong and overlong in stones):
                return LINE[mover]
        return None if 0 in cells else FULL_BOARD

    def text(self, move: Move) -> str:
        """The move as `row,column`, 0-based."""
        return f"{move // self.size},{move % self.size}"

    def parse(self, text: str) -> Move:
        """The mirror of `text`; ValueError for other text or a cell off the board."""
        numbers = re.fullmatch(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*", text)
        if not numbers:
            middle = self.text(self._area // 2)
            raise ValueError(f"{text!r} is no move: write it as {middle}")
        row, column = map(int, numbers.groups())
        if max(row, column) >= self.size:
            raise ValueError(
                f"{text!r} is off the board: rows and columns go from 0 to {self.size - 1}"
            )
        return row * self.size + column

    def turned(self, move: Move, symmetry: Sequence[Move]) -> Move:
        return symmetry[move]

    def is_quiet(self, p: Position) -> bool:
        """True if neither side has k, k - 1 that one move completes, or a live k - 2.

        A live k - 2 is in a window of k - 1 cells whose outer neighbours are both empty.
        """
        return not self._has(loud_pattern(self.k, self.rule, "12"), p)

    def is_forced(self, p: Position) -> bool:
        """True if the mover can complete k or make an open k - 1, or must stop the other's k.

        With a live k - 2 of the other side only, it can still choose.
        """
        return self._has(loud_pattern(self.k, self.rule, str(p.turn)), p)

    def _has(self, pattern: re.Pattern[str], p: Position) -> bool:
        """True if a line holds the pattern, which takes k - 2 stones at least."""
        board, fewest = p.cells.translate(DIGITS).decode(), self.k - 2
        texts = (board[line] for line in full_lines(self.size))
        # Nearly all lines have too few stones, which is quicker to see.
        return any(pattern.search(text) for text in texts if len(text) - text.count("0") >= fewest)


class Caro(Gomoku):
    """The rules by which five do not win between two stones of the opponent."""

    def __init__(self, size: int, rule: AnyRule) -> None:
        super().__init__("gomoku", size, 5, rule)
        # Within this reach is the cell beyond either end of a five that has the last move.
        self._lines = _lines_through(size, self.k)
        self._counts = (None, *(_winning_line(self.k, rule, player) for player in (1, 2)))

    def outcome(self, p: Position) -> Outcome | None:
        """A line through the last stone that counts, or a full board."""
        if not p.moves:
            return None
        cells, mover = p.cells, 3 - p.turn
        made, counts = self._made[mover], self._counts[mover]
        for line in self._lines[p.moves[-1]]:
            stones = cells[line]
            if made in stones and counts and counts.search(stones):
                return LINE[mover]
        return None if 0 in cells else FULL_BOARD


@lru_cache
def _lines_through(size: int, reach: int) -> tuple[tuple[slice, ...], ...]:
    """Slices of the board: for each cell, the four lines through it, up to reach cells away."""
    return tuple(
        tuple(_line_slice(size, row, column, down, right, reach) for down, right in DIRECTIONS)
        for row in range(size)
        for column in range(size)
    )


def _line_slice(size: int, row: int, column: int, down: int, right: int, reach: int) -> slice:
    """The cells at most reach steps from (row, column) in one direction, both ways."""

    def room(down: int, right: int) -> int:
        """The steps that stay on the board, up to reach."""
        rows = row if down < 0 else size - 1 - row
        columns = column if right < 0 else size - 1 - column
        return min(reach, rows if down else reach, columns if right else reach)

    cell, step = row * size + column, down * size + right
    return slice(cell - room(-down, -right) * step, cell + room(down, right) * step + 1, step)


@lru_cache
def full_lines(size: int) -> tuple[slice, ...]:
    return tuple(
        _line_slice(size, row, column, down, right, reach=size)
        for down, right in DIRECTIONS
        for row in range(size)
        for column in range(size)
        if not (0 <= row - down < size and 0 <= column - right < size)
    )


@lru_cache
def loud_pattern(k: int, rule: AnyRule, live: str) -> re.Pattern[str]:
    """A pattern of lines that hold k or an open k - 1, or a live k - 2 of the sides in `live`."""
    patterns = []
    for own, other, exact in zip("12", "21", EXACT[rule], strict=True):
        fours = [own * i + "0" + own * (k - 1 - i) for i in range(k)]
        threes = [own * i + "0" + own * (k - 2 - i) for i in range(k - 1)]
        for body in (own * k, *fours):
            patterns += _fenced(body, own, other if rule in CARO else "", exact)
        # A live three has an empty cell at either end of the five that it becomes.
        for three in threes if own in live else ():
            patterns += _fenced(f"0{three}0", own, "", exact)
    return re.compile("|".join(patterns))


@lru_cache
def _winning_line(k: int, rule: AnyRule, player: int) -> re.Pattern[bytes]:
    """A pattern of the lines, as cells, that a player wins with."""
    own, other = chr(player), chr(3 - player)
    patterns = _fenced(own * k, own, other, EXACT[rule][player - 1])
    return re.compile("|".join(patterns).encode())


def _fenced(body: str, own: str, blocking: str, exact: bool) -> list[str]:
    """Patterns of a body where it makes a line that counts.

    Stones that are `blocking` may be beyond one end of it only; where just k counts (`exact`), own
    ones beyond neither.
    """
    one = own if exact else ""
    both = one + blocking
    ends = dict.fromkeys(((both, one), (one, both)))
    return [f"{_no_before(first)}{body}{_no_behind(last)}" for first, last in ends]


def _no_before(barred: str) -> str:
    """A pattern of a place that none of these cells precede."""
    return f"(?<![{barred}])" if barred else ""


def _no_behind(barred: str) -> str:
    """A pattern of a place that none of these cells follow."""
    return f"(?![{barred}])" if barred else ""
