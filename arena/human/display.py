"""The display of a game for persons: each move as it comes, and what engines make of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.game import Position
from arena.human.hints import line_text, score_text
from arena.human.moves import example
from arena.human.setup import Setup
from arena.human.take_back import Note
from arena.report.board import diagram, title


class Display:
    """The words that come with each move; holds the position that was shown last."""

    def __init__(self, setup: Setup, notes: Sequence[Note], say: Callable[[str], None]) -> None:
        """`notes` grow as answers come."""
        self._setup = setup
        self._notes = notes
        self._say = say
        self.p = setup.game.start()

    def open(self) -> None:
        """Say who plays, and how to answer."""
        self._say(title(self._setup.game, self.p, self._setup.names))
        self._say(f"Write a move such as {example(self._setup.game, self.p)}; ? shows what else.\n")

    def __call__(self, p: Position) -> None:
        """Show the move that led here."""
        if p.last is not None:
            game, before, self.p = self._setup.game, self.p, p
            self._say(title(game, p, self._setup.names) + captures(game.size, before, p))
            if self._setup.with_scores and 3 - p.turn not in self._setup.persons:
                self._tell_opinion(p)
        self.p = p

    def _tell_opinion(self, p: Position) -> None:
        """Say what the engine that has just moved thinks; an opening's moves nobody has chosen."""
        if self._notes:
            name, choice = self._setup.names[2 - p.turn], self._notes[-1].choice
            self._say(f"   {score_text(name, choice, is_own=False)}")
            self._say(f"   {line_text(self._setup.game, name, choice)}")

    def close(self) -> None:
        """Show the board as the game has left it."""
        self._say(f"{diagram(self._setup.game, self.p)}\n")


def captures(size: int, before: Position, p: Position) -> str:
    """The stones that the last move took off the board, in words; empty if none."""
    if p.ply != before.ply + 1:
        return ""
    gone = [
        f"{cell // size},{cell % size}"
        for cell, stone in enumerate(before.cells)
        if stone == p.turn and p.cells[cell] != stone
    ]
    return f" takes {' and '.join(gone)}" if gone else ""
