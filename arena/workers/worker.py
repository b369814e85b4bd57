"""A worker process, from both sides of its pipe."""

from __future__ import annotations

import os
import pickle
import traceback
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

from arena.errors import ConfigError
from arena.game import Move
from arena.match.record import GameRecord, Job, record_from, to_send
from arena.match.verdicts import reviewed
from arena.processes.child import Child, ValuePipe, ready_ends
from arena.processes.confine import confine
from arena.refusals import refusal_of
from arena.storage.at_play import LiveBoard
from arena.workers.heartbeat import Heartbeat
from arena.workers.logs import LogFile, WorkerLog
from arena.workers.reaper import Reaper
from arena.workers.referee import Referee
from arena.workers.sandbox import ForkGuard, MemoryBudget, capture_output


class Worker:
    """Holds the parent's side: a process, its log, and the job it is at."""

    def __init__(
        self,
        number: int,
        referee: Referee,
        log: LogFile,
        reaper: Reaper,
    ) -> None:
        self.number = number
        self.job: Job | None = None
        self._shown: tuple[int, Job] | None = None
        """The job that it was given last, even if that is done, and its number."""
        self.idle_until = 0.0
        """Time on the monotonic clock before which no job is to be given to it."""
        self.heartbeat = Heartbeat(referee.terms.hang, referee.preparation)
        name = f"worker-{number}"
        self._log = WorkerLog(name, log)
        self._child = Child.forked(work, referee, self.heartbeat, self._log, os.getpid(), name=name)
        self._log.become_reader()
        self._reaper = reaper
        reaper.add(self._child.pid)

    @property
    def ends(self) -> list[int]:
        """Descriptors, one of which is readable once there is something to see to."""
        return [self._child.pipe.fileno(), self._child.death]

    def start(self, job: Job, number: int = 0) -> None:
        """Give the worker a job, the one of this `number` that was given out.

        If the worker is dead by now, its end is seen at the next look.
        """
        self.job, self._shown = job, (number, job)
        self.heartbeat.reset()
        self._child.send(job)

    def has_result(self) -> bool:
        """True if a record has begun to come, or never will."""
        return bool(ready_ends(self.ends, 0))

    def result(self) -> GameRecord | None:
        """Take the record that has come, and free the worker; None if the worker is dead.

        Raises RuntimeError for a fault that is ours, and ConfigError for what the system refused:
        neither must ever become a player's.
        """
        try:
            result: tuple[Any, ...] | str | ConfigError = self._child.receive()
        except (EOFError, OSError, pickle.UnpicklingError):
            return None
        if isinstance(result, ConfigError):
            raise result
        if isinstance(result, str):
            raise RuntimeError(f"in worker {self.number}, {self.job}:\n{result}")
        self.job = None
        return record_from(*result)

    def board(self, text: Callable[[Move], str]) -> LiveBoard | None:
        """The game that the worker plays, or has just played, as far as it has come."""
        if not self._shown:
            return None
        number, given = self._shown
        job = self.heartbeat.job_now(given, text)
        choices = self.heartbeat.choices()
        return LiveBoard(
            slot=self.number - 1,
            game=number,
            goes_on=self.job is not None,
            first=job.first,
            second=job.second,
            opening=job.opening,
            moves=" ".join([*job.opening.split(), *(text(move) for move, _ in choices)]),
            remarks=[remark for _, remark in choices],
        )

    def reap(self) -> int | None:
        """Clear away a process that is dead or about to end, and what it left.

        Returns its exit code, or None if it had not ended by itself.
        """
        self._child.pipe.close()
        self._child.await_end()
        while self._child.code is None and self._log.is_flowing():
            self._child.await_end()
        code = self._child.end()
        self._reaper.remove(self._child.pid)
        self._log.close()
        return code

    def kill(self) -> None:
        """End the process, and those that it started, at once."""
        self._child.kill()

    def end(self) -> None:
        """End the process: at once if it is playing."""
        if self.job:
            self.kill()
        self.reap()


def work(
    pipe: ValuePipe, referee: Referee, heartbeat: Heartbeat, log: WorkerLog, parent: int
) -> None:
    """Play the jobs that come until the pipe closes: the worker's whole life."""
    confine(parent, referee.terms.worker_memory)
    heartbeat.become_writer(pipe.fileno())
    log.become_writer(heartbeat)
    capture_output(log.file.baseFilename)
    forks, budget = ForkGuard(heartbeat), MemoryBudget(referee.terms.worker_memory)
    with closing(referee), suppress(EOFError, OSError):
        while not budget.is_spent():
            log.job = pipe.receive()
            try:
                record = referee.play(log.job, heartbeat)
                record = reviewed(record, forks.seat(), heartbeat.growth())
                result: tuple[Any, ...] | str | ConfigError = to_send(record)
            except Exception as error:
                result = refusal_of(error) or traceback.format_exc()
            pipe.send(result)
