"""A process in which engines think for a page, as the server holds it."""

from __future__ import annotations

import os
from collections.abc import Callable
from multiprocessing import Pipe
from pickle import UnpicklingError
from types import UnionType
from typing import Any

from arena.processes.child import EXIT_TIMEOUT, Child

BUILDING = 600.0  # Seconds for an engine to be built: its kernels may have to be compiled first


class SilenceError(Exception):
    """No answer came in time; the process is ended."""


class DeathError(Exception):
    """The process is gone, with this exit code; None if it only closed its pipe."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


class WakeUp:
    """A flag that another thread can wait for beside an engine's answer, by its descriptor."""

    def __init__(self) -> None:
        self._end, self._start = Pipe(duplex=False)

    def fileno(self) -> int:
        return self._end.fileno()

    def set(self) -> None:
        self._start.send_bytes(b"!")

    def clear(self) -> None:
        while self.wait():
            self._end.recv_bytes()

    def wait(self, seconds: float = 0.0) -> bool:
        """Wait until the flag is set, at most `seconds`. Returns True if it is."""
        return self._end.poll(seconds)


class EngineProcess:
    """Holds the process, started when first needed, and again after its end.

    It is a new interpreter: a fork would keep the server's connections open.
    """

    def __init__(
        self, life: Callable[..., None], answers: type | UnionType, *arguments: Any
    ) -> None:
        """The process does `life(pipe, *arguments, parent)`, and sends nothing but `answers`."""
        self._life = life
        self._answers = answers
        self._arguments = arguments
        self._child: Child | None = None
        self.number = 0  # The number of processes that were started, this one included

    @property
    def is_running(self) -> bool:
        return self._child is not None

    def start(self) -> None:
        """Start the process; it ends with the thread that starts it."""
        self.number += 1
        self._child = Child.executed(self._life, *self._arguments, os.getpid())

    def tell(self, value: object) -> None:
        assert self._child
        self._child.send(value)

    def heard(self, patience: float, wake_up: int) -> Any:
        """Wait for the next answer, at most `patience` seconds.

        Returns None if the descriptor `wake_up` becomes readable first. Raises SilenceError on a
        timeout, DeathError if the process dies or sends anything else; then it is ended.
        """
        assert self._child
        try:
            answer = self._child.receive(patience, wake_up)
        except TimeoutError:
            self.end()
            raise SilenceError from None
        except (EOFError, OSError, UnpicklingError):
            raise DeathError(self.end(EXIT_TIMEOUT)) from None
        if not (answer is None or isinstance(answer, self._answers)):
            raise DeathError(self.end(EXIT_TIMEOUT))
        return answer

    def end(self, patience: float = 0.0) -> int | None:
        """End the process, and those that it started; its exit code if it has ended by itself."""
        child, self._child = self._child, None
        return child.end(patience) if child else None
