"""The limits of a process in which an engine's code runs."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path

PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of linux/prctl.h."""

MEGABYTE = 2**20

STATM, LONGEST_STATM = "/proc/self/statm", 200
"""File of a process's sizes in pages, that of the address space first (Linux), and its length."""

CONFINED: int | None = None
"""The number of this process, if it is confined; those that it forks have others."""


def confine(parent: int, megabytes: int) -> None:
    """Put this process, in which engines are to run, under its limits; it dies with its parent."""
    global CONFINED
    CONFINED = os.getpid()
    die_with(parent)  # where this is not Linux, a pipe tells that the parent is dead
    # Ctrl-C in the terminal is for the parent to answer; and the session is killed as a group.
    if os.getsid(0) != os.getpid():
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory(megabytes)


def die_with(parent: int) -> None:
    """Let this process be killed once its parent is dead (on Linux), or end it if that is so."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def is_confined() -> bool:
    """True if this process is there for engines to run in, and may be taken down by them."""
    return os.getpid() == CONFINED


def kill_group(leader: int) -> None:
    """End all processes that a confined process, dead or alive, has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _limit_memory(megabytes: int) -> None:
    """Limit the memory of this process to what it has now and `megabytes` more."""
    if sys.platform == "linux":
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = _address_space() + megabytes * MEGABYTE
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _address_space() -> int:
    """The bytes of this process's address space (Linux)."""
    return size_told(Path(STATM).read_bytes())


def size_told(sizes: bytes) -> int:
    """The bytes of the address space, from the contents of STATM."""
    return int(sizes.split()[0]) * resource.getpagesize()


def mute() -> None:
    """Let nothing be read or printed: what is printed here would be printed again in a worker."""
    faulthandler.disable()  # it has kept a descriptor of its own
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
