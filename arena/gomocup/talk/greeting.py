"""The talk with a program around its games: START, INFO, RESTART."""

from __future__ import annotations

import time
from collections.abc import Sequence

from arena.engine import ProgramError, Talk
from arena.gomocup.process import IDLE_TIME, BrainProcess
from arena.gomocup.protocol import Memory, Settings, kind_of_line
from arena.gomocup.talk import listening
from arena.gomocup.talk.answer import Wait
from arena.gomocup.transcript import shown

ABOUT_WAIT = 0.02
"""Seconds for an answer to ABOUT before a closer look at the program."""
AT_ONCE = 0.01
"""Seconds to answer ABOUT for a program that does nothing about INFO."""
CPU_INTERVAL = 0.005
BUSY_TIMEOUT = 5.0
"""Seconds beyond its last read in which a program may go on to use CPU."""
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
        error.words += (
            f"; it plays {other} x {other}: set the game's size, as in --game gomoku:size={other}"
        )
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
        listening.take(process, line)
    known, began = process.about, time.monotonic()
    process.abouts += 1
    process.send(infos + b"ABOUT\n", deadline)
    if listening.is_answered(process, ABOUT_WAIT) or process.about != known:
        process.abouts = 0
        return time.monotonic() < began + AT_ONCE and not process.refuses
    _wait_for_quiet(process, known, deadline)
    process.abouts = 0
    return False


def _wait_for_quiet(process: BrainProcess, known: bytes, deadline: float) -> None:
    """Wait while the program has something to read, and for a while as long as it uses CPU."""
    last_read = time.monotonic()
    is_asked_again = False
    while not listening.is_answered(process, CPU_INTERVAL) and process.about == known:
        now = time.monotonic()
        if process.unread():
            if now > deadline:
                raise process.fault("hang", "has not read INFO in time (startup: N allows more)")
            last_read = now
        elif not is_asked_again:
            is_asked_again = True
            listening.ask_about(process)
        elif now > min(last_read + BUSY_TIMEOUT, deadline):
            busy = "goes on to use CPU after it has read INFO, which may be on its clock"
            process.remark("busy", busy)
            return
        elif process.idle_seconds() > IDLE_TIME:
            listening.is_answered(process, CPU_INTERVAL)  # without an end of line, perhaps
            return


def restarts(process: BrainProcess) -> bool:
    """Tell the program to begin a new game; False if it does not know how to, or has ended.

    Moves that come before its answer are late ones of the game before.
    """
    deadline, command = time.monotonic() + RESTART_TIMEOUT, b"RESTART\n"
    try:
        process.lines.clear()
        process.send(command, deadline)
        line = Wait(process, command, deadline, ("ok", "refusal")).line()
    except ProgramError:
        return False
    process.restarts += 1
    return line is not None and kind_of_line(line) == "ok"
