"""One program at the other end of pipes, without threads: what it says, and its end."""

from __future__ import annotations

import fcntl
import logging
import math
import os
import re
import select
import signal
import socket
import subprocess
import sys
import termios
import time
from array import array
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from arena.engine import Needs, ProgramError, Talk
from arena.game import Reason
from arena.gomocup.command import environment, is_wine, prepare_wine
from arena.gomocup.protocol import MEMORY_TOLERANCE, NAME_IN_ABOUT, Memory, kind_of_line
from arena.gomocup.supervisor import MOST_PROCESSES, descendants, resident, ticks
from arena.gomocup.transcript import Transcript, shown, split
from arena.processes.child import MEGABYTE

# Lines of the arena and its engines go to the log of a run by this name.
logger = logging.getLogger("arena.engines.gomocup")

START_GUARD = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); "
    "from arena.gomocup.supervisor import stand_guard; stand_guard()"
)
GUARD = [sys.executable, "-I", "-S", "-c", START_GUARD, str(Path(__file__).parents[2])]
CHUNK = 65536
MOST_LOGGED, LONGEST_LOGGED = 500, 400  # lines of a game that are logged, and characters of each
IDLE_TIME = 0.05  # seconds without use of CPU after which a program has done what it was told
UNENDED_MOVE_TIME = 0.2  # the same for a move without an end of line
LETTER = re.compile(rb"[A-Za-z]")
VERDICT_TIMEOUT, KILL_TIMEOUT = 0.3, 1.0
CODES: dict[str, tuple[Reason, str]] = {
    "exit": ("crash", "exited {when}, exit code {number}"),
    "signal": ("crash", "was killed {when} by signal {number}"),
    "memory": (
        "memory",
        "held {number} MB of memory {when}, with all that it started, and was told {memory.told}"
        " (memory: N in the file tells it N; above {memory.most} it is ended)",
    ),
    "processes": ("exception", f"had {{number}} processes {{when}}, more than {MOST_PROCESSES}"),
    "unwanted": ("crash", "was ended {when}"),
}
"""The guard's words on how a program ended."""


