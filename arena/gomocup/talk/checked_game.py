"""A game with a brain that is checked: what is sent, what must come back, and what did."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import takewhile
from random import Random

from arena.engine import Conditions, Limit, ProgramError
from arena.game import Move, Position
from arena.gomocup.check import (
    SOON,
    Check,
    Finding,
    Lack,
    Subject,
    UnmetError,
    found,
    game_under,
    quiet_move,
    random_position,
)
from arena.gomocup.process import BrainProcess
from arena.gomocup.protocol import (
    RULES,
    Kind,
    board,
    coordinates,
    first_infos,
    game_infos,
    has_words_behind,
    kind_of_line,
    memory_of,
    own_infos,
)
from arena.gomocup.talk import listening
from arena.gomocup.talk.listening import Wait
from arena.gomocup.transcript import LONGEST_TOLD, Entry, Transcript, folded, said, shown

MOST_OF_AN_ANSWER = 200  # lines by the brain since a command that are kept for the talk
SHORT_SLEEP = 0.01


class _Exchange:
    """Holds a brain's process, and what was said since its START."""

    def __init__(self, subject: Subject, limit: Limit) -> None:
        self.subject = subject
        self.conditions = Conditions(limit=limit, memory=subject.memory)
        """The conditions of a tournament, from which all that it is told follows."""
        self.allowance = subject.allowance
        self.settle = self.allowance.settle
        self.remarks = dict[str, str]()  # on legal and odd answers, by the answer that was expected
        self.is_under_way = False  # it has moved since START or RESTART: a match is open
        self.passed_over = list[bytes]()  # lines that were no answer, moves with words behind them
        self.launch()

    def launch(self) -> None:
        subject, memory = self.subject, memory_of(self.conditions)
        self.process = BrainProcess(subject.command, subject.folder, memory, subject.newline)
        self.process.transcript = Transcript(MOST_OF_AN_ANSWER)
        self.sent = ""
        self._past = list[Entry]()
        self._written = b""
        self._fault: ProgramError | None = None  # the words on its end, once that is known

    def unmet(self, lack: Lack, expected: str, words: str = "", cure: str = "") -> UnmetError:
        """The error that this was expected, and something else was said."""
        if lack == "silence" and self.process.transcript.has_error:
            words, cure = self.process.transcript.with_cause(words), ""
        finding = self._told(said(self.process.transcript, words), expected)
        return UnmetError(lack, replace(finding, cure=cure))

    def finding(self, expected: str = "", words: str = "") -> Finding:
        """A pass; a note, if this was expected instead, or there are remarks."""
        if expected:
            return self._told(said(self.process.transcript, words), expected)
        if self.remarks:
            return self._told("\n".join(self.remarks.values()), "\n".join(self.remarks))
        return Finding()

    def plain_finding(self, expected: str) -> Finding:
        """A finding; a note, too, if there were lines that are no answer, or several answers."""
        left = [line for line in self.process.lines if kind_of_line(line) in ("ok", "text")]
        if odd := [*self.passed_over, *left]:
            lines = dict.fromkeys(shown(line, LONGEST_TOLD) for line in odd)
            self.remarks[expected] = "\n".join(lines)
        return self.finding()

    def say(
        self, command: str | bytes, expected: str = "that it goes on", *, at_once: bool = False
    ) -> None:
        """Send a command, or several lines, once it listens; earlier answers are forgotten."""
        if not at_once:
            self._wait_until_it_listens(expected)
            moves = [line for line in self.process.lines if kind_of_line(line) == "move"]
            if self.is_under_way and moves:
                words = f"moved before it was asked: {shown(moves[0], LONGEST_TOLD)}"
                raise self.unmet("answer", "no move before it is asked", words)
        lines = self._next(command)
        self._past.append(Entry(">", lines))
        self._written = lines.replace(b"\n", self.process.newline)
        with self._talk(expected):
            self.process.push(self._written, self._until(self.allowance.answer))

    def inform(self, infos: bytes) -> None:
        """Send INFO lines as a tournament does, and wait until it has done all that it was told."""
        with self._talk("that it goes on"):
            listening.tell(self.process, self._next(infos), self._until(self.allowance.startup))

    def end_input(self) -> None:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, self.process.input)
        os.close(nothing)
        self._past.append(Entry(">", self._next("(end of input)")))

    def listen(self, seconds: float, expected: str) -> None:
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self._hear(left, expected)

    def unasked(self, seconds: float, expected: str) -> set[Kind]:
        """The kinds of the lines that it says in this time, MESSAGE and DEBUG left out."""
        self.listen(seconds, expected)
        kinds = {kind_of_line(line) for line in self.process.lines}
        self.process.lines.clear()
        return kinds - {"words"}

    def answer(
        self, expected: str, *kinds: Kind, seconds: float | None = None, cure: str = ""
    ) -> bytes:
        """The next line of these kinds; UnmetError if a move comes first, or none."""
        patience = self.allowance.answer if seconds is None else seconds
        end, wanted = self._until(patience), (*kinds, "move")
        wait = Wait(self.process, self._written, end, wanted, may_repeat=self.settle > 0)
        with self._talk(expected):
            line = wait.line()
        self._note_oddities(wait, line)
        if line is None and wait.fault and wait.fault[0] == "exception":
            raise self.unmet("refusal", expected)
        if line is None and wait.fault:
            raise self.unmet("answer", expected, wait.fault[1])
        if line is None:
            cure = "" if wait.passed_over else cure
            raise self.unmet("silence", expected, f"no answer within {patience:g} s", cure)
        if kind_of_line(line) not in kinds:
            raise self.unmet("answer", expected)
        return line

    def _note_oddities(self, wait: Wait, line: bytes | None) -> None:
        self.passed_over += wait.passed_over
        if line is not None and has_words_behind(line):
            self.passed_over.append(line)
        if wait.late:
            self._remark("no move before it has read the command", wait.late[0])
        if wait.is_cut:
            self._remark("that it reads all of a command", wait.refusals[0])
        elif wait.refusals and line is not None:
            self._remark("no ERROR or UNKNOWN before the answer", wait.refusals[0], line)

    def _remark(self, expected: str, *lines: bytes) -> None:
        self.remarks[expected] = "\n".join(shown(line, LONGEST_TOLD) for line in lines)

    def end_within(self, seconds: float) -> str | None:
        """Words on how it ended; None if it does not end within these seconds."""
        try:
            self.listen(seconds, "its end")
        except UnmetError:  # raised once it has ended, when its fault is known
            return plain_words(self._fault) if self._fault else None
        return None

    def next_line(self, deadline: float, expected: str) -> bytes | None:
        while not self.process.lines:
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            self._hear(left, expected)
        return self.process.lines.popleft() if time.monotonic() < deadline else None

    def _next(self, command: str | bytes) -> bytes:
        """The lines of the next command, whose answer is told from here on."""
        self.process.lines.clear()
        self._past += self.process.transcript
        self.process.transcript.clear()
        self.sent = (command if isinstance(command, str) else command.decode()).strip()
        return self.sent.encode() + b"\n"

    def _wait_until_it_listens(self, expected: str) -> None:
        """Pause; if it answers ABOUT, until it has."""
        if not (self.settle and self.process.about and self._fault is None):
            self.listen(self.settle, expected)
            return
        with self._talk(expected):
            listening.knock(self.process, listening.UNASKED_TIMEOUT)

    def _told(self, words: str, expected: str) -> Finding:
        talk = folded([*self._past, *self.process.transcript])
        return Finding("note", self.sent, words, expected, talk=talk)

    def _hear(self, seconds: float, expected: str) -> None:
        """Wait for lines; UnmetError once it has ended, and all that it said was taken."""
        if self._fault is None:
            try:
                self.process.hear(seconds)
                while self.process.about in self.process.lines:
                    self.process.lines.remove(self.process.about)  # it may be asked for twice
                return
            except ProgramError as error:
                self._fault = error
        if not self.process.lines:
            raise self._ended(self._fault, expected)
        time.sleep(min(seconds, SHORT_SLEEP))

    def _until(self, seconds: float) -> float:
        return min(time.monotonic() + seconds, self.subject.end)

    @contextmanager
    def _talk(self, expected: str) -> Iterator[None]:
        """A time in which it is talked to; UnmetError if it has ended, or ends."""
        try:
            if self._fault is not None:
                raise self._fault
            yield
        except ProgramError as error:
            self._fault = error
            raise self._ended(error, expected) from None

    def _ended(self, error: ProgramError, expected: str) -> UnmetError:
        return self.unmet("end", expected, plain_words(error))


