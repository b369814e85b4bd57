"""One worker process, from both sides of its pipe."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Iterable
from contextlib import closing, suppress
from multiprocessing.connection import Connection

from arena.faults import ConfigError
from arena.logs import LogFile, WorkerLog
from arena.match import GameRecord, Job
from arena.table import Table
from arena.witness import Witness

LAST_WORDS = 1.0
"""Seconds for a process to end by itself, once its pipe is closed."""


class Worker:
    """Holds the parent's side: a process, a pipe to it, its log, and the job it is at."""

    def __init__(
        self, number: int, table: Table, log: LogFile, siblings: Iterable[Worker] = ()
    ) -> None:
        self.number = number
        self.job: Job | None = None
        self.witness = Witness()
        self.pipe, theirs = multiprocessing.Pipe()
        name = f"worker-{number}"
        self._log = WorkerLog(name, log)
        strangers = [self.pipe, *(sibling.pipe for sibling in siblings)]
        self._process = fork_context().Process(
            target=work,
            name=name,
            args=(theirs, table, self.witness, self._log, strangers, os.getpid()),
        )
        with warnings.catch_warnings():
            # The threads that write the log hold no lock that a worker takes.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        theirs.close()
        self._log.leave()

    def start(self, job: Job) -> None:
        """Give the worker a job; if it is dead by now, its pipe tells so at the next look."""
        self.job = job
        self.witness.forget()
        with suppress(OSError):
            self.pipe.send(job)

    def result(self) -> GameRecord | None:
        """The record that has come, the worker being free now; None if the worker is dead."""
        try:
            record: GameRecord = self.pipe.recv()
        except (EOFError, OSError):
            return None
        self.job = None
        return record

    def bury(self) -> int | None:
        """Clear away a process that has closed its pipe; its exit code."""
        self.pipe.close()
        self._process.join(LAST_WORDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._log.close()
        return self._process.exitcode

    def end(self) -> None:
        """End the process: at once if it is playing."""
        if self.job:
            self._process.kill()
        self.bury()


def work(
    pipe: Connection,
    table: Table,
    witness: Witness,
    log: WorkerLog,
    strangers: Iterable[Connection],
    parent: int,
) -> None:
    """In the worker: play what comes until the pipe closes."""
    die_with(parent)
    # Ctrl-C reaches the whole process group; it is the parent's to answer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for stranger in strangers:
        stranger.close()
    log.adopt()
    with closing(table), suppress(EOFError, OSError):
        while True:
            pipe.send(table.play(pipe.recv(), witness))


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies (Linux; elsewhere the pipe tells)."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def fork_context() -> multiprocessing.context.ForkContext:
    """The way to start processes that inherit warm kernels; ConfigError where there is none."""
    if "fork" not in multiprocessing.get_all_start_methods():
        raise ConfigError(
            "parallel workers need a system that can fork (Linux, macOS, WSL); use --workers 0"
        )
    # multiprocessing-logging loses every line, silently, under any other method.
    multiprocessing.set_start_method("fork", force=True)
    return multiprocessing.get_context("fork")
