"""A person as a player: asked for a move, who may first ask back, or take moves back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from arena.engine import Choice, Limit
from arena.errors import unknown
from arena.game import Game, Position
from arena.human.hints import Adviser, line_text, score_text
from arena.human.moves import example, read_move
from arena.human.take_back import AwayError, Note, TakeBackError
from arena.report.board import STONES, diagram

COMMANDS = {
    "undo": "take back your last move, and what came after it",
    "hint": "ask {adviser} for a move",
    "score": "what the engine's last search made of the game, from your side",
    "line": "the play that it expects, its own move first",
    "board": "show the board again",
    "resign": "lose the game",
    "quit": "leave the game unfinished; nothing is kept of it",
    "help": "show this; so does ?",
}


class QuitError(Exception):
    """The person wants to leave."""


@dataclass(frozen=True, slots=True)
class Talk:
    """How a person is spoken to."""

    ask: Callable[[str], str]
    """A line typed at this prompt; EOFError when there are no more."""
    say: Callable[[str], None]


class Human:
    """Holds a person's part in a game, and counts the help that was taken."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        persons: Collection[int],
        notes: Sequence[Note],
        adviser: Adviser,
        talk: Talk,
    ) -> None:
        """`persons` are the seats, 1 or 2, where no engine sits; `notes` grow as answers come."""
        self._game = game
        self._names = names
        self._persons = persons
        self._notes = notes
        self._adviser = adviser
        self._talk = talk
        self.take_backs = 0
        self.hints = 0

    @property
    def help_taken(self) -> str:
        """For the record: what was not played on the person's own."""
        counts = (self.take_backs, "take-back"), (self.hints, "hint")
        return ", ".join(f"{n} {word}{'s' * (n > 1)}" for n, word in counts if n)

    def new_game(self, seed: int) -> None:
        """A person forgets nothing."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Show the board, and converse until there is a move; a person is never hurried.

        TakeBackError to go back, AwayError if there is nobody (left) to answer.
        """
        try:
            self._board(p)
            choice = None
            while choice is None:
                prompt = f"{STONES[p.turn - 1]} {self._names[p.turn - 1]}> "
                choice = self._answer(p, self._talk.ask(prompt).strip())
            return choice
        except Exception as error:
            # Whatever fails here is no fault of a player.
            raise AwayError(error) from error

    def _answer(self, p: Position, text: str) -> Choice | None:
        """The choice that a line means, or None once it is dealt with otherwise."""
        command = "help" if text == "?" else text.lower()
        if not text:
            return None
        if command in COMMANDS:
            run: Callable[[Position], Choice | None] = getattr(self, f"_{command}")
            return run(p)
        try:
            if text.isalpha():
                raise ValueError(unknown("word", text, COMMANDS))
            return Choice(read_move(self._game, p, text))
        except ValueError as error:
            self._talk.say(str(error))
            return None

    def _undo(self, p: Position) -> None:
        """Back to the last decision that a person made."""
        for note in reversed(range(len(self._notes))):
            if self._notes[note].p.turn in self._persons:
                self.take_backs += 1
                self._talk.say("Taken back.")
                raise TakeBackError(note)
        self._talk.say("There is nothing to take back.")

    def _hint(self, p: Position) -> None:
        self.hints += 1
        self._talk.say(self._adviser.hint(p))

    def _score(self, p: Position) -> None:
        self._talk.say(self._opinion(p, lambda name, choice: score_text(name, choice, False)))

    def _line(self, p: Position) -> None:
        self._talk.say(self._opinion(p, lambda name, choice: line_text(self._game, name, choice)))

    def _opinion(self, p: Position, words: Callable[[str, Choice], str]) -> str:
        """What the opponent's last answer tells."""
        seat = 3 - p.turn
        if seat in self._persons:
            return "No engine is playing; hint asks one."
        told = [note.choice for note in self._notes if note.p.turn == seat]
        name = self._names[seat - 1]
        return words(name, told[-1]) if told else f"{name} has not moved yet."

    def _board(self, p: Position) -> None:
        self._talk.say(f"{diagram(self._game, p)}\n")

    def _resign(self, p: Position) -> Choice:
        return Choice(None)

    def _quit(self, p: Position) -> None:
        raise QuitError

    def _help(self, p: Position) -> None:
        adviser = self._adviser.name or "nobody"
        self._talk.say(
            f"{'a move':<8}such as {example(self._game, p)}: row,column, as on the board's edges"
        )
        for name, about in COMMANDS.items():
            self._talk.say(f"{name:<8}{about.format(adviser=adviser)}")

    def close(self) -> None:
        """A person sees to that."""
