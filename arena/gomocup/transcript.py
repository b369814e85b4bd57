"""The talk with a program: its lines, the last of them for a fault, and all of it as text."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from arena.gomocup.protocol import kind_of_line

LONGEST_READ = 4096  # bytes of a line that are looked at
MOST_KEPT, MOST_SAID, LONGEST_SAID = 18, 6, 60
"""Entries that are kept, entries that are told with a fault, and characters of each."""
LONGEST_CAUSE = 200
FLOODS = (b"MESSAGE", b"DEBUG")
TRACEBACK = b"Traceback (most recent call last)"
CAUSE = re.compile(
    rb"""
    (?:Uncaught\ |Unhandled\ exception[.:]\ |Caused\ by:\ |Exception\ in\ thread\ .*?"\ )?
        \[?[\w.$]*(?:Error|Exception|Rejection)(?:[:\s]*$|:|\ \[)           # Python, Node, Java, C#
    | lua[\d.]*:\ | panic:\ | thread\ '.*panicked\ at | terminate\ called   # Lua, Go, Rust, C++
    | .*\bAssertion\b.*\bfailed | .*AddressSanitizer | \*\*\*\ .*\ \*\*\* | \w+\(\):\ [a-z]
    | .*:\ (?:\[Errno\ \d+\]\ )?(?:not\ found|No\ such\ file\ or\ directory|Permission\ denied)\s*$
    | .*(?:command\ not\ found|error\ while\ loading\ shared\ libraries|Exec\ format\ error)
    """,
    re.VERBOSE,
)
"""The line of an error that names its cause, of the languages that brains are written in."""
CAUSE_ABOVE = re.compile(rb"terminate called|thread '.*panicked at .*:\s*$")  # the next says more
_WROTE = "wrote an error"
LONGEST_TOLD = 200  # characters of a line by the brain
ENDS_OF_A_RUN, ENDS_OF_ALL = 2, 6
"""Lines that are told of the beginning and of the end of a long run of one kind, and of all that
was said in answer to one command."""
HEARD_OF_AN_END = 3  # lines of the beginning and the end of what a brain answers to a command
OPENERS = ("> START", "> RESTART")


def split(rest: bytes, data: bytes) -> list[bytes]:
    """The lines of data that goes on after a rest, and the new rest; over-long lines are cut."""
    lines = data.replace(b"\r", b"\n").split(b"\n")
    lines[0] = rest + lines[0][: LONGEST_READ - len(rest)]
    lines[-1] = lines[-1][:LONGEST_READ]
    return lines


def shown(line: bytes, most: int) -> str:
    """A line as people can read it, cut to `most` characters."""
    text = line[: 2 * most].decode("utf-8", "backslashreplace").strip()
    text = "".join(c if c.isprintable() else " " for c in text.replace("\r\n", " "))
    return text if len(text) <= most else f"{text[:most]}..."


class Entry(NamedTuple):
    """A line with its mark: `>` to the program, `<` from it, `!` on its standard error."""

    mark: str
    line: bytes
    lines: int = 1  # lines that it stands for, all MESSAGE or DEBUG in a row; this is the last

    def text(self) -> str:
        if self.lines == 1:
            return f"{self.mark} {shown(self.line, LONGEST_SAID)}"
        return f"{self.mark} {_flood_of(self.line).decode()} ... ({self.lines} lines)"


class Transcript:
    """Holds the last entries, the last command, and the cause of the last error."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._entries: deque[Entry] = deque(maxlen=most)
        self._command: Entry | None = None
        self._is_traceback = False
        self._cause = b""

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def clear(self) -> None:
        self._entries.clear()

    def forget_error(self) -> None:
        self._cause = b""

    def tell(self, command: bytes) -> None:
        self._command = Entry(">", command)
        self._entries.append(self._command)

    def hear(self, line: bytes) -> None:
        last = self._entries[-1] if self._entries else None
        flood = _flood_of(line)
        if last and last.mark == "<" and flood and flood == _flood_of(last.line):
            self._entries[-1] = Entry("<", line, last.lines + 1)
        else:
            self._entries.append(Entry("<", line))

    def hear_error(self, line: bytes) -> None:
        """Keep a line of its standard error, where the cause of an error may stand."""
        # Of a traceback of Python, that is the first line that is not indented.
        last = self._entries[-1] if self._entries else None
        self._entries.append(Entry("!", line))
        if line.startswith(TRACEBACK):
            self._is_traceback = True
        elif last and last.line == self._cause and CAUSE_ABOVE.match(last.line):
            self._cause += b" " + line.strip()
        elif (self._is_traceback and not line[:1].isspace()) or CAUSE.match(line):
            self._is_traceback, self._cause = False, line

    @property
    def has_error(self) -> bool:
        return bool(self._cause)

    def with_cause(self, words: str) -> str:
        if not self._cause:
            return words
        return f"{_WROTE} ({shown(self._cause, LONGEST_CAUSE)}), and {words}"

    def explained(self, words: str) -> str:
        """Words on a fault, with the error that was written before it, and the last entries."""
        words = self.with_cause(words)
        last = [*self._entries][-MOST_SAID:]
        if self._command and self._command not in last:
            last = [self._command, *last[1 - MOST_SAID :]]
        return f"{words} [{' | '.join(entry.text() for entry in last)}]" if last else words


def is_slow(reason: str, words: str) -> bool:
    """True if a program was late, and the words on that tell no error that it wrote before."""
    return reason == "time" and _WROTE not in words


def _flood_of(line: bytes) -> bytes:
    """The first word of a line of which there may be very many in a row; empty for others."""
    return next((word for word in FLOODS if line[: len(word)].upper() == word), b"")


def folded(entries: Iterable[Entry]) -> str:
    """The talk; of many games one after the other, the first and the last."""
    games = list[list[str]]()
    for line in _lines_told(entries):
        if not games or line.startswith(OPENERS):
            games.append([])
        games[-1].append(line)
    if (left_out := len(games) - 2) > 1:
        words = f"... {left_out} more games, each after RESTART or START ..."
        games = [games[0], [words], games[-1]]
    return "\n".join(line for game in games for line in game)


def said(entries: Iterable[Entry], words: str = "") -> str:
    lines = list[str]()
    for entry in entries:
        if entry.mark != ">":
            source = "on standard error: " if entry.mark == "!" else ""
            lines.append(source + shown(entry.line, LONGEST_TOLD))
    lines = [*both_ends(lines, HEARD_OF_AN_END)]
    if words:
        lines.append(f"({words})")
    return "\n".join(lines) or "(nothing)"


def _lines_told(entries: Iterable[Entry]) -> Iterator[str]:
    """A line for each thing said, with its mark; of a long run of lines, only both ends."""
    for is_sent, block in groupby(entries, key=lambda entry: entry.mark == ">"):
        if is_sent:
            yield from (f"> {text}" for entry in block for text in commands(entry.line))
        else:
            lines = list[str]()
            for _, run in groupby(block, _kind_of_entry):
                lines += both_ends([*map(_line_told, run)], ENDS_OF_A_RUN)
            yield from both_ends(lines, ENDS_OF_ALL)


def _kind_of_entry(entry: Entry) -> tuple[str, str]:
    return entry.mark, kind_of_line(entry.line) if entry.mark == "<" else ""


def _line_told(entry: Entry) -> str:
    several = f" (the last of {entry.lines} such lines)" if entry.lines > 1 else ""
    return f"{entry.mark} {shown(entry.line, LONGEST_TOLD)}{several}"


def commands(data: bytes) -> Iterator[str]:
    lines = data.decode().replace("\r\n", "\n").split("\n")
    for is_info, run in groupby(filter(None, lines), key=lambda line: line.startswith("INFO ")):
        if is_info:
            yield "INFO " + ", ".join(line.removeprefix("INFO ") for line in run)
        else:
            yield " ".join(run)


def both_ends(lines: Sequence[str], count: int, last: int = 0) -> Sequence[str]:
    """The lines; of too many, the first and the last `count`, or the `last` if that is more."""
    last = max(count, last)
    left_out = len(lines) - count - last
    if left_out <= 1:
        return lines
    return [*lines[:count], f"... {left_out} more lines ...", *lines[-last:]]
