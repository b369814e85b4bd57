"""The processes below one, wherever they went: their memory, and their use of the CPU."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress

PAGE = os.sysconf("SC_PAGE_SIZE")
MOST_COUNTED = 5000


def _contents(path: str) -> bytes:
    """The bytes of a file of /proc; none if its process is gone."""
    with suppress(OSError), open(path, "rb", buffering=0) as file:
        return file.read()
    return b""


def descendants(ancestor: int) -> list[int]:
    """All processes below this one, which must be there itself; of very many, not all."""
    found, queue = list[int](), [ancestor]
    while queue and len(found) < MOST_COUNTED:
        children = list(_children_of(queue.pop()))
        found += children
        queue += children
    return found


def _children_of(process: int) -> Iterator[int]:
    """The children that any thread of a process has started, or that fell to it."""
    for thread in _threads_of(process):
        yield from map(int, _contents(f"/proc/{process}/task/{thread}/children").split())


def _threads_of(process: int) -> list[str]:
    """The numbers of a process's threads; none if it is gone."""
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
    """The bytes of memory that processes hold; shared pages count once, near the limit."""
    several = list(processes)
    total = sum(pages(_contents(f"/proc/{process}/statm")) for process in several) * PAGE
    if total <= limit or len(several) == 1:
        return total
    return sum(shares(_contents(f"/proc/{process}/smaps_rollup")) for process in several)


def pages(statm: bytes) -> int:
    """The resident pages."""
    return int(statm.split()[1]) if statm else 0


def shares(rollup: bytes) -> int:
    """The resident bytes; shared ones are divided among the processes that share them."""
    for line in rollup.splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return 0
