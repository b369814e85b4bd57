"""The wait for the move that a command asks for: its length, and all lines sent before it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from arena.engine import Conditions, Limit, ProgramError
from arena.gomocup.process import BrainProcess
from arena.gomocup.protocol import SWAP, kind_of_line
from arena.gomocup.talk import listening
from arena.gomocup.transcript import shown

REFUSAL_GRACE = 0.2
"""Seconds for a move after ERROR or UNKNOWN."""
LATE_GRACE = 0.02
"""Seconds for a further move after one that came from a program that had not read the command."""
UNREAD_INTERVAL = 0.002
MOST_MESSAGES = 40
"""Messages of a move whose figures are read."""


@dataclass(slots=True)
class Wait:
    """The lines that a program sent since a command that asks for a move."""

    process: BrainProcess
    command: bytes
    deadline: float
    messages: list[str] = field(default_factory=list)
    refusal: str = ""
    """The text of its refusal in place of a move."""
    is_cut: bool = False
    """True if it refused the end of a command that was sent whole: it does not read every line."""
    may_swap: bool = False
    """True if SWAP is an answer, too."""
    is_ok: bool = False
    """True if it said OK, as to a RESTART before."""
    _refusals: int = 0
    _is_deaf: bool = False
    _is_repeated: bool = False

    def move(self) -> bytes | None:
        """The line of the move; None if there is none in time."""
        process = self.process
        while True:
            while process.lines:
                line = process.lines.popleft()
                match kind_of_line(line):
                    case "move" if self._is_late():
                        process.log(line, "late: ")
                    case "move":
                        return line
                    case "suggestion":
                        answer = line.upper().replace(b"SUGGEST", b"PLAY") + b"\n"
                        process.send(answer, self.deadline)
                    case "words":
                        self.messages = [
                            *self.messages[1 - MOST_MESSAGES :],
                            line.decode("latin-1"),
                        ]
                        process.log(line)
                    case "ok":
                        self.is_ok = True
                        process.log(line)
                    case "refusal":
                        self._take_refusal(line)
                    case "text" if self.may_swap and line.strip().upper() == SWAP:
                        return line
                    case _:
                        listening.take(process, line)
            if (left := self.deadline - time.monotonic()) <= 0:
                return None
            self._is_deaf = process.unread() > 0
            process.hear(min(left, UNREAD_INTERVAL) if self._is_deaf else left)

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
        subject, self._refusals = listening.refused(line, self.command), self._refusals + 1
        self.is_cut = self.is_cut or subject.startswith("end")
        if subject == "end of command" and not self._is_repeated and self._repeat():
            return
        if subject in ("INFO", "end of INFO") or self._refusals <= self.command.count(b"INFO "):
            return
        self.refusal = self.refusal or f"answered with: {shown(line, 100)}"
        self.deadline = min(self.deadline, time.monotonic() + REFUSAL_GRACE)

    def _repeat(self) -> bool:
        """Send the command again once the program listens; False if it does not say so."""
        process = self.process
        self._is_repeated = True
        if not process.about or not listening.knock(process, listening.UNASKED_TIMEOUT):
            return False
        if not any(kind_of_line(line) == "move" for line in process.lines):
            process.remark("cut", "has refused the end of a command, which was sent again")
            process.transcript.tell(self.command)
            process.push(self.command, self.deadline)
        return True


def bound(limit: Limit) -> float | None:
    """Seconds that a move may take, as far as time is limited."""
    bounds = [each for each in (limit.seconds, limit.time_left) if each is not None]
    return min(bounds, default=None)


def patience(limit: Limit, conditions: Conditions) -> float:
    """Seconds until a move is given up."""
    most = bound(limit)
    return conditions.hang if most is None else most + conditions.margin


def overdue(process: BrainProcess, limit: Limit, conditions: Conditions) -> ProgramError:
    """The fault of a program that does not answer in time."""
    most = bound(limit)
    if most is None:
        return process.fault("hang", f"did not move within {conditions.hang:g} s")
    words = f"did not move within {most:.3f} s, and {conditions.margin:g} s of grace"
    return process.fault("time", words)
