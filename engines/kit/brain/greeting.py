"""The talk with a program around its games: START, ABOUT, RESTART."""

from __future__ import annotations

import time

from arena.engine import ProgramError
from arena.gomocup.lines import shown
from arena.gomocup.process import BrainProcess
from arena.gomocup.protocol import Settings, kind_of_line

ABOUT_TIMEOUT = 2.0
"""Seconds for an answer to ABOUT, behind all that a program does about the INFO lines before it."""
RESTART_TIMEOUT = 5.0
KNOCK_INTERVAL, KNOCK_TIMEOUT = 0.02, 1.0
"""Seconds between two questions ABOUT that wait for an answer, and in all."""
LONGEST_ABOUT = 200


def launched(settings: Settings, megabytes: int, size: int) -> BrainProcess:
    """A program that has answered START; ProgramError if it has not."""
    startup = settings.startup
    deadline = time.monotonic() + startup
    process = BrainProcess(settings.command, settings.folder, megabytes, settings.newline)
    process.send(f"START {size}\n".encode(), deadline)
    while (left := deadline - time.monotonic()) > 0:
        process.hear(left)
        while process.lines:
            line = process.lines.popleft()
            match kind_of_line(line):
                case "ok":
                    process.stage = "before its first move"
                    return process
                case "refusal":
                    raise process.fault("exception", f"answered START with: {shown(line, 100)}")
                case _:
                    process.log(line)
    raise process.fault("hang", f"did not answer START within {startup:g} s")


def about(process: BrainProcess, seconds: float = ABOUT_TIMEOUT) -> str | None:
    """The program's words on itself; None if there are none in time. Moves stay unread."""
    deadline, moves = time.monotonic() + seconds, list[bytes]()
    found = None
    process.send(b"ABOUT\n", deadline)
    process.abouts += 1
    while found is None and (left := deadline - time.monotonic()) > 0:
        process.hear(left)
        while process.lines and found is None:
            line = process.lines.popleft()
            kind = kind_of_line(line)
            if kind == "move":
                moves.append(line)
            elif kind == "text":
                process.abouts -= 1
                found = shown(line, LONGEST_ABOUT)
            else:
                process.log(line)
    process.lines.extendleft(reversed(moves))
    return found


def knock(process: BrainProcess) -> None:
    """Ask ABOUT until there is an answer, by which the program is known to listen."""
    deadline = time.monotonic() + KNOCK_TIMEOUT
    while about(process, KNOCK_INTERVAL) is None and time.monotonic() < deadline:
        pass


def restarts(process: BrainProcess) -> bool:
    """Tell the program to begin a new game; False if it does not know how to, or has ended.

    Moves that come before its answer are late ones of the game before.
    """
    deadline = time.monotonic() + RESTART_TIMEOUT
    try:
        process.lines.clear()
        process.send(b"RESTART\n", deadline)
        while (left := deadline - time.monotonic()) > 0:
            process.hear(left)
            while process.lines:
                line = process.lines.popleft()
                kind = kind_of_line(line)
                if kind in ("ok", "refusal"):
                    return kind == "ok"
                process.log(line)
    except ProgramError:
        pass
    return False