class BrainProcess:
    """Holds a running program: its pipes, its guard, and the lines that are not yet taken."""

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        memory: Memory,
        newline: bytes = b"\n",
        talk: Talk | None = None,
    ) -> None:
        self.talk: Talk = talk or (lambda mark, data: None)  # told of all that pipes carry
        self.program = command[1 if is_wine(command) and len(command) > 1 else 0]
        self.name = os.path.basename(self.program)
        self.command = command
        self.memory = memory
        self.newline = newline
        self.lines: deque[bytes] = deque()
        self.transcript = Transcript()
        self.stage = "before it answered START"  # the program's task, as words on when a fault came
        self.is_open = True
        self.abouts = 0  # questions ABOUT that may still be answered
        self.about = b""  # its answer to ABOUT
        self.has_unended = False  # it has written an answer without an end of line
        self.restarts = 0  # times it was told RESTART, which may have broken it; 0 if ruled out
        self.lost_by = ""  # words on the fault for which it was ended
        self.refuses = False  # it has refused something that wants no answer
        self.remarked = set[str]()  # the oddities of this player that the log has a warning of
        self.logged, self._count = 0, array("i", [0])
        self._rest = self._error_rest = b""
        self._ticks: int | None = None
        self._idle_since = 0.0
        theirs_in, self.input = os.pipe()
        self.output, theirs_out = os.pipe()
        self.errors, theirs_errors = os.pipe()
        self._link, theirs = socket.socketpair()
        ends = theirs_in, theirs_out, theirs_errors
        try:
            with theirs:
                self.guard = _guarded(command, folder, memory.most, ends, theirs.fileno())
        except BaseException:
            self._close_ends()
            raise
        finally:
            for each in ends:
                os.close(each)
        self.poller = select.poll()
        for each in (self.output, self.errors):
            os.set_blocking(each, False)
            self.poller.register(each, select.POLLIN)
        os.set_blocking(self.input, False)
        self.has_spoken = [(self.output, select.POLLIN)]  # polled where there is just output

    def send(self, data: bytes, deadline: float) -> None:
        """Write lines that end with LF, as its own do, in time; ProgramError at a closed input."""
        data = data.replace(b"\n", self.newline)
        self.transcript.tell(data)
        self.push(data, deadline)

    def push(self, data: bytes, deadline: float) -> None:
        """Write the very bytes, without a word in the transcript."""
        while data:
            try:
                data = data[self._write(data) :]
            except BlockingIOError:
                left = deadline - time.monotonic()
                if left <= 0:
                    return  # it does not read: its answer will not come either
                room = select.poll()
                room.register(self.input, select.POLLOUT)
                room.poll(min(left, 0.05) * 1000)
                self.hear(0)
            except BrokenPipeError:
                raise self.fault_at_end("closed its input") from None

    def post(self, data: bytes) -> int:
        """Write the very bytes without a wait, and tell how many went: of an ended program none."""
        try:
            return self._write(data)
        except OSError:
            return 0

    def _write(self, data: bytes) -> int:
        written = os.write(self.input, data)
        self.talk(">", data[:written])
        return written

    def unread(self) -> int:
        """The bytes that were written to the program and that it has not read."""
        fcntl.ioctl(self.input, termios.FIONREAD, self._count)
        return self._count[0]

    def hear(self, seconds: float) -> bool:
        """Wait for more at most so long; True if there are lines. ProgramError at its end.

        What stands without an end of line is a line once the program is idle.
        """
        if self._rest:
            seconds = min(seconds, IDLE_TIME)
        spoken = self.poller.poll(int(seconds * 1000) + (seconds > 0))
        if not spoken and self._rest and self.idle_seconds() > self._patience_with_rest():
            self.has_unended = True
            self.take(b"\n")
        for descriptor, _ in spoken:
            try:
                data = self.read(descriptor)
            except BlockingIOError:
                continue
            if descriptor == self.errors:
                self._take_errors(data)
            elif data:
                self.take(data)
            else:
                raise self.fault_at_end("closed its output")
        return bool(self.lines)

    def read(self, descriptor: int) -> bytes:
        """What it has written to its output, or to standard error. Raises BlockingIOError."""
        data = os.read(descriptor, CHUNK)
        self.talk("<" if descriptor == self.output else "!", data)
        return data

    def take(self, data: bytes) -> None:
        *whole, self._rest = split(self._rest, data)
        if NAME_IN_ABOUT.search(self.about) and self._rest.endswith(self.about):
            whole, self._rest = [*whole, self._rest], b""
            self.has_unended = True
        self._ticks = None
        for line in filter(None, map(bytes.strip, whole)):
            if self.about:
                line = self._without_about(line)
            self.lines.append(line)
            if line != self.about:
                self.transcript.hear(line)

    def _patience_with_rest(self) -> float:
        """Seconds for which it must be idle until its rest of a line counts as a line.

        Half of one never does; a move longer than all else, since a digit may follow.
        """
        kind = kind_of_line(self._rest.strip())
        if kind == "move":
            return UNENDED_MOVE_TIME
        is_half = kind in ("text", "no move") and not LETTER.search(self._rest)
        return math.inf if is_half else IDLE_TIME

    def _without_about(self, line: bytes) -> bytes:
        """A line without answers to ABOUT that the program has not ended; that answer alone."""
        rest = line
        while rest.startswith(self.about):
            rest = rest[len(self.about) :].lstrip()
        is_told = NAME_IN_ABOUT.search(self.about) or kind_of_line(rest) in ("move", "ok", "swap")
        if kind_of_line(line) == "move" or (rest and not is_told):
            return line
        return rest or self.about

    @property
    def is_within_line(self) -> bool:
        return bool(self._rest)

    def held_memory(self) -> int:
        """The megabytes that it holds, with all that it has started."""
        processes = descendants(self.guard.pid)
        return resident(processes, self.memory.told * MEGABYTE) // MEGABYTE

    def idle_seconds(self) -> float:
        """Seconds since a look at which it had read all and used no CPU since, up to this look."""
        now = time.monotonic()
        used = None if self.unread() else ticks(descendants(self.guard.pid))
        if used is None or used != self._ticks:
            self._ticks, self._idle_since = used, now
        return now - self._idle_since

    def is_idle(self) -> bool:
        self.idle_seconds()
        time.sleep(IDLE_TIME)
        return self.idle_seconds() >= IDLE_TIME

    def _take_errors(self, data: bytes) -> None:
        if not data:
            self.poller.unregister(self.errors)
        *whole, self._error_rest = split(self._error_rest, data)
        for line in filter(bytes.strip, whole):
            self.transcript.hear_error(line)
            self.log(line, "stderr: ")

    def log(self, line: bytes, source: str = "") -> None:
        """Put a line into the log, unless there are too many."""
        self.logged += 1
        if self.logged < MOST_LOGGED:
            logger.info("%s: %s%s", self.name, source, shown(line, LONGEST_LOGGED))
        elif self.logged == MOST_LOGGED:
            logger.warning("%s: more lines than %d; the rest is left out", self.name, MOST_LOGGED)

    def remark(self, oddity: str, words: str, on_screen: bool = False) -> None:
        """Put a warning into the log, of each oddity once."""
        if oddity not in self.remarked:
            self.remarked.add(oddity)
            logger.warning("%s %s", self.name, words, extra={"on_screen": on_screen})

    def remark_memory(self) -> None:
        if (held := self.held_memory()) > self.memory.told * MEMORY_TOLERANCE:
            words = f"holds {held} MB of memory, and was told {self.memory.told}"
            self.remark("memory", f"{words}; Gomocup would end it")

    def skip(self, line: bytes) -> None:
        self.remark("skipped", f"writes lines that are no answer, such as: {shown(line, 100)}")
        self.log(line, "skipped: ")

    def fault(self, reason: Reason, words: str) -> ProgramError:
        """An error in these words, with what was said last; the program is ended."""
        self.kill()
        self.lost_by = self.transcript.with_cause(words)
        if reason == "memory":
            self.restarts = 0
        error = ProgramError(reason, self.transcript.explained(words), self.program)
        error.is_new_game_at_fault = self.restarts > 0
        return error

    def fault_at_end(self, otherwise: str) -> ProgramError:
        """An error for a program that has ended, or `otherwise` does not talk any more."""
        verdict = self._guard_verdict()
        for pipe, take in ((self.output, self.take), (self.errors, self._take_errors)):
            with suppress(OSError):
                if data := self.read(pipe):
                    take(data)
        if self._rest:
            self.take(b"\n")
        if self._error_rest:
            self._take_errors(b"\n")
        end = _end_in_words(verdict, self.stage, self.memory)
        return self.fault(*end) if end else self.fault("crash", f"{otherwise} {self.stage}")

    def _guard_verdict(self) -> str:
        """The guard's words on how the program ended; empty if it has not."""
        self._link.settimeout(VERDICT_TIMEOUT)
        try:
            return self._link.recv(100).decode()
        except OSError:
            return ""

    def end(self, patience: float) -> None:
        if not self.is_open:
            return
        deadline = time.monotonic() + patience
        with suppress(ProgramError, OSError):
            self.send(b"END\n", deadline)
            while (left := deadline - time.monotonic()) > 0:
                self.lines.clear()
                self.hear(left)
        self.kill()

    def kill(self) -> None:
        """Kill the program and all that it started, and let go of the pipes."""
        if not self.is_open:
            return
        self._close_ends()
        self.guard.send_signal(signal.SIGCONT)  # the program may have stopped it
        try:
            self.guard.wait(KILL_TIMEOUT)
        except subprocess.TimeoutExpired:
            _kill_below(self.guard)

    def _close_ends(self) -> None:
        """Close the pipes and the socket, at which the guard kills all."""
        self.is_open = False
        self._link.close()
        for each in (self.input, self.output, self.errors):
            os.close(each)


