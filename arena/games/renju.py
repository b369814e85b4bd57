"""Renju: five in a row, with points that are forbidden to Black."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from arena.game import Game, Move, Outcome, Position
from arena.games.gomoku import Gomoku

DOCUMENT = "source documents 001 and 003, whose programs know points forbidden to Black"

Foul = Literal["overline", "double-four", "double-three"]
FiveOrFoul = Literal["five", "overline", "double-four", "double-three"]

DEFAULT_SIZE = 15
EMPTY, BLACK, WHITE = b"\0", b"\1", b"\2"
REACH = 5  # Cells each way that decide what a stone makes in a line: a five, and the cell beyond it
FORBIDDEN = Outcome(2, "forbidden")


def game() -> Game:
    """On 15 x 15, Black (the first player) wins with exactly five, White with five or more.

    A black move that makes no five is forbidden, and loses, if it makes six or more in a row
    (overline), two fours or more (double-four), or two threes or more (double-three).
    """
    return Renju()


class Renju(Gomoku):
    def __init__(self, size: int = DEFAULT_SIZE) -> None:
        super().__init__("renju", size, 5, "renju")
        stride = size + REACH
        self._steps = (1, stride, stride + 1, stride - 1)

    def outcome(self, p: Position) -> Outcome | None:
        """A line through the last stone, a forbidden last stone, or a full board."""
        ended = super().outcome(p)
        if p.turn == 1 or not p.moves or (ended and ended.winner):
            return ended
        return FORBIDDEN if self._five_or_foul(p.cells, p.moves[-1]) else ended

    def forbidden(self, p: Position, move: Move) -> Foul | None:
        """The foul that the move is; None where it is none, and where it is not Black's to play."""
        if p.turn == 2 or not self.is_legal(p, move):
            return None
        made = self._five_or_foul(p.cells, move)
        return None if made == "five" else made

    def _five_or_foul(self, cells: bytes, move: Move) -> FiveOrFoul | None:
        """The five or the foul that a black stone there makes."""
        row, column = divmod(move, self.size)
        cell = (row + REACH) * self._steps[1] + column + REACH
        return five_or_foul(walled(cells, self.size), cell, self._steps)


def walled(cells: bytes, size: int) -> bytes:
    """The board among white stones, rows `size + REACH` apart: lines end as at a white stone."""
    between = WHITE * REACH
    above = WHITE * (REACH * (size + REACH) + REACH)
    rows = (cells[first : first + size] for first in range(0, size * size, size))
    return above + between.join(rows) + above


def five_or_foul(board: bytes, cell: int, steps: tuple[int, ...]) -> FiveOrFoul | None:
    """The five or the foul made by a black stone on a cell of a walled board; None for neither."""
    lines = {
        step: made
        for step in steps
        if (made := line_made(board[cell - REACH * step : cell + REACH * step + 1 : step]))
    }
    if any(made.run == 5 for made in lines.values()):
        return "five"
    if any(made.run > 5 for made in lines.values()):
        return "overline"
    if sum(made.fours for made in lines.values()) > 1:
        return "double-four"
    threes = {step: made.straight for step, made in lines.items() if made.straight}
    if len(threes) > 1:
        grown = board[:cell] + BLACK + board[cell + 1 :]
        real = [
            step
            for step, distances in threes.items()
            if any(not five_or_foul(grown, cell + distance * step, steps) for distance in distances)
        ]
        if len(real) > 1:
            return "double-three"
    return None


@dataclass(frozen=True, slots=True)
class Made:
    """The rows that a black stone makes in one line."""

    run: int  # The stones in a row, this one among them
    fours: int  # The sets of four, this one among them, that one more stone makes exactly five
    straight: tuple[int, ...]
    """The distances at which one more stone makes a straight four with this one."""


@cache
def line_made(line: bytes) -> Made | None:
    """The rows made by a black stone in the middle of eleven cells; None if none is of account."""
    line = line[:REACH] + BLACK + line[REACH + 1 :]
    if line.count(BLACK) < 3:
        return None
    grown = {cell: _run_through(line, cell) for cell, stone in enumerate(line) if not stone}
    fours = {
        frozenset(run) - {cell} for cell, run in grown.items() if len(run) == 5 and REACH in run
    }
    straight = tuple(
        cell - REACH
        for cell, run in grown.items()
        if REACH in run and _is_straight_four(line, cell, run)
    )
    made = Made(len(_run_through(line, REACH)), len(fours), straight)
    return made if made.run > 4 or made.fours or made.straight else None


def _run_through(line: bytes, cell: int) -> range:
    """The black stones in a row that one on the cell stands among."""
    before, after = line[:cell], line[cell + 1 :]
    first = len(before.rstrip(BLACK))
    return range(first, len(line) - len(after.lstrip(BLACK)))


def _is_straight_four(line: bytes, cell: int, run: range) -> bool:
    """True if a stone on the cell makes this run a four that either end makes exactly five."""
    if len(run) != 4 or line[run.start - 1] or line[run.stop]:
        return False
    grown = line[:cell] + BLACK + line[cell + 1 :]
    return all(len(_run_through(grown, end)) == 5 for end in (run.start - 1, run.stop))
