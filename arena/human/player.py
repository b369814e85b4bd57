"""A person as a player: asked for a move, and free to ask back, or to take moves back, first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.engine import Choice, Limit
from arena.errors import unknown
from arena.game import Position
from arena.human.hints import Advises, line_text, score_text
from arena.human.moves import example, read_move
from arena.human.setup import Setup
from arena.human.take_back import AwayError, Help, Note, TakeBackError, last_decision
from arena.human.terminal import Talk
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


class Human:
    """A person as an engine."""

    def __init__(
        self, setup: Setup, notes: Sequence[Note], adviser: Advises, talk: Talk, taken: Help
    ) -> None:
        """`notes` grow as answers come, and so does the help that is `taken`."""
        self._setup = setup
        self._notes = notes
        self._adviser = adviser
        self._talk = talk
        self._taken = taken

    def new_game(self, seed: int) -> None:
        """Do nothing: a person forgets nothing."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Show the board, and converse until there is a move; a person is never hurried.

        TakeBackError to go back, AwayError if there is nobody (left) to answer.
        """
        try:
            self._board(p)
            choice = None
            while choice is None:
                prompt = f"{STONES[p.turn - 1]} {self._setup.names[p.turn - 1]}> "
                choice = self._answer(p, self._talk.ask(prompt).strip())
            return choice
        except Exception as error:
            # Whatever fails here is no fault of a player.
            raise AwayError from error

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
            return Choice(read_move(self._setup.game, p, text))
        except ValueError as error:
            self._talk.say(str(error))
            return None

    def _undo(self, p: Position) -> None:
        """Go back to the last decision that a person made."""
        note = last_decision(self._notes, self._setup.persons)
        if note is None:
            self._talk.say("There is nothing to take back.")
            return
        self._taken.take_backs += 1
        self._talk.say("Taken back.")
        raise TakeBackError(note)

    def _hint(self, p: Position) -> None:
        self._taken.hints += 1
        self._talk.say(self._adviser.hint(p))

    def _score(self, p: Position) -> None:
        self._talk.say(self._opinion(p, lambda name, choice: score_text(name, choice, False)))

    def _line(self, p: Position) -> None:
        self._talk.say(
            self._opinion(p, lambda name, choice: line_text(self._setup.game, name, choice))
        )

    def _opinion(self, p: Position, words: Callable[[str, Choice], str]) -> str:
        """The opponent's last answer, in these words."""
        seat = 3 - p.turn
        if seat in self._setup.persons:
            return "No engine is playing; hint asks one."
        told = [note.choice for note in self._notes if note.p.turn == seat]
        name = self._setup.names[seat - 1]
        return words(name, told[-1]) if told else f"{name} has not moved yet."

    def _board(self, p: Position) -> None:
        self._talk.say(f"{diagram(self._setup.game, p)}\n")

    def _resign(self, p: Position) -> Choice:
        return Choice(None)

    def _quit(self, p: Position) -> None:
        raise QuitError

    def _help(self, p: Position) -> None:
        adviser, move = self._adviser.name or "nobody", example(self._setup.game, p)
        self._talk.say(f"{'a move':<8}such as {move}: row,column, as on the board's edges")
        for name, about in COMMANDS.items():
            self._talk.say(f"{name:<8}{about.format(adviser=adviser)}")

    def close(self) -> None:
        """Do nothing: nothing is held."""