def plain_words(error: ProgramError) -> str:
    return error.words.partition(" [")[0]


STONES_AT_FIRST = 4
NEW_PROCESSES = (
    "play after RESTART as after START. A tournament here, and all other checks, start it anew for"
    " each game, but other managers do not"
)
RESERVE = 1.1  # times its longest move that a brain is advised to be given


class CheckedGame(_Exchange):
    """Holds an exchange, and the game as far as it is played."""

    def __init__(self, subject: Subject, rule: str, limit: Limit) -> None:
        super().__init__(subject, limit)
        self.rule = rule
        self.set_size(subject.size)
        self.seconds = 0.0  # the time of the last answer

    def set_size(self, size: int) -> None:
        self.game = game_under(self.rule, size)
        self.position = self.game.start()
        self._random = Random(size)

    def start(self, size: int | None = None) -> None:
        self.set_size(self.subject.size if size is None else size)
        self.say(f"START {self.game.size}", "OK")
        startup = self.allowance.startup
        cure = f"it may need more time: --startup {math.ceil(2 * startup)}"
        self.answer("OK", "ok", seconds=startup, cure=cure)
        self.process.stage = "after it was started"
        self.is_under_way = False

    def tell(self) -> None:
        self.inform(first_infos(self.conditions) + self._infos())

    def begin(self) -> None:
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
        """Play `number` of its moves, up to a slow one or the end; the replies are harmless."""
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
        infos = game_infos(RULES[self.rule], self.conditions.limit, self.conditions.hang)
        return infos + own_infos(self.subject.info)


def restart_of(subject: Subject) -> Finding:
    """The finding on RESTART, which is looked for once: it must not come between other checks."""
    if not subject.restart:
        check = Check("RESTART", "optional", _restarted, may_lack=True)
        subject.restart.append(found(check, subject))
    return subject.restart[0]


def _restarted(subject: Subject) -> Finding:
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
    subject: Subject, *, turn: float | None = None, depth: int | None = None, rule: str = ""
) -> Iterator[CheckedGame]:
    """A game with a new process that was told all that comes before a game, and is ready."""
    seconds = subject.allowance.turn if turn is None else turn
    with launched_for(subject, Limit(depth, seconds=seconds), rule) as talk:
        talk.begin()
        yield talk


@contextmanager
def launched_for(
    subject: Subject, limit: Limit | None = None, rule: str = ""
) -> Iterator[CheckedGame]:
    """A game with a new process, to which nothing was said yet; it is ended in the end."""
    usual = Limit(seconds=subject.allowance.turn)
    talk = CheckedGame(subject, rule or subject.rule, usual if limit is None else limit)
    try:
        yield talk
    finally:
        talk.process.end(subject.allowance.exit)
