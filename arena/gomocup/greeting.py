"""The talk with a program around its games: START, INFO, RESTART."""

from __future__ import annotations

import time

from arena.engine import ProgramError, Talk
from arena.gomocup import listening
from arena.gomocup.process import BrainProcess
from arena.gomocup.protocol import Settings, kind_of_line
from arena.gomocup.transcript import shown
from arena.gomocup.tree import descendants, ticks

ABOUT_WAIT = 0.02
"""Seconds for an answer to ABOUT before a closer look at the program."""
AT_ONCE = 0.01
"""Seconds to answer ABOUT for a program that does nothing about INFO."""
CPU_INTERVAL = 0.005
IDLE_TIME = 0.05
"""Seconds in which a program has used no CPU, when it is taken to have done all it was told."""
BUSY_TIMEOUT = 5.0
"""Seconds beyond its last read in which a program may go on to use CPU."""
RESTART_TIMEOUT = 5.0


def launched(
    settings: Settings,
    megabytes: int,
    size: int,
    deadline: float,
    remarked: set[str],
    talk: Talk | None = None,
) -> BrainProcess:
    """A program that has answered START; ProgramError if it has not."""
    process = BrainProcess(settings.command, settings.folder, megabytes, settings.newline, talk)
    process.remarked = remarked
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
                    words = f"answered START {size} with: {shown(line, 100)}"
                    raise process.fault("exception", words)
                case _:
                    listening.take(process, line)
    raise process.fault(
        "hang", f"did not answer START within {settings.startup:g} s (startup: N allows more)"
    )


def tell(process: BrainProcess, infos: bytes, deadline: float) -> bool:
    """Tell the program what has no answer, and wait until it has done all that it does about it.

    It is done once the program answers ABOUT, or has come back to read a second question and uses
    no CPU. True if that was at once and without a word, as it will be again.
    """
    for line in [each for each in process.lines if kind_of_line(each) != "move"]:
        process.lines.remove(line)
        listening.take(process, line)
    known, began = process.about, time.monotonic()
    process.abouts += 1
    process.send(infos + b"ABOUT\n", deadline)
    if listening.is_answered(process, ABOUT_WAIT) or process.about != known:
        process.abouts = 0
        return time.monotonic() < began + AT_ONCE and not process.refuses
    wait_for_quiet(process, known, deadline)
    process.abouts = 0
    return False


def wait_for_quiet(process: BrainProcess, known: bytes, deadline: float) -> None:
    """Wait while the program has something to read, and for a while as long as it uses CPU."""
    last_read = since = time.monotonic()
    is_asked_again, used = False, None
    while not listening.is_answered(process, CPU_INTERVAL) and process.about == known:
        now = time.monotonic()
        if process.unread():
            if now > deadline:
                raise process.fault("hang", "has not read INFO in time (startup: N allows more)")
            last_read = since = now
        elif not is_asked_again:
            is_asked_again = True
            listening.ask_about(process)
        elif now > min(last_read + BUSY_TIMEOUT, deadline):
            busy = "goes on to use CPU after it has read INFO, which may be on its clock"
            process.remark("busy", busy)
            return
        elif (now_used := ticks(descendants(process.guard.pid))) is None or now_used != used:
            used, since = now_used, now
        elif now > since + IDLE_TIME:
            return


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
                listening.take(process, line)
    except ProgramError:
        pass
    return False
