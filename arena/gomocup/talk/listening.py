"""Signs that a program listens: its answer to ABOUT, and what its refusals quote."""

from __future__ import annotations

import re
import time
from typing import Literal

from arena.gomocup.process import BrainProcess
from arena.gomocup.protocol import NAME_IN_ABOUT, kind_of_line

KNOCK_INTERVAL, KNOCK_TIMEOUT = 0.01, 1.0
"""Seconds between two questions ABOUT that wait for an answer, and in all."""
UNASKED_TIMEOUT = 0.1
"""Seconds at most where the user has not asked for it: they are on the program's clock."""
QUOTABLE = re.compile(rb"[^\s:;'\"`()\[\]<>]+")


def ask_about(process: BrainProcess) -> None:
    """Ask ABOUT, without a wait for the answer."""
    process.abouts += 1
    process.post(b"ABOUT" + process.newline)


def is_answered(process: BrainProcess, seconds: float, in_game: bool = False) -> bool:
    """True if ABOUT is answered within this time; moves stay among the lines.

    In a game, those of a program that has not read ABOUT are late ones.
    """
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
    while not is_answered(process, min(KNOCK_INTERVAL, deadline - time.monotonic()), in_game=True):
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
