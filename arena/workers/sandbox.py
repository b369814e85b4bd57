"""Limits around a process in which engines run: its output, memory, forks and programs."""

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
import warnings
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from arena.errors import ConfigError
from arena.workers.heartbeat import Heartbeat

logger = logging.getLogger(__name__)

PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of linux/prctl.h."""

MEGABYTE = 2**20

EXIT_TIMEOUT = 1.0
"""Seconds for a process to end by itself, once nothing is wanted of it any more."""


def confine(parent: int, megabytes: int) -> None:
    """Put this process, in which engines are to run, under its limits; it dies with its parent."""
    if sys.platform == "linux":  # elsewhere, a pipe tells that the parent is dead
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    # Ctrl-C in the terminal is for the parent to answer; and the session is killed as a group.
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory(megabytes)


def kill_group(leader: int) -> None:
    """End whatever a confined process, dead or alive, has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def limit_memory(megabytes: int) -> None:
    """Let this process take so much more than it has now; then it gets MemoryErrors."""
    if sys.platform == "linux":
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = address_space() + megabytes * MEGABYTE
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def address_space() -> int:
    """The bytes of this process's address space (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


class MemoryBudget:
    """Holds the size that a worker may reach before another takes its place."""

    def __init__(self, megabytes: int) -> None:
        self._most = address_space() + megabytes * MEGABYTE // 2 if sys.platform == "linux" else 0

    def is_spent(self) -> bool:
        """True if half of the memory limit is taken: no later game should suffer from that."""
        return bool(self._most) and address_space() > self._most


def fork_context() -> multiprocessing.context.ForkContext:
    """The context to start processes in that inherit warm kernels; ConfigError without fork."""
    if "fork" not in multiprocessing.get_all_start_methods():
        raise ConfigError(
            "parallel workers need a system that can fork (Linux, macOS, WSL); use --workers 0"
        )
    # multiprocessing-logging loses every line, silently, under any other method.
    multiprocessing.set_start_method("fork", force=True)
    return multiprocessing.get_context("fork")


def start_fork(process: BaseProcess) -> None:
    """Start a process, although Python, from 3.12 on, warns of threads in the one that forks.

    Those that write the log, and those of libraries, hold no lock that a worker takes.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()


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
    """Send what is printed to the log: by Python line by line, by anything else as it comes."""
    sys.stdout = sys.stderr = io.TextIOWrapper(LogBytes(), "utf-8", write_through=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    # A crash of the interpreter leaves its traceback there as well.
    faulthandler.enable(2)


def trial_build(
    build: Callable[[], object], close: Callable[[], object], patience: float, megabytes: int
) -> str | None:
    """Build an engine, and close it, in a process of its own, which it may hang or take down.

    Returns the fault, one being not to be built within `patience` seconds; None if there is none.
    """
    ours, theirs = fork_context().Pipe()
    process = fork_context().Process(
        target=build_once, args=(build, close, theirs, os.getpid(), megabytes)
    )
    start_fork(process)
    theirs.close()
    try:
        if not ours.poll(patience):
            return f"engine did not come back from being built within {patience:g} s"
        fault: str | None = ours.recv()
        process.join(EXIT_TIMEOUT)
        return fault
    except EOFError:
        process.join()
        return f"engine took its process down as it was built: exit code {process.exitcode}"
    finally:
        process.kill()
        process.join()
        kill_group(process.pid or 0)
        ours.close()


def build_once(
    build: Callable[[], object],
    close: Callable[[], object],
    pipe: Connection,
    parent: int,
    megabytes: int,
) -> None:
    """Build, tell through the pipe how it went, and close: the trial process's whole life."""
    confine(parent, megabytes)
    # What it prints belongs to no game: it will print it again in its worker.
    capture_output(os.devnull)
    try:
        build()
        pipe.send(None)
        close()
    except ConfigError as error:
        pipe.send(str(error))
