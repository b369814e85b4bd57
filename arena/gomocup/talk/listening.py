"""The talk around a brain's games: START, INFO, RESTART, and waits until it listens or answers."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from arena.engine import Conditions, Limit, ProgramError, Talk
from arena.game import Reason
from arena.gomocup.process import IDLE_TIME, BrainProcess
from arena.gomocup.protocol import NAME_IN_ABOUT, Kind, Memory, Settings, kind_of_line
from arena.gomocup.transcript import shown

KNOCK_INTERVAL, KNOCK_TIMEOUT = 0.01, 1.0
"""Seconds between two questions ABOUT that wait for an answer, and in all."""
UNASKED_TIMEOUT = 0.1  # seconds at most where the user did not ask: they are on the program's clock
QUOTABLE = re.compile(rb"[^\s:;'\"`()\[\]<>]+")


def ask_about(process: BrainProcess) -> None:
    process.abouts += 1
    process.post(b"ABOUT" + process.newline)


def _is_answered(process: BrainProcess, seconds: float, in_game: bool = False) -> bool:
    """True if ABOUT is answered within this time; moves stay among the lines, but for late ones."""
    deadline, moves = time.monotonic() + seconds, list[bytes]()
    while process.abouts and (left := deadline - time.monotonic()) > 0:
        process.hear(left)
        while process.lines and process.abouts:
            line = process.lines.popleft()
            if kind_of_line(line) != "move":
                take(process, line)
            elif in_game and process.unread():
                process.log(line, "late: ")
            else:
                moves.append(line)
    process.lines.extendleft(reversed(moves))
    return not process.abouts


def take(process: BrainProcess, line: bytes) -> bool:
    """Take a line that is not waited for: the answer to ABOUT, words, or no answer at all.

    Until the answer is known, it is a line such as `name="mine"`, or else the first in free words.
    True if it was no answer at all.
    """
    if line == process.about:
        process.abouts = 0
    elif (kind := kind_of_line(line)) not in ("text", "no move"):
        process.refuses = process.refuses or kind == "refusal"
        process.log(line)
    elif NAME_IN_ABOUT.search(line) and not NAME_IN_ABOUT.search(process.about):
        process.about, process.abouts = _once(line), 0
        process.log(line)
    elif process.abouts and not process.about:
        process.about = _once(line)
        process.log(line)
    else:
        process.skip(line)
        return True
    return False


def _once(line: bytes) -> bytes:
    """A line without its repetitions: a program that ends no line may have been asked again."""
    return line[: (line + line).find(line, 1)]


def knock(process: BrainProcess, seconds: float) -> int:
    """Ask ABOUT until there is an answer; the number of questions, 0 if none is answered in time.

    Questions that were asked before, and may still be answered, count.
    """
    deadline = time.monotonic() + seconds
    if not process.abouts:
        ask_about(process)
    asked = process.abouts
    while not _is_answered(process, min(KNOCK_INTERVAL, deadline - time.monotonic()), in_game=True):
        if time.monotonic() >= deadline:
            return 0
        ask_about(process)
        asked += 1
    return asked


def refused(
    line: bytes, command: bytes
) -> Literal["INFO", "end of INFO", "end of command", "something"]:
    """The part of a command that a refusal quotes.

    An end is one whose first word is not quoted: a program that has read all would name that.
    """
    said = set(QUOTABLE.findall(line.upper())[1:])
    heads, infos, others = set[bytes](), set[bytes](), set[bytes]()
    for head, *rest in map(bytes.split, command.upper().splitlines()):
        if head == b"DONE" or head[:1].isdigit():
            others.add(head)
        else:
            heads.add(head)
            (infos if head == b"INFO" else others).update(rest)
    if said & infos:
        return "INFO" if b"INFO" in said else "end of INFO"
    return "end of command" if said & others and not said & heads else "something"


REFUSAL_GRACE = 0.2  # seconds for a move after ERROR, UNKNOWN, or what was to be a move
LATE_GRACE = 0.02  # seconds for a further move after one of a program that had not read the command
UNREAD_INTERVAL = 0.002
MAX_MESSAGES = 40  # messages of a move whose figures are read


@dataclass(slots=True)
class Wait:
    """The lines that a program sends after a command, up to its answer."""

    process: BrainProcess
    command: bytes  # The very bytes that are written
    deadline: float
    wanted: tuple[Kind, ...] = ("move",)  # The kinds of line that are an answer
    may_repeat: bool = True  # True if the command may be sent again where its end was lost
    messages: list[str] = field(default_factory=list)
    refusals: list[bytes] = field(default_factory=list)  # ERROR, UNKNOWN, where not the answer
    passed_over: list[bytes] = field(default_factory=list)  # Lines that are no answer to anything
    late: list[bytes] = field(default_factory=list)  # Moves of before the command was read
    fault: tuple[Reason, str] | None = None  # What it has said in place of a move, in words
    is_cut: bool = False  # it refused the end of a whole command: it does not read every line
    is_ok: bool = False  # True if it said OK, as to a RESTART before
    _is_deaf: bool = False
    _is_repeated: bool = False

    def line(self) -> bytes | None:
        """The answer; None if there is none in time, or if there is a `fault`."""
        process, last = self.process, self.deadline
        while True:
            while process.lines:
                line = process.lines.popleft()
                kind = kind_of_line(line)
                if kind == "move" and self._is_late():
                    self.late.append(line)
                    process.log(line, "late: ")
                elif kind in self.wanted:
                    return line
                else:
                    self._take(kind, line)
            now = time.monotonic()
            if now >= self.deadline:
                if not (self._may_be_thinking() and now < last):
                    return None
                self.deadline = min(last, now + IDLE_TIME)
            self._is_deaf = process.unread() > 0
            left = self.deadline - now
            process.hear(min(left, UNREAD_INTERVAL) if self._is_deaf else left)

    def _take(self, kind: Kind, line: bytes) -> None:
        process = self.process
        match kind:
            case "suggestion":
                process.send(line.upper().replace(b"SUGGEST", b"PLAY") + b"\n", self.deadline)
            case "words":
                self.messages = [*self.messages[1 - MAX_MESSAGES :], line.decode("latin-1")]
                process.log(line)
            case "ok":
                self.is_ok = True
                process.log(line)
            case "refusal":
                self._take_refusal(line)
            case "no move" if "move" in self.wanted:
                self.passed_over.append(line)
                process.log(line)
                self._doubt("illegal move", f"said {shown(line, 40)!r}, which is no move")
            case _:
                if take(process, line):
                    self.passed_over.append(line)

    def _doubt(self, reason: Reason, words: str) -> None:
        self.fault = self.fault or (reason, words)
        self.deadline = min(self.deadline, time.monotonic() + REFUSAL_GRACE)

    def _may_be_thinking(self) -> bool:
        # A line that was to be a move may be one that is written in thought: it still uses CPU.
        is_unsure = self.fault is not None and self.fault[0] == "illegal move"
        return is_unsure and self.process.idle_seconds() < IDLE_TIME

    def _is_late(self) -> bool:
        if self.process.unread() >= len(self.command):
            return True
        was_deaf, self._is_deaf = self._is_deaf, False
        return was_deaf and self._has_another()

    def _has_another(self) -> bool:
        if not self.process.lines:
            self.process.hear(LATE_GRACE)
        return any(kind_of_line(line) == "move" for line in self.process.lines)

    def _take_refusal(self, line: bytes) -> None:
        """Repeat the command if its end was refused; else wait a little longer for a move."""
        self.process.log(line)
        self.refusals.append(line)
        subject = refused(line, self.command)
        self.is_cut = self.is_cut or subject.startswith("end")
        if subject == "end of command" and not self._is_repeated and self._repeat():
            return
        if subject in ("INFO", "end of INFO"):
            return
        if len(self.refusals) > self.command.count(b"INFO "):
            self._doubt("exception", f"answered with: {shown(line, 100)}")

    def _repeat(self) -> bool:
        """Send the command again once the program listens; False if it does not say so."""
        process = self.process
        self._is_repeated = True
        if not (self.may_repeat and process.about):
            return False
        if not knock(process, UNASKED_TIMEOUT):
            return False
        if not any(kind_of_line(line) == "move" for line in process.lines):
            process.remark("cut", "has refused the end of a command, which was sent again")
            process.transcript.tell(self.command)
            process.push(self.command, self.deadline)
        return True


def _bound(limit: Limit) -> float | None:
    bounds = [each for each in (limit.seconds, limit.time_left) if each is not None]
    return min(bounds, default=None)


def patience(limit: Limit, conditions: Conditions) -> float:
    most = _bound(limit)
    return conditions.hang if most is None else most + conditions.margin


def overdue(process: BrainProcess, limit: Limit, conditions: Conditions) -> ProgramError:
    most = _bound(limit)
    if most is None:
        return process.fault("hang", f"did not move within {conditions.hang:g} s")
    words = f"did not move within {most:.3f} s, and {conditions.margin:g} s of grace"
    return process.fault("time", words)


ABOUT_WAIT = 0.02  # seconds for an answer to ABOUT before a closer look at the program
AT_ONCE = 0.01  # seconds to answer ABOUT for a program that does nothing about INFO
CPU_INTERVAL = 0.005
BUSY_TIMEOUT = 5.0  # seconds beyond its last read in which a program may go on to use CPU
RESTART_TIMEOUT = 5.0
OTHER_SIZE_TIMEOUT = 5.0
USUAL_SIZES = (15, 20)
Program = tuple[Sequence[str], str, Memory, bytes]
"""What starts a program: its command, its folder, its memory, and the end of lines."""


def launched(
    settings: Settings,
    memory: Memory,
    size: int,
    deadline: float,
    remarked: set[str],
    talk: Talk | None = None,
) -> BrainProcess:
    """A program that has answered START; ProgramError if it has not."""
    program = settings.command, settings.folder, memory, settings.newline
    process = BrainProcess(*program, talk)
    process.remarked = remarked
    try:
        line = _answer_to_start(process, size, deadline)
    except ProgramError as error:
        raise _with_other_size(error, program, size) from None
    if line is None:
        words = f"did not answer START within {settings.startup:g} s (startup: N allows more)"
        raise process.fault("hang", words)
    if kind_of_line(line) == "refusal":
        refusal = process.fault("exception", f"answered START {size} with: {shown(line, 100)}")
        raise _with_other_size(refusal, program, size)
    process.stage = "before its first move"
    return process


def _answer_to_start(process: BrainProcess, size: int, deadline: float) -> bytes | None:
    """The line that answers START, OK or a refusal; None if none comes in time."""
    command = f"START {size}\n".encode()
    process.send(command, deadline)
    return Wait(process, command, deadline, ("ok", "refusal")).line()


def _with_other_size(error: ProgramError, program: Program, size: int) -> ProgramError:
    """The error of a program that does not start at a size, with one at which it does."""
    if other := other_size(program, size):
        cure = f"set the game's size, as in --game gomoku:size={other}"
        error.words += f"; it plays {other} x {other}: {cure}"
    return error


def other_size(program: Program, size: int) -> int | None:
    """A usual size at which a new process of a program starts, but not at this one."""
    for other in (size, *(each for each in USUAL_SIZES if each != size)):
        process = BrainProcess(*program)
        try:
            line = _answer_to_start(process, other, time.monotonic() + OTHER_SIZE_TIMEOUT)
            if line is not None and kind_of_line(line) == "ok":
                return None if other == size else other
        except ProgramError:
            pass
        finally:
            process.kill()
    return None


def tell(process: BrainProcess, infos: bytes, deadline: float) -> bool:
    """Tell the program what has no answer, and wait until it has done all that it does about it.

    It is done once the program answers ABOUT, or has come back to read a second question and uses
    no CPU. True if that was at once and without a word, as it will be again.
    """
    for line in [each for each in process.lines if kind_of_line(each) != "move"]:
        process.lines.remove(line)
        take(process, line)
    known, began = process.about, time.monotonic()
    process.abouts += 1
    process.send(infos + b"ABOUT\n", deadline)
    if _is_answered(process, ABOUT_WAIT) or process.about != known:
        process.abouts = 0
        return time.monotonic() < began + AT_ONCE and not process.refuses
    _wait_for_quiet(process, known, deadline)
    process.abouts = 0
    return False


def _wait_for_quiet(process: BrainProcess, known: bytes, deadline: float) -> None:
    """Wait while the program has something to read, and for a while as long as it uses CPU."""
    last_read = time.monotonic()
    is_asked_again = False
    while not _is_answered(process, CPU_INTERVAL) and process.about == known:
        now = time.monotonic()
        if process.unread():
            if now > deadline:
                raise process.fault("hang", "has not read INFO in time (startup: N allows more)")
            last_read = now
        elif not is_asked_again:
            is_asked_again = True
            ask_about(process)
        elif now > min(last_read + BUSY_TIMEOUT, deadline):
            busy = "goes on to use CPU after it has read INFO, which may be on its clock"
            process.remark("busy", busy)
            return
        elif process.idle_seconds() > IDLE_TIME:
            _is_answered(process, CPU_INTERVAL)  # without an end of line, perhaps
            return


def restarts(process: BrainProcess) -> bool:
    """Tell the program to begin a new game; False if it does not know how to, or has ended."""
    deadline, command = time.monotonic() + RESTART_TIMEOUT, b"RESTART\n"
    try:
        process.lines.clear()  # late moves of the game before, as are those before its answer
        process.send(command, deadline)
        line = Wait(process, command, deadline, ("ok", "refusal")).line()
    except ProgramError:
        return False
    process.restarts += 1
    return line is not None and kind_of_line(line) == "ok"
