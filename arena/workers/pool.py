"""Jobs in, game records out: on local worker processes, or in this one.

One duplex pipe for each worker and nothing shared between them, so that no death can block another
worker. A worker killed from outside has its job given out again; any other death, and any answer
that does not come in time, is the doing of the player whose answer was due.
"""

from __future__ import annotations

import logging
import signal
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing.connection import wait

from arena.game import Reason
from arena.match.record import GameRecord, Job
from arena.storage.history import cores
from arena.workers.logs import LogFile
from arena.workers.reaper import Warden
from arena.workers.referee import Referee
from arena.workers.worker import Worker

logger = logging.getLogger(__name__)

KILLED_FROM_OUTSIDE = (-signal.SIGKILL, -signal.SIGTERM)

LAST_CHANCE = 0.3
"""Seconds after which an answer that is overdue is not waited for: a late one is still judged by
the referee, who knows best by how much it was late."""
LOOK = 0.5
"""Seconds between two looks at the clock, while no answer is due."""
FIRST_REST, LONGEST_REST = 0.01, 0.25
"""Seconds without a job for a new worker whose predecessors were killed, doubled each time."""
MOST_FAILURES = 20
"""Workers, one after the other, that may die before they ask any player for anything."""


@dataclass(frozen=True, slots=True)
class Local:
    """Worker processes of this machine, as many as it has cores; with none, this process."""

    workers: int = field(default_factory=cores)

    def play(
        self, jobs: Iterable[Job | None], table: Referee, log: LogFile
    ) -> Generator[GameRecord]:
        """Play the jobs; records come as games end.

        The table is forked with the workers, so check it before. A job is taken from `jobs` only
        when a worker is free for it; None means that there is none before some record is looked at.
        To stop early, close the generator.
        """
        if self.workers == 0:
            for job in jobs:
                if job is None:
                    return
                yield table.play(job)
        else:
            with closing(Pool(self.workers, table, log)) as pool:
                yield from pool.run(iter(jobs))

    def at_most(self, games: int) -> Local:
        """No more processes than so many games can use."""
        return Local(min(self.workers, games))


def local(workers: int | None) -> Local:
    """So many worker processes; None: one for each core."""
    return Local() if workers is None else Local(workers)


class Pool:
    """Holds the workers, and the jobs that were lost with one."""

    def __init__(self, size: int, table: Referee, log: LogFile) -> None:
        self._table = table
        self._log = log
        self._again: deque[Job] = deque()
        self._kills = 0
        """Workers killed from outside since the last record."""
        self._warden = Warden()
        self._workers: list[Worker] = []
        try:
            for number in range(1, size + 1):
                self._workers.append(self._new_worker(number))
        except BaseException:
            self.close()
            raise

    def run(self, jobs: Iterator[Job | None]) -> Iterator[GameRecord]:
        """Give out the jobs, and yield the records as they come."""
        while True:
            for worker in self._workers:
                self._give(worker, jobs)
            busy = [worker for worker in self._workers if worker.job]
            if not busy and not self._again:
                return
            ends = {end: worker for worker in busy for end in (worker.pipe, worker.death)}
            ready = {ends[end] for end in wait(list(ends), self._patience())}  # type: ignore[index]
            for worker in busy:
                if worker in ready:
                    record = worker.result() or self._bury(worker)
                else:
                    record = self._overdue(worker)
                # The worker gets its next job before anybody looks at the last one's record.
                self._give(self._workers[worker.number - 1], jobs)
                if record:
                    self._kills = 0
                    yield record

    def _give(self, worker: Worker, jobs: Iterator[Job | None]) -> None:
        """Give a worker that is free a job that was lost with another, or else the next one."""
        if worker.job or worker.rests_until > time.monotonic():
            return
        job = self._again.popleft() if self._again else next(jobs, None)
        if job:
            worker.start(job)

    def _patience(self) -> float:
        """Seconds until something other than a record may have to be done."""
        now = time.monotonic()
        waits = [LOOK]
        for worker in self._workers:
            overdue = worker.witness.overdue()
            if worker.rests_until > now:
                waits.append(worker.rests_until - now)
            elif worker.job and overdue is not None:
                waits.append(LAST_CHANCE - overdue)
        return max(0.001, min(waits))

    def _overdue(self, worker: Worker) -> GameRecord | None:
        """The record of a game in which no answer came; None while it may still come."""
        overdue, job, due = worker.witness.overdue(), worker.job, worker.witness.due
        if not job or overdue is None or overdue < LAST_CHANCE or worker.pipe.poll():
            return None
        worker.kill()
        if record := worker.result():
            self._replace(worker)
            return record
        if worker.witness.due != due:
            # It came at the last moment, and now the other player was to move, who did nothing.
            return self._bury(worker)
        self._replace(worker)
        reason: Reason = "time" if worker.witness.is_timed else "hang"
        logger.error("%s: player %d did not answer: %s", job, worker.witness.turn, reason)
        late = overdue + self._table.terms.margin if worker.witness.is_timed else overdue
        return self._table.lost(job, worker.witness, reason, f"{late:.3f} s over, no answer yet")

    def _bury(self, worker: Worker) -> GameRecord | None:
        """Replace a dead worker; its game's record, unless the game is to be played again."""
        job = worker.job
        assert job is not None
        code = self._replace(worker)
        if code not in KILLED_FROM_OUTSIDE and worker.witness.turn:
            logger.error("%s: worker %d died, exit code %s", job, worker.number, code)
            return self._table.lost(job, worker.witness, "crash", f"exit code {code}")
        # Killed, or gone before any player was asked for anything: nobody has lost this game.
        logger.warning("%s: worker %d is gone, exit code %s; again", job, worker.number, code)
        if code not in KILLED_FROM_OUTSIDE and self._kills >= MOST_FAILURES:
            raise RuntimeError(f"workers die before they play, exit code {code}; see the log")
        self._again.append(job)
        rest = min(FIRST_REST * 2 ** min(self._kills, 10), LONGEST_REST)
        self._workers[worker.number - 1].rests_until = time.monotonic() + rest
        self._kills += 1
        return None

    def _replace(self, worker: Worker) -> int | None:
        """Put a new worker in the place of one that is dead; the dead one's exit code."""
        code = worker.bury()
        self._workers[worker.number - 1] = self._new_worker(worker.number)
        return code

    def _new_worker(self, number: int) -> Worker:
        """Fork a worker."""
        return Worker(number, self._table, self._log, self._warden, siblings=self._workers)

    def close(self) -> None:
        """End all workers at once, whether they are playing or not."""
        for worker in self._workers:
            worker.end()
        self._warden.close()