def _guarded(
    command: Sequence[str], folder: str, most: int, ends: tuple[int, int, int], link: int
) -> subprocess.Popen[bytes]:
    if is_wine(command):
        prepare_wine(command)
    return subprocess.Popen(
        [*GUARD, str(link), str(most * MEGABYTE), *command],
        stdin=ends[0],
        stdout=ends[1],
        stderr=ends[2],
        pass_fds=[link],
        cwd=folder,
        env=environment(command),
        start_new_session=True,
    )


def _end_in_words(verdict: str, when: str, memory: Memory) -> tuple[Reason, str] | None:
    """The reason and words for a guard's verdict; None if it is none."""
    kind, _, number = verdict.partition(" ")
    if kind not in CODES:
        return None
    reason, words = CODES[kind]
    return reason, words.format(when=when, number=number, memory=memory)


def _kill_below(guard: subprocess.Popen[bytes]) -> None:
    for process in [*descendants(guard.pid), guard.pid]:
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)
    guard.wait()


def needs_of(process: BrainProcess | None, start: float, startup: float) -> Needs:
    """The needs of a program that took `start` seconds to start, of the `startup` allowed."""
    if process is None:
        return Needs(start, startup, 0, 0, 0)
    told, most = process.memory
    return Needs(start, startup, process.held_memory(), told, most)
