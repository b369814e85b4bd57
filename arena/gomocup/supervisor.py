"""The guard of one program, the parent of all that it starts, and the processes below one."""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress

DEATH_SIGNAL, CHILD_SUBREAPER = 1, 36  # PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER of linux/prctl.h
MEMORY_INTERVAL = 0.1  # seconds between two looks at what the program takes
MOST_PROCESSES = 200
KILL_ALL_TIMEOUT = 5.0
KILL_PAUSE = 0.001
NOT_STARTED = 127


def stand_guard() -> None:
    """Start a program and watch it to its end: the guard's whole life."""
    link, most, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    os.set_inheritable(link, False)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(CHILD_SUBREAPER, 1)
        # The program may have stopped its guard, which then has to see that the other side is gone.
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGCONT)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    ended, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    guard = os.getpid()
    program = os.fork()
    if program == 0:
        _become(command, guard)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    verdict = _watched(program, link, ended, most)
    _kill_all(guard)
    with suppress(OSError):
        os.write(link, verdict.encode())
    os._exit(0)


def _become(command: list[str], guard: int) -> None:
    """Turn this process into the program, which dies with its guard."""
    try:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != guard:
            os._exit(NOT_STARTED)
        os.setsid()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))  # a worker's own limit is inherited
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD)
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot be started: {error.strerror}\n".encode())
    finally:
        os._exit(NOT_STARTED)


def _watched(program: int, link: int, ended: int, most: int) -> str:
    """Watch until the program ends, takes too much, or is not wanted; a word and number on that."""
    poll = select.poll()
    for descriptor in (link, ended):
        poll.register(descriptor, select.POLLIN)
    while True:
        for descriptor, _ in poll.poll(MEMORY_INTERVAL * 1000):
            if descriptor == link:
                return "unwanted 0"
            os.read(ended, 4096)
            if (status := _reaped(program)) is not None:
                return _end_of(status) + _left_behind(len(descendants(os.getpid())))
        processes = descendants(os.getpid())
        if len(processes) > MOST_PROCESSES:
            return f"processes {len(processes)}"
        held = resident(processes, most)
        if held > most:
            return f"memory {held // 2**20}"


def _end_of(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"signal {-code}" if code < 0 else f"exit {code}"


def _left_behind(processes: int) -> str:
    return f"; it left {processes} process{'es' * (processes > 1)}" if processes else ""


def _reaped(program: int) -> int | None:
    """Reap all children that have ended; the status of the program, if it is among them."""
    program_status = None
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            if pid == program:
                program_status = status
    return program_status


def _kill_all(guard: int) -> None:
    """Kill all that lives below the guard, group by group, which no fork escapes, until none is."""
    deadline = time.monotonic() + KILL_ALL_TIMEOUT
    while (processes := descendants(guard)) and time.monotonic() < deadline:
        groups = set[int]()
        for process in processes:
            with suppress(OSError):
                groups.add(os.getpgid(process))
        for group in groups - {os.getpgid(0)}:
            with suppress(OSError):
                os.killpg(group, signal.SIGKILL)
        for process in processes:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        _reaped(0)
        time.sleep(KILL_PAUSE)


PAGE = os.sysconf("SC_PAGE_SIZE")
MOST_COUNTED = 5000


def _contents(path: str) -> bytes:
    """The bytes of a file of /proc; none if its process is gone."""
    with suppress(OSError), open(path, "rb", buffering=0) as file:
        return file.read()
    return b""


def descendants(ancestor: int) -> list[int]:
    """All processes below this one, which must be there itself; of very many, not all."""
    below, queue = list[int](), [ancestor]
    while queue and len(below) < MOST_COUNTED:
        children = list(_children_of(queue.pop()))
        below += children
        queue += children
    return below


def _children_of(process: int) -> Iterator[int]:
    """The children that any thread of a process has started, or that fell to it."""
    for thread in _threads_of(process):
        yield from map(int, _contents(f"/proc/{process}/task/{thread}/children").split())


def _threads_of(process: int) -> list[str]:
    with suppress(OSError):
        return os.listdir(f"/proc/{process}/task")
    return []


def ticks(processes: Iterable[int]) -> int | None:
    """The clock ticks of CPU that processes have used; None if one is running, or reads a disk."""
    total = 0
    for process in processes:
        for thread in _threads_of(process):
            fields = _contents(f"/proc/{process}/task/{thread}/stat").rpartition(b")")[2].split()
            if fields and fields[0] in (b"R", b"D"):
                return None
            total += sum(map(int, fields[11:13]))
    return total


def resident(processes: Iterable[int], limit: int) -> int:
    several = list(processes)
    total = sum(pages(_contents(f"/proc/{process}/statm")) for process in several) * PAGE
    if total <= limit or len(several) == 1:
        return total
    return sum(shares(_contents(f"/proc/{process}/smaps_rollup")) for process in several)


def pages(statm: bytes) -> int:
    return int(statm.split()[1]) if statm else 0


def shares(rollup: bytes) -> int:
    """The resident bytes; shared ones are divided among the processes that share them."""
    for line in rollup.splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return 0
