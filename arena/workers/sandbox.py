"""Watch over a process in which engines play: what they print, fork, and take of its memory."""

from __future__ import annotations

import faulthandler
import io
import logging
import os
import sys
from typing import Any

from arena.processes.confine import LONGEST_STATM, MEGABYTE, STATM, size_told
from arena.workers.heartbeat import Heartbeat

logger = logging.getLogger(__name__)


class MemoryBudget:
    """Holds the size that a worker may reach before another takes its place."""

    def __init__(self, megabytes: int) -> None:
        # Kept open, it is read in a tenth of the time.
        self._sizes = os.open(STATM, os.O_RDONLY) if sys.platform == "linux" else None
        self._most = self._address_space() + megabytes * MEGABYTE // 2

    def is_spent(self) -> bool:
        """True if half of the memory limit is taken: no later game should suffer from that."""
        return self._address_space() > self._most

    def _address_space(self) -> int:
        """The bytes of this process's address space; 0 where that is not told."""
        return 0 if self._sizes is None else size_told(os.pread(self._sizes, LONGEST_STATM, 0))


class ForkGuard:
    """Holds the seat that forked; the child, a second referee in mid-game, is ended at once.

    Children of C code, where Python is not told, end when they next use the heartbeat.
    """

    def __init__(self, heartbeat: Heartbeat) -> None:
        self._heartbeat = heartbeat
        self._forked = 0
        os.register_at_fork(after_in_child=self._end_child, after_in_parent=self._note)

    def _end_child(self) -> None:
        os._exit(1)

    def _note(self) -> None:
        self._forked = self._heartbeat.seat

    def seat(self) -> int:
        """The seat that has forked since this was last asked; 0 if none has."""
        seat, self._forked = self._forked, 0
        return seat


class LogBytes(io.RawIOBase):
    """A stream that writes what an engine prints to the log, line by line."""

    def __init__(self) -> None:
        self._rest = b""

    def writable(self) -> bool:
        """True: it can always be written to."""
        return True

    def fileno(self) -> int:
        """The descriptor of standard output, for those that go behind Python's back."""
        return 1

    def write(self, data: Any) -> int:
        """Log the lines that are complete."""
        *lines, self._rest = (self._rest + bytes(data)).split(b"\n")
        for line in lines:
            logger.info("printed: %s", line.decode("utf-8", "backslashreplace"))
        return len(data)


def capture_output(file: str) -> None:
    """Send printed text to the log: Python's line by line, any other as it comes."""
    sys.stdout = sys.stderr = io.TextIOWrapper(LogBytes(), "utf-8", write_through=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    # A crash of the interpreter leaves its traceback there as well.
    faulthandler.enable(2)
