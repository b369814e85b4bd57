"""The process of a game's engines, as the game sees it: tasks in, answers out, and its end."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from arena.config.settings import Player
from arena.match.terms import Terms
from arena.processes.child import EXIT_TIMEOUT
from arena.processes.confine import kill_group
from arena.server.play.thinking import Answer, Task

LONGEST_REPLY = 2**16
PROGRAM = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[2]); "
    "from arena.server.play.thinking import begin; begin(int(sys.argv[1]))"
)
"""The new interpreter's: multiprocessing's own would run the server's main script again."""


class SilenceError(Exception):
    """No answer came in time; the process is ended."""


class DeathError(Exception):
    """The process is gone, with this exit code; None if it only closed its pipe."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


class EngineProcess:
    """Holds the process, started when first needed, and again after its end.

    It is a new interpreter: a fork would keep the server's connections open.
    """

    def __init__(self, terms: Terms, players: tuple[Player, ...]) -> None:
        self._terms = terms
        self._players = players
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._death: list[int] = []
        self.number = 0
        """The number of processes that were started, this one included."""

    @property
    def is_running(self) -> bool:
        """True while there is a process that is taken to be alive."""
        return self._process is not None

    def start(self) -> None:
        """Start the process."""
        self.number += 1
        self._pipe, theirs = multiprocessing.Pipe()
        command = [sys.executable, "-c", PROGRAM, str(theirs.fileno()), json.dumps(sys.path)]
        with theirs:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
            )
        if hasattr(os, "pidfd_open"):
            # What an engine starts may hold its pipe open.
            self._death = [os.pidfd_open(self._process.pid)]
        with suppress(OSError):
            self._pipe.send((self._terms, self._players, os.getpid()))

    def answer(self, task: Task, patience: float, alarm: int) -> Answer | None:
        """The answer to a task; None, and the process ended, if the `alarm` is raised before.

        That is a descriptor, which is left as it is. SilenceError, DeathError: see there.
        """
        assert self._pipe
        deadline = time.monotonic() + patience
        with suppress(OSError):
            self._pipe.send(task)
        ready = wait([self._pipe, *self._death, alarm], max(deadline - time.monotonic(), 0))
        if self._pipe in ready or self._pipe.poll():
            return self._received()
        if set(self._death) & set(ready):
            raise DeathError(self.end(may_end_itself=True))
        self.end()
        if alarm in ready:
            return None
        raise SilenceError

    def _received(self) -> Answer:
        """The answer that has come; DeathError if it is none of ours."""
        assert self._pipe
        try:
            found = json.loads(self._pipe.recv_bytes(LONGEST_REPLY))
            if isinstance(found, dict) and len(found) == 1:
                return found
        except (EOFError, OSError, ValueError, RecursionError):
            pass
        raise DeathError(self.end(may_end_itself=True))

    def end(self, may_end_itself: bool = False) -> int | None:
        """End the process, and those that it started; its exit code if it has ended by itself."""
        process, self._process = self._process, None
        if process is None or self._pipe is None:
            return None
        self._pipe.close()
        if may_end_itself:
            with suppress(subprocess.TimeoutExpired):
                process.wait(EXIT_TIMEOUT)
        code = process.poll()
        process.kill()
        process.wait()
        kill_group(process.pid)
        for death in self._death:
            os.close(death)
        self._death = []
        return code
