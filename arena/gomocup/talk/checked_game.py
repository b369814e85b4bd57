"""A game with a brain that is checked: the commands that ask for moves, which must be legal."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from random import Random

from arena.engine import Limit
from arena.game import Move, Position
from arena.gomocup.check import (
    SOON,
    Check,
    Finding,
    Subject,
    UnmetError,
    found,
    game_under,
)
from arena.gomocup.positions import quiet_move, random_position
from arena.gomocup.protocol import (
    RULES,
    board,
    coordinates,
    first_infos,
    game_infos,
    own_infos,
)
from arena.gomocup.talk.exchange import Exchange

STONES_AT_FIRST = 4
NEW_PROCESSES = (
    "play after RESTART as after START. A tournament here, and all other checks, start it anew for"
    " each game, but other managers do not"
)
RESERVE = 1.1
"""Times its longest move that a brain is advised to be given."""


class CheckedGame(Exchange):
    """Holds an exchange, and the game as far as it is played."""

    def __init__(self, subject: Subject, rule: str, limit: Limit) -> None:
        super().__init__(subject, limit)
        self.rule = rule
        self.set_size(subject.size)
        self.seconds = 0.0
        """The time of the last answer."""

    def set_size(self, size: int) -> None:
        """Begin with an empty board of this size."""
        self.game = game_under(self.rule, size)
        self.position = self.game.start()
        self._random = Random(size)

    def start(self, size: int | None = None) -> None:
        """Tell it START and hear OK."""
        self.set_size(self.subject.size if size is None else size)
        self.say(f"START {self.game.size}", "OK")
        startup = self.allowance.startup
        cure = f"it may need more time: --startup {math.ceil(2 * startup)}"
        self.answer("OK", "ok", seconds=startup, cure=cure)
        self.process.stage = "after it was started"
        self.is_under_way = False

    def tell(self) -> None:
        """Send the program a tournament's lines after START, and wait until it is ready."""
        self.inform(first_infos(self.conditions) + self._infos())

    def begin(self) -> None:
        """Tell it START and all that comes before a first game."""
        self.start()
        self.tell()

    def begin_anew(self) -> None:
        """Begin a new match: by RESTART, or in a new process if it does not know that."""
        if restart_of(self.subject).grade == "pass":
            self.restart()
        else:
            self.process.end(self.allowance.exit)
            self.launch()
            self.begin()

    def restart(self) -> None:
        """Begin a new match by RESTART; UnmetError if it does not say OK."""
        self.say("RESTART", "OK")
        self.answer("OK, or UNKNOWN", "ok", seconds=self.allowance.brief)
        self.position = self.game.start()
        self.inform(self._infos())
        self.is_under_way = False

    def move(self, command: str, seconds: float | None = None) -> Move:
        """Send a command and hear a legal move, which is played."""
        side = self.game.size
        expected = f"one move on an empty point, x,y of 0 to {side - 1}"
        self.process.stage = "in its move"
        self.say(command, expected, at_once=not self.is_under_way)
        began = time.monotonic()
        patience = self.subject.patience if seconds is None else seconds
        cure = f"it may need more time: --seconds {math.ceil(patience) + 1}"
        line = self.answer(expected, "move", seconds=patience, cure=cure)
        column, row = coordinates(line)
        self.seconds = time.monotonic() - began
        self.is_under_way = True
        self.process.stage = "after its move"
        cell = row * side + column
        if not (0 <= column < side and 0 <= row < side):
            raise self.unmet("answer", expected, f"{column},{row} is off the board")
        if not self.game.is_legal(self.position, cell):
            raise self.unmet("answer", expected, f"{column},{row} is occupied")
        self.position = self.game.play(self.position, cell)
        outcome = self.game.outcome(self.position)
        if outcome and outcome.reason == "forbidden":
            words = f"forbidden in {self.rule}"
            raise self.unmet("forbidden", "a point that is not forbidden", words)
        return cell

    def board(self, position: Position, before: bytes = b"") -> Move:
        """Set up a position by BOARD, in a match of its own, and hear a move in it."""
        if self.is_under_way:
            self.begin_anew()
        return self.board_again(position, before)

    def board_again(self, position: Position, before: bytes = b"") -> Move:
        """Set up a position in the match that is open; a command may come right before it."""
        self.position = position
        return self.move((before + board(position, self.game.size)).decode())

    def turns(self, number: int, before: bytes = b"") -> None:
        """Play `number` of its moves, as long as the game lasts; the replies are harmless.

        A slow move is the last: many of them would take minutes.
        """
        self.seconds = 0.0
        for _ in range(number):
            reply = quiet_move(self.game, self.position, self._random)
            if reply is None:
                return
            self.position = self.game.play(self.position, reply)
            turn = f"TURN {reply % self.game.size},{reply // self.game.size}"
            self.move(before.decode() + turn)
            if self.is_slow:
                return

    @property
    def is_slow(self) -> bool:
        """True if its last move took so long that few of them must do."""
        return self.seconds > SOON

    def each_of(self, positions: Sequence[Position]) -> Iterator[Position]:
        """Each position, as long as there is time for many."""
        end = self._until(self.allowance.many)
        return takewhile(lambda _: time.monotonic() < end, positions)

    def _infos(self) -> bytes:
        told = game_infos(RULES[self.rule], self.conditions.limit, self.conditions.hang)
        return told + own_infos(self.subject.info)


def restart_of(subject: Subject) -> Finding:
    """The finding on RESTART, which is looked for once: it must not come between other checks."""
    if not subject.restart:
        subject.restart.append(
            found(Check("RESTART", "optional", _restarted, may_lack=True), subject)
        )
    return subject.restart[0]


def _restarted(subject: Subject) -> Finding:
    """Play a little, tell it RESTART, and begin anew: by BEGIN, and by BOARD."""
    with begun_game(subject) as talk:
        talk.move("BEGIN")
        talk.turns(1)
        talk.restart()
        try:
            talk.move("BEGIN")
            talk.turns(2)
            if not talk.is_slow:
                talk.restart()
                talk.board(random_position(talk.game, STONES_AT_FIRST, seed=STONES_AT_FIRST))
                talk.turns(2)
        except UnmetError as error:
            return error.finding("fail", NEW_PROCESSES)
        return talk.finding()


def slow_cure(seconds: float) -> str:
    """Advice where a move took so long; on a busy machine, that first."""
    enough = math.ceil(RESERVE * seconds)
    cure = f"heed INFO timeout_turn, or give it more time: --seconds {enough}"
    if (load := os.getloadavg()[0]) > (os.cpu_count() or 1):
        return f"the machine is busy, at a load of {load:.0f}: check it alone. Or {cure}"
    return cure


@contextmanager
def begun_game(
    subject: Subject,
    *,
    turn: float | None = None,
    depth: int | None = None,
    rule: str = "",
) -> Iterator[CheckedGame]:
    """A game with a new process that was told all that comes before a game, and is ready."""
    seconds = subject.allowance.turn if turn is None else turn
    with launched_for(subject, Limit(depth, seconds=seconds), rule) as talk:
        talk.begin()
        yield talk


@contextmanager
def launched_for(
    subject: Subject,
    limit: Limit | None = None,
    rule: str = "",
) -> Iterator[CheckedGame]:
    """A game with a new process, to which nothing was said yet; it is ended in the end."""
    usual = Limit(seconds=subject.allowance.turn)
    talk = CheckedGame(subject, rule or subject.rule, usual if limit is None else limit)
    try:
        yield talk
    finally:
        talk.process.end(subject.allowance.exit)
