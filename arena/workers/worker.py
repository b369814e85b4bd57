"""A worker process, from both sides of its pipe."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import traceback
from collections.abc import Iterable
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from typing import Any

from arena.match.record import GameRecord, Job, values_of
from arena.match.verdicts import reviewed
from arena.processes.confine import await_end, confine, death_of, kill_group, start_fork
from arena.workers.heartbeat import Heartbeat
from arena.workers.live_boards import LiveSlot
from arena.workers.logs import LogFile, WorkerLog
from arena.workers.reaper import Reaper
from arena.workers.referee import Referee
from arena.workers.sandbox import ForkGuard, MemoryBudget, capture_output, fork_context


class Worker:
    """Holds the parent's side: a process, a pipe to it, its log, and the job it is at."""

    def __init__(
        self,
        number: int,
        referee: Referee,
        log: LogFile,
        reaper: Reaper,
        siblings: Iterable[Worker] = (),
        slot: LiveSlot | None = None,
    ) -> None:
        self.number = number
        self.job: Job | None = None
        self.idle_until = 0.0
        """Time on the monotonic clock before which no job is to be given to it."""
        self.heartbeat = Heartbeat(referee.terms.hang, referee.preparation, slot)
        self.pipe, theirs = multiprocessing.Pipe()
        name = f"worker-{number}"
        self._log = WorkerLog(name, log)
        inherited_pipes = [self.pipe, reaper.pipe, *(sibling.pipe for sibling in siblings)]
        self._process = fork_context().Process(
            target=work,
            name=name,
            args=(theirs, referee, self.heartbeat, self._log, inherited_pipes, os.getpid()),
        )
        start_fork(self._process)
        theirs.close()
        self._log.become_reader()
        self._reaper = reaper
        reaper.add(self._process.pid or 0)
        self.death = death_of(self._process)

    def start(self, job: Job) -> None:
        """Give the worker a job; if it is dead by now, its pipe tells so at the next look."""
        self.job = job
        self.heartbeat.reset()
        with suppress(OSError):
            # `send` makes a pickler each time, which takes as long as all the rest.
            self.pipe.send_bytes(pickle.dumps(job))

    def result(self) -> GameRecord | None:
        """Take the record that has come, and free the worker; None if the worker is dead.

        RuntimeError for a fault that is ours: it must never become a player's.
        """
        try:
            if not self._process.is_alive():
                self.kill()  # a child that it left would keep half a record waiting for its rest
            if not self.pipe.poll():
                return None
            result: tuple[Any, ...] | str = self.pipe.recv()
        except (EOFError, OSError):
            return None
        if isinstance(result, str):
            raise RuntimeError(f"in worker {self.number}, {self.job}:\n{result}")
        self.job = None
        return GameRecord(*result)

    def reap(self) -> int | None:
        """Clear away a process that is dead or about to end, and whatever it left.

        Returns its exit code, or None if it had not ended by itself.
        """
        self.pipe.close()
        await_end(self._process)
        while self._process.is_alive() and self._log.is_flowing():
            await_end(self._process)
        code = self._process.exitcode
        self.kill()
        self._reaper.remove(self._process.pid or 0)
        os.close(self.death)
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
        self.reap()


def work(
    pipe: Connection,
    referee: Referee,
    heartbeat: Heartbeat,
    log: WorkerLog,
    inherited_pipes: Iterable[Connection],
    parent: int,
) -> None:
    """Play the jobs that come until the pipe closes: the worker's whole life."""
    confine(parent, referee.terms.worker_memory)
    for inherited in inherited_pipes:
        inherited.close()
    heartbeat.become_writer(pipe.fileno())
    log.become_writer(heartbeat)
    capture_output(log.file.baseFilename)
    forks, budget = ForkGuard(heartbeat), MemoryBudget(referee.terms.worker_memory)
    with closing(referee), suppress(EOFError, OSError):
        while not budget.is_spent():
            log.job = pipe.recv()
            if heartbeat.slot:
                heartbeat.slot.begin(log.job)
            try:
                record = referee.play(log.job, heartbeat)
                record = reviewed(record, forks.seat(), heartbeat.growth())
                # Plain values are quicker to send than a record.
                result: tuple[Any, ...] | str = values_of(record)
            except Exception:
                result = traceback.format_exc()
            if heartbeat.slot:
                heartbeat.slot.end()
            pipe.send(result)
