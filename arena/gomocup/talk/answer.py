"""The wait for an answer: its length, and all lines that are sent before it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from arena.engine import Conditions, Limit, ProgramError
from arena.game import Reason
from arena.gomocup.process import IDLE_TIME, BrainProcess
from arena.gomocup.protocol import Kind, kind_of_line
from arena.gomocup.talk import listening
from arena.gomocup.transcript import shown

REFUSAL_GRACE = 0.2
"""Seconds for a move after ERROR or UNKNOWN, or after something that was to be one."""
LATE_GRACE = 0.02
"""Seconds for a further move after one that came from a program that had not read the command."""
UNREAD_INTERVAL = 0.002
MAX_MESSAGES = 40
"""Messages of a move whose figures are read."""


@dataclass(slots=True)
class Wait:
    """The lines that a program sends after a command, up to its answer."""

    process: BrainProcess
    command: bytes  # The very bytes that are written
    deadline: float
    wanted: tuple[Kind, ...] = ("move",)  # The kinds of line that are an answer
    may_repeat: bool = True  # True if the command may be sent again where its end was lost
    messages: list[str] = field(default_factory=list)
    refusals: list[bytes] = field(default_factory=list)
    """ERROR and UNKNOWN, where these are no answer."""
    passed_over: list[bytes] = field(default_factory=list)  # Lines that are no answer to anything
    late: list[bytes] = field(default_factory=list)  # Moves of before the command was read
    fault: tuple[Reason, str] | None = None  # What it has said in place of a move, in words
    is_cut: bool = False
    """True if it refused the end of a command that was sent whole: it does not read every line."""
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
                if listening.take(process, line):
                    self.passed_over.append(line)

    def _doubt(self, reason: Reason, words: str) -> None:
        """Wait only a little longer for an answer."""
        self.fault = self.fault or (reason, words)
        self.deadline = min(self.deadline, time.monotonic() + REFUSAL_GRACE)

    def _may_be_thinking(self) -> bool:
        """True if what was to be a move may be one of the lines that are written while it thinks:
        it goes on to use CPU."""
        is_unsure = self.fault is not None and self.fault[0] == "illegal move"
        return is_unsure and self.process.idle_seconds() < IDLE_TIME

    def _is_late(self) -> bool:
        """True if a move cannot be the answer to this command."""
        if self.process.unread() >= len(self.command):
            return True
        was_deaf, self._is_deaf = self._is_deaf, False
        return was_deaf and self._has_another()

    def _has_another(self) -> bool:
        """True if a move is followed by another at once."""
        if not self.process.lines:
            self.process.hear(LATE_GRACE)
        return any(kind_of_line(line) == "move" for line in self.process.lines)

    def _take_refusal(self, line: bytes) -> None:
        """Repeat the command if its end was refused; else wait a little longer for a move."""
        self.process.log(line)
        self.refusals.append(line)
        subject = listening.refused(line, self.command)
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
        if not listening.knock(process, listening.UNASKED_TIMEOUT):
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
    """Seconds until a move is given up."""
    most = _bound(limit)
    return conditions.hang if most is None else most + conditions.margin


def overdue(process: BrainProcess, limit: Limit, conditions: Conditions) -> ProgramError:
    """The fault of a program that does not answer in time."""
    most = _bound(limit)
    if most is None:
        return process.fault("hang", f"did not move within {conditions.hang:g} s")
    words = f"did not move within {most:.3f} s, and {conditions.margin:g} s of grace"
    return process.fault("time", words)
