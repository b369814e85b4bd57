"""A process in which somebody's code may run: its limits, and one answer from it as plain data."""

from __future__ import annotations

import ctypes
import faulthandler
import json
import multiprocessing
import os
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from arena.errors import ConfigError

PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of linux/prctl.h."""

MEGABYTE = 2**20

EXIT_TIMEOUT = 1.0
"""Seconds for a process to end by itself, once nothing is wanted of it any more."""

POLL_PAUSE = 0.002

LONGEST_ANSWER = 16 * MEGABYTE

STATM, LONGEST_STATM = "/proc/self/statm", 200
"""File of a process's sizes in pages, that of the address space first (Linux), and its length."""

CONFINED: int | None = None
"""The number of this process, if it is confined; those that it forks have others."""


def confine(parent: int, megabytes: int) -> None:
    """Put this process, in which engines are to run, under its limits; it dies with its parent."""
    global CONFINED
    CONFINED = os.getpid()
    if sys.platform == "linux":  # elsewhere, a pipe tells that the parent is dead
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    # Ctrl-C in the terminal is for the parent to answer; and the session is killed as a group.
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory(megabytes)


def is_confined() -> bool:
    """True if this process is there for engines to run in, and may be taken down by them."""
    return os.getpid() == CONFINED


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
    return size_told(Path(STATM).read_bytes())


def size_told(sizes: bytes) -> int:
    """The bytes of the address space that such a file tells."""
    return int(sizes.split()[0]) * resource.getpagesize()


@dataclass(frozen=True, slots=True)
class Question:
    """A function for a process of its own, and the limits of that process."""

    ask: Callable[[], object]
    who: str
    """Whoever's code it runs, for messages."""
    act: str
    """The thing done to that code there, such as "imported"."""
    patience: float
    """Seconds for an answer."""
    megabytes: int
    """Memory that it may take, more than there is at its start."""
    close: Callable[[], object] | None = None
    """A function to call after the answer."""


def answer_of(question: Question) -> Any:
    """The answer from a process of its own: plain data, but otherwise whatever its code likes.

    ConfigError if the function raises one, takes the process down, or does not come back in time.
    """
    ours, theirs = os.pipe()
    process = multiprocessing.get_context("fork").Process(
        target=reply, args=(question, theirs, os.getpid())
    )
    try:
        try:
            start_fork(process)
        finally:
            os.close(theirs)
        text = line_from(ours, process, question.patience)
        if text is None:
            raise ConfigError(
                f"{question.who} did not come back from being {question.act} "
                f"within {question.patience:g} s"
            )
        if not text.endswith(b"\n"):
            raise ConfigError(f"{question.who} {end_text(process, question.act)}")
        answer = understood(text, question)
        if question.close:
            await_end(process)
        return answer
    finally:
        os.close(ours)
        end(process)


def start_fork(process: BaseProcess) -> None:
    """Start a process, although Python, from 3.12 on, warns of threads in the one that forks.

    Those that write the log, those of a notebook and of libraries hold no lock that a worker takes.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()


def reply(question: Question, pipe: int, parent: int) -> None:
    """Ask, and write a line on how that went: the process's whole life."""
    confine(parent, question.megabytes)
    mute()
    try:
        answer = {"value": question.ask()}
    except ConfigError as error:
        answer = {"fault": str(error)}
    text = memoryview(json.dumps(answer).encode() + b"\n")
    while text:
        text = text[os.write(pipe, text) :]
    if question.close:
        question.close()


def mute() -> None:
    """Let nothing be read or printed: what is printed here would be printed again in a worker."""
    faulthandler.disable()  # it has kept a descriptor of its own
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def line_from(pipe: int, process: BaseProcess, patience: float) -> bytes | None:
    """The line that comes through a pipe, or what there is of it at the end; None if it is late.

    The end is that of the process: others that it started may hold its pipe open.
    """
    deadline = time.monotonic() + patience
    found = bytearray()
    death = death_of(process)
    try:
        while not found.endswith(b"\n") and len(found) <= LONGEST_ANSWER:
            left = deadline - time.monotonic()
            ready = wait([pipe, death], left) if left > 0 else []
            if not ready:
                return None
            data = os.read(pipe, MEGABYTE) if pipe in ready else b""
            if not data:
                break
            found += data
        return bytes(found)
    finally:
        os.close(death)


def death_of(process: BaseProcess) -> int:
    """A descriptor that is ready once a process is dead; it is to be closed.

    Under fork, multiprocessing's own sentinel is a pipe that the process's children inherit.
    """
    return (
        os.pidfd_open(process.pid or 0) if hasattr(os, "pidfd_open") else os.dup(process.sentinel)
    )


def understood(text: bytes, question: Question) -> Any:
    """The answer that a line holds; ConfigError if that is a fault, or no answer at all."""
    try:
        answer = json.loads(text)
        if set(answer) == {"value"}:
            return answer["value"]
        fault = answer["fault"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ConfigError(
            f"{question.who} wrote into the pipe of its process as it was {question.act}"
        ) from None
    raise ConfigError(str(fault))


def end_text(process: ForkProcess, act: str) -> str:
    """The way in which a process ended that gave no answer."""
    await_end(process)
    if process.exitcode is None:
        return f"closed the pipe of its process as it was {act}"
    return f"took its process down as it was {act}: exit code {process.exitcode}"


def await_end(process: BaseProcess) -> None:
    """Wait a little for a process to end by itself.

    `join` would wait for ever for one that has closed all its files and lives on.
    """
    deadline = time.monotonic() + EXIT_TIMEOUT
    while process.exitcode is None and time.monotonic() < deadline:
        time.sleep(POLL_PAUSE)


def end(process: ForkProcess) -> None:
    """End a process, if it was started, and those that it started."""
    if process.pid is not None:
        process.kill()
        process.join()
        kill_group(process.pid)
