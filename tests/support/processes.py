"""Processes that tests start, which end with the test; and those of a run, by their parent."""

from __future__ import annotations

import ctypes
import gc
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, TypeVar

Found = TypeVar("Found")
PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of linux/prctl.h
LIBRARY = ctypes.CDLL(None)


@contextmanager
def running(
    command: Sequence[str] | str, *, prepare: Callable[[], object] = os.setsid, **options: Any
) -> Iterator[subprocess.Popen[Any]]:
    """A process and its group, which end when this block does, and when the tests are killed.

    `prepare` is called in the new process, and makes it the leader of a session. Ctrl-C is heard
    there even if we ignore ours.
    """

    def begin() -> None:
        prepare()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if sys.platform == "linux":
            LIBRARY.prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)

    with subprocess.Popen(command, preexec_fn=begin, **options) as process:
        try:
            yield process
        finally:
            # a process that is over may have left others, which keep the group's number.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)


def finished(
    command: Sequence[str] | str,
    *,
    input: Any = None,
    check: bool = False,
    timeout: float = 300,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """A process that has ended by itself, with what it printed unless that goes elsewhere."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if input is not None:
        pipes["stdin"] = subprocess.PIPE
    with running(command, **{**pipes, **options}) as process:
        out, err = process.communicate(input, timeout=timeout)
    done = subprocess.CompletedProcess(command, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done


def workers_of(process: subprocess.Popen[bytes]) -> list[int]:
    with suppress(FileNotFoundError):
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        return [int(pid) for pid in listed.split()]
    return []


def kill_workers(process: subprocess.Popen[bytes], most: int, pause: float) -> int:
    random, kills = Random(1), 0
    while kills < most and process.poll() is None:
        time.sleep(random.uniform(0, pause))
        if workers := workers_of(process)[1:]:  # the first is the reaper
            with suppress(ProcessLookupError):
                os.kill(random.choice(workers), signal.SIGKILL)
                kills += 1
    return kills


def is_worker(pid: int) -> bool:
    """True if this process (whose number may have been used again) is one of ours, and alive."""
    with suppress(OSError):
        stat = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return stat[0] != "Z" and "arena" in Path(f"/proc/{pid}/cmdline").read_text()
    return False


def living_in(folder: Path) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (entry / "cwd").readlink() == folder:
                found.append(int(entry.name))
    return found


@contextmanager
def nothing_left(folder: Path) -> Iterator[None]:
    """Checks that no process works in the folder at the end, and nothing more is open or left."""
    descriptors, children = open_descriptors(), children_of(os.getpid())
    yield
    assert living_in(folder) == []
    if open_descriptors() - descriptors:
        gc.collect()  # a search of the whole heap, which takes a while
    assert not open_descriptors() - descriptors
    assert set(children_of(os.getpid())) <= set(children)


def open_descriptors() -> Counter[str]:
    """All that this process holds open, by kind: files by name, pipes, sockets, and so on."""
    found = Counter[str]()
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            path = str(entry.readlink())
            found[re.split(r"[:#]|/pym-", path)[0]] += 1
    return found


def children_of(pid: int) -> list[int]:
    found = list[int]()
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that ends meanwhile
            found += map(int, thread.read_text().split())
    return found


def awaited(look: Callable[[], Found], seconds: float = 60, pause: float = 0.02) -> Found:
    """The first true value of a look that is taken again and again; AssertionError if none is."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline
        time.sleep(pause)
    return found
