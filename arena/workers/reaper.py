"""A process that ends the programs that engines started, when the run itself is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
from contextlib import suppress
from multiprocessing.connection import Connection

from arena.processes.confine import kill_group, start_fork
from arena.workers.sandbox import fork_context


class Reaper:
    """Holds a process that outlives this one by a moment.

    Workers die with their parent; a program that an engine started does not. The reaper waits for
    the parent's end of a pipe to close, which the kernel does whatever kills the parent.
    """

    def __init__(self) -> None:
        theirs, self.pipe = multiprocessing.Pipe(duplex=False)
        self._process = fork_context().Process(target=reap_orphans, args=(theirs, self.pipe))
        start_fork(self._process)
        theirs.close()

    def add(self, leader: int) -> None:
        """Remember a worker, whose session is to end when this process does."""
        self.pipe.send((leader, True))

    def remove(self, leader: int) -> None:
        """Forget a worker whose session is ended: its number may soon be another process's."""
        with suppress(OSError):
            self.pipe.send((leader, False))

    def close(self) -> None:
        """Let the reaper's process end."""
        self.pipe.close()
        self._process.join()


def reap_orphans(pipe: Connection, others_end: Connection) -> None:
    """Collect workers until the pipe closes, then end their groups: the reaper's whole life."""
    others_end.close()
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    leaders: dict[int, bool] = {}
    with suppress(EOFError, OSError):
        while True:
            leader, is_alive = pipe.recv()
            leaders[leader] = is_alive
    for leader, is_alive in leaders.items():
        if is_alive:
            kill_group(leader)
