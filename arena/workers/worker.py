"""One worker process, from both sides of its pipe."""

from __future__ import annotations

import multiprocessing
import os
import traceback
import warnings
from collections.abc import Iterable
from contextlib import closing, suppress
from multiprocessing.connection import Connection

from arena.match.record import GameRecord, Job
from arena.workers.heartbeat import Witness
from arena.workers.logs import LogFile, WorkerLog
from arena.workers.reaper import Warden
from arena.workers.referee import Referee
from arena.workers.sandbox import (
    Forks,
    Scales,
    capture_output,
    enter,
    fork_context,
    kill_group,
)

LAST_WORDS = 1.0
"""Seconds for a process to end by itself, once its pipe is closed."""


class Worker:
    """Holds the parent's side: a process, a pipe to it, its log, and the job it is at."""

    def __init__(
        self,
        number: int,
        table: Referee,
        log: LogFile,
        warden: Warden,
        siblings: Iterable[Worker] = (),
    ) -> None:
        self.number = number
        self.job: Job | None = None
        self.rests_until = 0.0
        """On the monotonic clock: no job before."""
        self.witness = Witness(table.terms.hang)
        self.pipe, theirs = multiprocessing.Pipe()
        name = f"worker-{number}"
        self._log = WorkerLog(name, log)
        strangers = [self.pipe, warden.pipe, *(sibling.pipe for sibling in siblings)]
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
        self._warden = warden
        warden.watch(self._process.pid or 0)
        # Under fork, multiprocessing's own sentinel is a pipe that an engine's children inherit.
        self._pidfd = os.pidfd_open(self._process.pid or 0) if hasattr(os, "pidfd_open") else None
        self.death = self._process.sentinel if self._pidfd is None else self._pidfd

    def start(self, job: Job) -> None:
        """Give the worker a job; if it is dead by now, its pipe tells so at the next look."""
        self.job = job
        self.witness.forget()
        with suppress(OSError):
            self.pipe.send(job)

    def result(self) -> GameRecord | None:
        """The record that has come, the worker being free now; None if the worker is dead.

        RuntimeError for a fault that is ours: it must never become a player's.
        """
        try:
            if not self._process.is_alive():
                self.kill()  # a child that it left would keep half a record waiting for its rest
            if not self.pipe.poll():
                return None
            result: GameRecord | str = self.pipe.recv()
        except (EOFError, OSError):
            return None
        if isinstance(result, str):
            raise RuntimeError(f"in worker {self.number}, {self.job}:\n{result}")
        self.job = None
        return result

    def bury(self) -> int | None:
        """Clear away a process that is dead or about to end, and whatever it left.

        Its exit code; None if it had not ended by itself.
        """
        self.pipe.close()
        self._process.join(LAST_WORDS)
        while self._process.is_alive() and self._log.is_flowing():
            self._process.join(LAST_WORDS)
        code = self._process.exitcode
        self.kill()
        self._warden.forget(self._process.pid or 0)
        if self._pidfd is not None:
            os.close(self._pidfd)
        self._log.close()
        return code

    def kill(self) -> None:
        """End the process, and those that it started, at once."""
        self._process.kill()
        self._process.join()
        kill_group(self._process.pid or 0)

    def end(self) -> None:
        """End the process: at once if it is playing."""
        if self.job:
            self.kill()
        self.bury()


def work(
    pipe: Connection,
    table: Referee,
    witness: Witness,
    log: WorkerLog,
    strangers: Iterable[Connection],
    parent: int,
) -> None:
    """In the worker: play what comes until the pipe closes."""
    enter(parent, table.terms.memory)
    for stranger in strangers:
        stranger.close()
    witness.adopt()
    log.adopt(witness)
    capture_output(log.path)
    forks, scales = Forks(witness), Scales(table.terms.memory)
    with closing(table), suppress(EOFError, OSError):
        while not scales.is_full():
            log.job = pipe.recv()
            try:
                record = table.play(log.job, witness)
                result: GameRecord | str = forks.judge(witness.judge(record))
            except Exception:
                result = traceback.format_exc()
            pipe.send(result)
