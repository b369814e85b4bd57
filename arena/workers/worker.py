"""A worker process from both sides of its pipe, and the watch over what its engines start."""

from __future__ import annotations

import faulthandler
import io
import logging
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

from arena.errors import ConfigError, refusal_of
from arena.game import Move
from arena.match.record import GameRecord, Job, record_from, to_send
from arena.match.verdicts import reviewed
from arena.processes.child import (
    EXIT_TIMEOUT,
    LONGEST_STATM,
    MEGABYTE,
    STATM,
    Child,
    ValuePipe,
    confine,
    kill_group,
    ready_ends,
    size_told,
)
from arena.storage.folder import LiveBoard
from arena.workers.heartbeat import Heartbeat
from arena.workers.logs import LogFile, WorkerLog
from arena.workers.referee import Referee

logger = logging.getLogger(__name__)


class Worker:
    """Holds the parent's side: a process, its log, and the job it is at."""

    def __init__(self, number: int, referee: Referee, log: LogFile, reaper: Reaper) -> None:
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
        self._child.kill()

    def end(self) -> None:
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
    _capture_output(log.file.baseFilename)
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


class MemoryBudget:
    """Holds the size that a worker may reach before another takes its place."""

    def __init__(self, megabytes: int) -> None:
        # Kept open, it is read in a tenth of the time.
        self._sizes = os.open(STATM, os.O_RDONLY) if sys.platform == "linux" else None
        self._most = self._address_space() + megabytes * MEGABYTE // 2

    def is_spent(self) -> bool:
        """True if half of the memory limit is taken: no later game should suffer from that."""
        return self._address_space() > self._most

    def _address_space(self) -> int:
        """The bytes of this process's address space; 0 where that is not told."""
        return 0 if self._sizes is None else size_told(os.pread(self._sizes, LONGEST_STATM, 0))


class ForkGuard:
    """Holds the seat that forked; the child, a second referee in mid-game, is ended at once.

    Children of C code, where Python is not told, end when they next use the heartbeat.
    """

    def __init__(self, heartbeat: Heartbeat) -> None:
        self._heartbeat = heartbeat
        self._forked = 0
        os.register_at_fork(after_in_child=lambda: os._exit(1), after_in_parent=self._note)

    def _note(self) -> None:
        self._forked = self._heartbeat.seat

    def seat(self) -> int:
        """The seat that has forked since this was last asked; 0 if none has."""
        seat, self._forked = self._forked, 0
        return seat


class LogBytes(io.RawIOBase):
    """A stream that writes what an engine prints to the log, line by line."""

    def __init__(self) -> None:
        self._rest = b""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        """The descriptor of standard output, for those that go behind Python's back."""
        return 1

    def write(self, data: Any) -> int:
        *lines, self._rest = (self._rest + bytes(data)).split(b"\n")
        for line in lines:
            logger.info("printed: %s", line.decode("utf-8", "backslashreplace"))
        return len(data)


def _capture_output(file: str) -> None:
    """Send printed text to the log: Python's line by line, any other as it comes."""
    sys.stdout = sys.stderr = io.TextIOWrapper(LogBytes(), "utf-8", write_through=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    # A crash of the interpreter leaves its traceback there as well.
    faulthandler.enable(2)


class Reaper:
    """Holds a process that outlives this one by a moment.

    Workers die with their parent; a program that an engine started does not. The reaper waits for
    the parent's end of a pipe to close, which the kernel does at any end of the parent.
    """

    def __init__(self) -> None:
        self._child = Child.forked(_reap_orphans)

    def add(self, leader: int) -> None:
        self._child.send((leader, True))

    def remove(self, leader: int) -> None:
        """Forget a worker whose session is ended: its number may soon be another process's."""
        self._child.send((leader, False))

    def close(self) -> None:
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
