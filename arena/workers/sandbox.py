"""What keeps an engine's mischief inside its worker process."""

from __future__ import annotations

import ctypes
import faulthandler
import io
import logging
import multiprocessing
import os
import resource
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.errors import ConfigError
from arena.match.record import GameRecord
from arena.workers.heartbeat import Witness

logger = logging.getLogger(__name__)

PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of linux/prctl.h."""

MEGABYTE = 2**20


def enter(parent: int, megabytes: int) -> None:
    """The first steps of a process in which engines run."""
    die_with(parent)
    # Ctrl-C in the terminal is for the parent to answer; and the session is killed as a group.
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory(megabytes)


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies (Linux; elsewhere the pipe tells)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def kill_group(leader: int) -> None:
    """End whatever a process that entered here, dead or alive, has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def limit_memory(megabytes: int) -> None:
    """Let this process take so much more than it has now; then it gets MemoryErrors."""
    if sys.platform == "linux":
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = taken() + megabytes * MEGABYTE
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def taken() -> int:
    """Bytes of this process's address space (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


class Scales:
    """Holds what a worker weighed at its start, to see when it carries too much for the next."""

    def __init__(self, megabytes: int) -> None:
        self._most = taken() + megabytes * MEGABYTE // 2 if sys.platform == "linux" else 0

    def is_full(self) -> bool:
        """Whether half of the memory it may take is gone: no later game should suffer from that."""
        return bool(self._most) and taken() > self._most


def fork_context() -> multiprocessing.context.ForkContext:
    """The way to start processes that inherit warm kernels; ConfigError where there is none."""
    if "fork" not in multiprocessing.get_all_start_methods():
        raise ConfigError(
            "parallel workers need a system that can fork (Linux, macOS, WSL); use --workers 0"
        )
    # multiprocessing-logging loses every line, silently, under any other method.
    multiprocessing.set_start_method("fork", force=True)
    return multiprocessing.get_context("fork")


class Forks:
    """Holds who forked; a fork's child would be a second referee in mid-game, and ends at once.

    Children of C code, where Python is not told, end when they first write to the witness.
    """

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self._process = os.getpid()
        self._by = 0
        os.register_at_fork(after_in_child=self._end_child, after_in_parent=self._note)

    def _end_child(self) -> None:
        os._exit(1)

    def _note(self) -> None:
        self._by = self._witness.turn

    def judge(self, record: GameRecord) -> GameRecord:
        """The record of the game just played; who forked in it has lost it."""
        if os.getpid() != self._process:
            os._exit(1)  # a child that C code forked, where Python is not told
        forked, self._by = self._by, 0
        if not forked:
            return record
        return replace(
            record,
            winner=3 - forked,
            reason="exception",
            detail="forked its process (as preexec_fn does)",
        )


class LogBytes(io.RawIOBase):
    """Takes what an engine prints to the log, line by line."""

    def __init__(self) -> None:
        self._rest = b""

    def writable(self) -> bool:
        """Always."""
        return True

    def fileno(self) -> int:
        """Of standard output, for those that go behind Python's back."""
        return 1

    def write(self, data: Any) -> int:
        """Log the lines that are complete."""
        *lines, self._rest = (self._rest + bytes(data)).split(b"\n")
        for line in lines:
            logger.info("printed: %s", line.decode("utf-8", "backslashreplace"))
        return len(data)


def capture_output(file: Path) -> None:
    """What is printed goes to the log: by Python line by line, by anything else as it comes."""
    sys.stdout = sys.stderr = io.TextIOWrapper(LogBytes(), "utf-8", write_through=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    # A crash of the interpreter leaves its traceback there as well.
    faulthandler.enable(2)
