"""The last lines of a talk with a program, which are told with its fault."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from arena.gomocup.protocol import shown

MOST_KEPT, MOST_SAID, LONGEST_SAID = 18, 6, 60
"""Entries that are kept, entries that are told with a fault, and characters of each."""
LONGEST_ERROR = 100
FLOODS = (b"MESSAGE", b"DEBUG")
TRACEBACK = b"Traceback (most recent call last)"


class Entry(NamedTuple):
    """A line with its mark: `>` to the program, `<` from it, `!` on its standard error."""

    mark: str
    line: bytes
    lines: int = 1
    """Lines that it stands for, all MESSAGE or DEBUG, one after the other; this is the last."""

    def text(self) -> str:
        """The entry as it is told."""
        if self.lines == 1:
            return f"{self.mark} {shown(self.line, LONGEST_SAID)}"
        return f"{self.mark} {flood_of(self.line).decode()} ... ({self.lines} lines)"


class Transcript:
    """Holds the last entries, the last command, and the last traceback of Python."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._entries: deque[Entry] = deque(maxlen=most)
        self._command: Entry | None = None
        self._is_traceback = False
        self._error = b""

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def clear(self) -> None:
        """Forget all that was said."""
        self._entries.clear()

    def forget_error(self) -> None:
        """Forget a traceback, which the program has survived."""
        self._error = b""

    def tell(self, command: bytes) -> None:
        """Keep a command."""
        self._command = Entry(">", command)
        self._entries.append(self._command)

    def hear(self, line: bytes) -> None:
        """Keep a line of the program's output."""
        last = self._entries[-1] if self._entries else None
        if last and last.mark == "<" and (flood := flood_of(line)) and flood == flood_of(last.line):
            self._entries[-1] = Entry("<", line, last.lines + 1)
        else:
            self._entries.append(Entry("<", line))

    def hear_error(self, line: bytes) -> None:
        """Keep a line of its standard error: the first not indented ends a traceback of Python."""
        self._entries.append(Entry("!", line))
        if line.startswith(TRACEBACK):
            self._is_traceback = True
        elif self._is_traceback and not line[:1].isspace():
            self._is_traceback, self._error = False, line

    def explained(self, words: str) -> str:
        """Words on a fault, with the traceback that was written before it, and the last entries."""
        if self._error:
            words = f"wrote a traceback ({shown(self._error, LONGEST_ERROR)}), and {words}"
        told = [*self._entries][-MOST_SAID:]
        if self._command and self._command not in told:
            told = [self._command, *told[1 - MOST_SAID :]]
        return f"{words} [{' | '.join(entry.text() for entry in told)}]" if told else words


def flood_of(line: bytes) -> bytes:
    """The first word of a line of which there may be very many in a row; empty for others."""
    return next((word for word in FLOODS if line[: len(word)].upper() == word), b"")
