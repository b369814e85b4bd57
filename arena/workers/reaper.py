"""A process that ends the programs that engines started, when the run itself is killed."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from arena.processes.child import EXIT_TIMEOUT, Child, ValuePipe
from arena.processes.confine import kill_group


class Reaper:
    """Holds a process that outlives this one by a moment.

    Workers die with their parent; a program that an engine started does not. The reaper waits for
    the parent's end of a pipe to close, which the kernel does at any end of the parent.
    """

    def __init__(self) -> None:
        self._child = Child.forked(_reap_orphans)

    def add(self, leader: int) -> None:
        """Remember a worker, whose session is to end when this process does."""
        self._child.send((leader, True))

    def remove(self, leader: int) -> None:
        """Forget a worker whose session is ended: its number may soon be another process's."""
        self._child.send((leader, False))

    def close(self) -> None:
        """Let the reaper's process end."""
        self._child.end(EXIT_TIMEOUT)


def _reap_orphans(pipe: ValuePipe) -> None:
    """Collect workers until the pipe closes, then end their groups: the reaper's whole life."""
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    leaders: dict[int, bool] = {}
    with suppress(EOFError, OSError):
        while True:
            leader, is_alive = pipe.receive()
            leaders[leader] = is_alive
    for leader, is_alive in leaders.items():
        if is_alive:
            kill_group(leader)
