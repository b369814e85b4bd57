"""Jobs in, game records out: on local worker processes, or in this one.

One duplex pipe for each worker and nothing shared between them, so that no death can block another
worker. A worker killed from outside has its job given out again; any other death is the doing of
the engine that was to move.
"""

from __future__ import annotations

import logging
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from multiprocessing.connection import wait

from arena.logs import LogFile
from arena.match import GameRecord, Job
from arena.table import Table
from arena.worker import Worker

logger = logging.getLogger(__name__)

KILLED_FROM_OUTSIDE = (-signal.SIGKILL, -signal.SIGTERM)


def play_all(
    jobs: Iterable[Job], table: Table, workers: int, log: LogFile
) -> Generator[GameRecord]:
    """Play the jobs on so many processes, or for 0 in this one; records come as games end.

    The table is forked with the workers, so check it before. A job is taken from `jobs` only
    when a worker is free for it. To stop early, close the generator.
    """
    if workers == 0:
        yield from map(table.play, jobs)
    else:
        with closing(Pool(workers, table, log)) as pool:
            yield from pool.run(iter(jobs))


class Pool:
    """Holds the workers."""

    def __init__(self, size: int, table: Table, log: LogFile) -> None:
        self._table = table
        self._log = log
        self._again: deque[Job] = deque()
        self._workers: list[Worker] = []
        for number in range(1, size + 1):
            self._workers.append(self._new_worker(number))

    def run(self, jobs: Iterator[Job]) -> Iterator[GameRecord]:
        """Give out the jobs, and yield the records as they come."""
        for worker in self._workers:
            self._give(worker, jobs)
        while busy := {worker.pipe: worker for worker in self._workers if worker.job}:
            for pipe in wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                record = worker.result() or self._bury(worker)
                # The worker gets its next job before anybody looks at the last one's record.
                self._give(self._workers[worker.number - 1], jobs)
                if record:
                    yield record

    def _give(self, worker: Worker, jobs: Iterator[Job]) -> None:
        """Give a free worker a job that was lost with its worker, or else the next one."""
        job = self._again.popleft() if self._again else next(jobs, None)
        if job:
            worker.start(job)

    def _bury(self, worker: Worker) -> GameRecord | None:
        """Replace a dead worker; its game's record, unless the game is to be played again."""
        job, code = worker.job, worker.bury()
        assert job is not None
        self._workers[worker.number - 1] = self._new_worker(worker.number)
        if code in KILLED_FROM_OUTSIDE:
            logger.warning("worker %d was killed; %s is played again", worker.number, job)
            self._again.append(job)
            return None
        logger.error("worker %d died with exit code %s in %s", worker.number, code, job)
        return self._table.crashed(job, worker.witness, code)

    def _new_worker(self, number: int) -> Worker:
        """Fork a worker."""
        return Worker(number, self._table, self._log, siblings=self._workers)

    def close(self) -> None:
        """End all workers at once, whether they are playing or not."""
        for worker in self._workers:
            worker.end()
