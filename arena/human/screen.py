"""What persons are told of a game: each move as it comes, and what engines make of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from arena.game import Game, Position
from arena.human.hints import line_text, score_text
from arena.human.moves import example
from arena.human.take_back import Note
from arena.report.board import STONES, diagram, title


class Screen:
    """Holds the position that was shown last."""

    def __init__(
        self,
        game: Game,
        names: tuple[str, str],
        persons: Collection[int],
        say: Callable[[str], None],
        notes: Sequence[Note],
        with_scores: bool,
    ) -> None:
        """`with_scores`: with the score and line of each note that an engine's move brought."""
        self._game = game
        self._names = names
        self._persons = persons
        self._say = say
        self._notes = notes
        self._with_scores = with_scores
        self.p = game.start()

    def open(self) -> None:
        """Say who plays, and how to answer."""
        self._say(f"{STONES[0]} {self._names[0]}  {STONES[1]} {self._names[1]}")
        self._say(f"Write a move such as {example(self._game, self.p)}; ? shows what else.\n")

    def __call__(self, p: Position) -> None:
        """Show the move that led here."""
        if p.last is not None:
            before, self.p = self.p, p
            self._say(title(self._game, p, self._names) + captures(self._game.size, before, p))
            if self._with_scores and 3 - p.turn not in self._persons:
                self._tell_opinion(p)
        self.p = p

    def _tell_opinion(self, p: Position) -> None:
        """What the engine said that has just moved; an opening's moves have nobody's word."""
        if self._notes:
            name, choice = self._names[2 - p.turn], self._notes[-1].choice
            self._say(f"   {score_text(name, choice, is_own=False)}")
            self._say(f"   {line_text(self._game, name, choice)}")

    def close(self) -> None:
        """Show the board as the game has left it."""
        self._say(f"{diagram(self._game, self.p)}\n")


def captures(size: int, before: Position, p: Position) -> str:
    """What the last move took off the board, if anything."""
    if p.ply != before.ply + 1:
        return ""
    gone = [
        f"{cell // size},{cell % size}"
        for cell, stone in enumerate(before.cells)
        if stone == p.turn and p.cells[cell] != stone
    ]
    return f" takes {' and '.join(gone)}" if gone else ""
