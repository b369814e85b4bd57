"""The contract of a game: positions, outcomes, the rules that a referee asks for, symmetries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol, get_args, runtime_checkable

Move = int  # A cell, counted row by row; where pieces move, from * area + to

Reason = Literal[
    "line",
    "forbidden",
    "few pieces",
    "no move",
    "full board",
    "repetition",
    "ply cap",
    "won by proof",
    "won by scores",
    "drawn by scores",
    "few cells left",
    "agreement",
    "resignation",
    "illegal move",
    "time",
    "hang",
    "exception",
    "crash",
    "memory",
]
REASONS: tuple[Reason, ...] = get_args(Reason)
FAULTS: tuple[Reason, ...] = ("illegal move", "time", "hang", "exception", "crash", "memory")
"""Reasons of ends that are a player's own fault, and tell nothing of how well it plays."""


@dataclass(frozen=True, slots=True)
class Position:
    """A board, the side to move, and the moves that led there."""

    cells: bytes  # Cells row by row: 0 empty, 1 first player, 2 second player
    turn: int  # The side to move: 1 or 2
    moves: tuple[Move, ...] = ()  # The whole game so far, openings included

    @property
    def last(self) -> Move | None:
        return self.moves[-1] if self.moves else None

    @property
    def ply(self) -> int:
        return len(self.moves)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the winner (1, 2, or None for a draw) and the reason."""

    winner: int | None
    reason: Reason
    line: tuple[Move, ...] = ()
    """The moves by which the winner would have won, where a proof has ended the game."""


@runtime_checkable
class Game(Protocol):
    """Rules without state: `play_game` counts what depends on a game's history."""

    @property
    def name(self) -> str:
        """The name that users type, and by which engines say what they play."""

    @property
    def size(self) -> int:
        """Rows, and columns, of the board."""

    @property
    def repetitions(self) -> int | None:
        """Times that a position (pieces and turn) comes about to make a draw; None: no limit."""

    @property
    def longest(self) -> int | None:
        """The plies after which the game is a draw; None where the rules alone end every game."""

    def start(self) -> Position:
        """The position before the first move."""

    def moves(self, p: Position) -> Sequence[Move]:
        """Every legal move, in ascending order; none once the game is over."""

    def is_legal(self, p: Position, move: Move) -> bool:
        """True if the side to move may play this, in a game that goes on; quicker than `moves`."""

    def play(self, p: Position, move: Move) -> Position:
        """The position after a legal move."""

    def outcome(self, p: Position) -> Outcome | None:
        """The end that the last move made, or None while the game goes on."""

    def text(self, move: Move) -> str:
        """A move as it is stored: `row,column`, 0-based. People see `arena/coordinates.py`."""

    def parse(self, text: str) -> Move:
        """The mirror of `text`; ValueError says what is wrong."""


@runtime_checkable
class Forbids(Protocol):
    """A game in which moves can be legal and yet lose at once."""

    def forbidden(self, p: Position, move: Move) -> str | None:
        """The rule that forbids this to the side to move, such as `overline`; None if none does."""


@runtime_checkable
class Symmetric(Protocol):
    """A game with symmetries: games that become equal when the board is turned or mirrored.

    Its start and its rules must stay the same in all of its symmetries, and what led to a position
    must not matter to what can be played from there: only to draws by repetition and by length, and
    games that these end at another time have another number of moves.
    """

    @property
    def symmetries(self) -> Sequence[Sequence[Move]]:
        """Each way to turn or mirror the board, as the cell to which each cell goes.

        The identity is among them, and so is the inverse of each.
        """

    def turned(self, move: Move, symmetry: Sequence[Move]) -> Move:
        """The move as it is once the board is turned this way."""


@lru_cache
def symmetries(size: int) -> tuple[tuple[Move, ...], ...]:
    """The eight ways to turn and mirror a square board, each as the cells in their new order."""
    rows = [list(range(row * size, (row + 1) * size)) for row in range(size)]
    orders = []
    for _ in range(4):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
        orders += [rows, [row[::-1] for row in rows]]
    return tuple(tuple(cell for row in order for cell in row) for order in orders)
