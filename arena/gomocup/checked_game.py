"""A game with a brain that is checked: the commands that ask for moves, which must be legal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from arena.game import Move, Position
from arena.gomocup.check import Subject, game_under
from arena.gomocup.exchange import Exchange
from arena.gomocup.positions import quiet_move
from arena.gomocup.protocol import (
    GOMOCUP_MEMORY,
    RULES,
    UNLIMITED,
    board,
    coordinates,
    kind_of_line,
    milliseconds,
)

USUAL_SIZE = 15
ABOUT_WAIT = 2.0


class CheckedGame(Exchange):
    """Holds an exchange, and the game as far as it is played."""

    def __init__(self, subject: Subject, rule: str, megabytes: int) -> None:
        super().__init__(subject, megabytes)
        self.rule = rule
        self.set_size(USUAL_SIZE)
        self.is_told = False
        """True once it was told the INFO of a game."""
        self.seconds = 0.0
        """The time of the last answer."""

    def set_size(self, size: int) -> None:
        """Begin with an empty board of this size."""
        self.game = game_under(self.rule, size)
        self.position = self.game.start()
        self._random = Random(size)

    def start(self, size: int = USUAL_SIZE) -> None:
        """Tell it START and hear OK."""
        self.set_size(size)
        self.say(f"START {size}", "OK")
        self.answer("OK", "ok", seconds=self.allowance.startup)
        self.process.stage = "after it was started"

    def tell(self, turn: float, match: float = 0, left: float | None = None) -> None:
        """Tell it the INFO that a manager sends before a game."""
        lines = [
            f"INFO max_memory {GOMOCUP_MEMORY * 2**20}",
            "INFO game_type 1",
            f"INFO rule {RULES[self.rule]}",
            f"INFO timeout_turn {milliseconds(turn)}",
            f"INFO timeout_match {milliseconds(match)}",
            f"INFO time_left {UNLIMITED if left is None else milliseconds(left)}",
        ]
        self.say("\n".join(lines))
        self.is_told = True

    def wait_for_about(self) -> None:
        """Wait until it has done all that it was told, as its answer to ABOUT shows."""
        self.say("ABOUT")
        self.process.abouts += 1
        deadline = time.monotonic() + ABOUT_WAIT
        while (line := self.next_line(deadline, "that it goes on")) is not None:
            if kind_of_line(line) in ("text", "refusal"):
                self.process.abouts -= 1
                return

    def move(self, command: str, seconds: float | None = None) -> Move:
        """Send a command and hear a legal move, which is played."""
        side = self.game.size
        expected = f"one move on an empty point, x,y of 0 to {side - 1}"
        self.process.stage = "in its move"
        self.say(command, expected)
        began = time.monotonic()
        column, row = coordinates(self.answer(expected, "move", seconds=seconds))
        self.seconds = time.monotonic() - began
        self.process.stage = "after its move"
        cell = row * side + column
        if not (0 <= column < side and 0 <= row < side and self.game.is_legal(self.position, cell)):
            raise self.unmet("answer", expected)
        self.position = self.game.play(self.position, cell)
        outcome = self.game.outcome(self.position)
        if outcome and outcome.reason == "forbidden":
            words = f"forbidden in {self.rule}"
            raise self.unmet("forbidden", "a point that is not forbidden", words)
        return cell

    def board(self, position: Position, before: str = "") -> Move:
        """Set up a position by BOARD, with words before it, and hear a move in it."""
        self.position = position
        return self.move(before + board(position, self.game.size).decode())

    def turns(self, number: int) -> None:
        """Play so many of its moves, as long as the game lasts; the replies are harmless."""
        for _ in range(number):
            reply = quiet_move(self.game, self.position, self._random)
            if reply is None:
                return
            self.position = self.game.play(self.position, reply)
            self.move(f"TURN {reply % self.game.size},{reply // self.game.size}")


@contextmanager
def begun_game(
    subject: Subject, *, turn: float | None = None, rule: str = "", megabytes: int | None = None
) -> Iterator[CheckedGame]:
    """A game with a new process that has answered START and was told the INFO of a game."""
    with launched_for(subject, rule, megabytes) as talk:
        talk.start()
        talk.tell(subject.allowance.turn if turn is None else turn)
        yield talk


@contextmanager
def launched_for(
    subject: Subject, rule: str = "", megabytes: int | None = None
) -> Iterator[CheckedGame]:
    """A game with a new process, to which nothing was said yet; it is ended in the end."""
    most = subject.allowance.memory if megabytes is None else megabytes
    talk = CheckedGame(subject, rule or subject.rule, most)
    try:
        yield talk
    finally:
        if talk.process.is_open:
            talk.process.end(subject.allowance.exit)
