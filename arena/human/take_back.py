"""A seat in a game that may go back: its player, notes of the answers, and the help taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from arena.engine import Choice, Engine, Limit
from arena.game import Game, Position
from arena.match.play import move_text
from arena.match.remarks import columns, remark


class TakeBackError(BaseException):
    """A person takes moves back: the game is to go on where this note was written.

    No `Exception`, like the next one: the referee takes those for a player's fault.
    """

    def __init__(self, note: int) -> None:
        super().__init__(note)
        self.note = note


class AwayError(BaseException):
    """A person can be asked no more, because of the error that is its cause."""


@dataclass(frozen=True, slots=True)
class Note:
    """One answer: the position, the limit, the choice, and the seconds that it took."""

    p: Position
    limit: Limit
    choice: Choice
    seconds: float


@dataclass(slots=True)
class Help:
    """A count of the help that persons have taken in a game."""

    take_backs: int = 0
    hints: int = 0

    @property
    def words(self) -> str:
        """The take-backs and hints, for the record."""
        counts = (self.take_backs, "take-back"), (self.hints, "hint")
        return ", ".join(f"{n} {word}{'s' * (n > 1)}" for n, word in counts if n)


def last_decision(notes: Sequence[Note], persons: Sequence[int]) -> int | None:
    """The note of the last answer that a person gave; None if there is none to take back."""
    for note in reversed(range(len(notes))):
        if notes[note].p.turn in persons:
            return note
    return None


class Seat:
    """A player whose answers are written down."""

    def __init__(self, player: Engine, notes: list[Note]) -> None:
        self._player = player
        self._notes = notes

    def new_game(self, seed: int) -> None:
        """Start the player's game."""
        self._player.new_game(seed)

    def choose(self, p: Position, limit: Limit) -> Choice:
        """The player's choice."""
        began = perf_counter()
        choice = self._player.choose(p, limit)
        self._notes.append(Note(p, limit, choice, perf_counter() - began))
        return choice

    def close(self) -> None:
        """Close the player."""
        self._player.close()


def thoughts(game: Game, notes: Sequence[Note]) -> dict[str, str]:
    """The notes as a record keeps them; of answers that the referee has accepted."""
    text = partial(move_text, game)
    return columns([remark(note.p.turn, note.choice, note.seconds, text) for note in notes])
