"""An exchange with a brain that is checked: what is sent, what must come back, and what did."""

from __future__ import annotations

import time

from arena.engine import ProgramError
from arena.gomocup.check import Finding, Lack, Subject, UnmetError
from arena.gomocup.lines import shown
from arena.gomocup.process import BrainProcess
from arena.gomocup.protocol import Kind, kind_of_line

MOST_HEARD, LONGEST_HEARD = 6, 200
"""Lines that are told with a finding, and characters of each."""
SHORT_SLEEP = 0.01
SECOND_THOUGHT = 0.2
"""Seconds for an answer after ERROR or UNKNOWN, which may be about an INFO before it."""


class Exchange:
    """Holds a brain's process, and what was said of late."""

    def __init__(self, subject: Subject, megabytes: int) -> None:
        self.allowance = subject.allowance
        self.process = BrainProcess(subject.command, subject.folder, megabytes)
        self.sent = ""
        self.end_of_line = "\r\n"
        self.settle = self.allowance.settle
        self.remarks: list[str] = []
        """Words on what is legal, and odd."""
        self._written = 0
        self._fault: ProgramError | None = None
        """The words on its end, once that is known."""

    def unmet(self, lack: Lack, expected: str, words: str = "") -> UnmetError:
        """The error that this was expected, and something else was said."""
        return UnmetError(lack, self.sent, self.said(words), expected)

    def finding(self, expected: str = "") -> Finding:
        """A pass; a note, if this was expected instead, or there are remarks."""
        if not (expected or self.remarks):
            return Finding()
        said = "\n".join(self.remarks) or self.said()
        return Finding("note", self.sent, said, expected)

    def said(self, words: str = "") -> str:
        """The lines that it has written of late, and words on it."""
        lines = [
            ("on standard error: " if mark == "!" else "") + shown(line, LONGEST_HEARD)
            for mark, line in self.process.transcript
            if mark != ">"
        ]
        return "\n".join([*lines[-MOST_HEARD:], *([f"({words})"] if words else [])]) or "(nothing)"

    def say(self, command: str, expected: str = "that it goes on") -> None:
        """Send a command, or several lines, after a pause; what came before is forgotten."""
        self.listen(self.settle, expected)
        self.process.lines.clear()
        self.process.transcript.clear()
        self.sent = command.replace("\r\n", "\n").strip()
        data = "".join(line + self.end_of_line for line in self.sent.split("\n")).encode()
        self._push(data, expected)
        self._written = len(data)

    def listen(self, seconds: float, expected: str) -> None:
        """Hear whatever it says, for so long."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self._hear(left, expected)

    def unasked(self, seconds: float, expected: str) -> set[Kind]:
        """The kinds of the lines that it says in this time, MESSAGE and DEBUG left out."""
        self.listen(seconds, expected)
        kinds = {kind_of_line(line) for line in self.process.lines}
        self.process.lines.clear()
        return kinds - {"words"}

    def stay_silent(self, seconds: float, expected: str) -> None:
        """Listen, and hear nothing but MESSAGE and DEBUG."""
        if self.unasked(seconds, expected):
            raise self.unmet("answer", expected)

    def words(self, seconds: float, expected: str) -> bytes:
        """The next line that is no MESSAGE; empty if there is none in time."""
        deadline = time.monotonic() + seconds
        while (line := self.next_line(deadline, expected)) is not None:
            if kind_of_line(line) != "words":
                return line
        return b""

    def answer(self, expected: str, *kinds: Kind, seconds: float | None = None) -> bytes:
        """The next line of one of these kinds; UnmetError if another comes first, or none."""
        patience = self.allowance.answer if seconds is None else seconds
        deadline = time.monotonic() + patience
        is_refused = False
        while (line := self.next_line(deadline, expected)) is not None:
            kind = kind_of_line(line)
            if kind == "move" and self._has_read_nothing():
                self.remarks.append(f"moved before it had read the command: {shown(line, 40)}")
            elif kind in kinds:
                if is_refused:
                    self.remarks.append(f"refused before it answered: {self.said()}")
                return line
            elif kind == "suggestion":
                self._push(line.upper().replace(b"SUGGEST", b"PLAY") + b"\n", expected)
            elif kind == "refusal":
                is_refused = True
                deadline = min(deadline, time.monotonic() + SECOND_THOUGHT)
            elif kind == "text" and self.process.abouts:
                self.process.abouts -= 1
            elif kind != "words":
                raise self.unmet("answer", expected)
        if is_refused:
            raise self.unmet("refusal", expected)
        raise self.unmet("silence", expected, f"no answer within {patience:g} s")

    def end_within(self, seconds: float) -> str | None:
        """Words on its end, if it comes so soon."""
        try:
            self.listen(seconds, "its end")
        except UnmetError:
            return plain_words(self._fault) if self._fault else None
        return None

    def next_line(self, deadline: float, expected: str) -> bytes | None:
        """The next line, if one comes in time."""
        while not self.process.lines:
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            self._hear(left, expected)
        return self.process.lines.popleft() if time.monotonic() < deadline else None

    def _hear(self, seconds: float, expected: str) -> None:
        """Wait for lines; UnmetError once it has ended, and all that it said was taken."""
        if self._fault is None:
            try:
                self.process.hear(seconds)
                return
            except ProgramError as error:
                self._fault = error
        if not self.process.lines:
            raise self._ended(self._fault, expected)
        time.sleep(min(seconds, SHORT_SLEEP))

    def _push(self, data: bytes, expected: str) -> None:
        """Write to it, unless it has ended."""
        try:
            if self._fault is None:
                self.process.push(data, time.monotonic() + self.allowance.answer)
                return
        except ProgramError as error:
            self._fault = error
        raise self._ended(self._fault, expected)

    def _has_read_nothing(self) -> bool:
        """True if nothing of the last command was read, so that no move can be its answer."""
        return self.process.is_open and self.process.unread() >= self._written

    def _ended(self, error: ProgramError, expected: str) -> UnmetError:
        """The error that it has ended, or was."""
        return self.unmet("end", expected, plain_words(error))


def plain_words(error: ProgramError) -> str:
    """The words on an end, without the lines before it."""
    return error.words.partition(" [")[0]
