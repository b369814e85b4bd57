"""Places where games are played: the contract, local worker processes, and this process."""

from __future__ import annotations

import logging
import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Protocol

from arena.match.record import GameRecord, Job
from arena.match.verdicts import GRACE, KILLED_FROM_OUTSIDE, MOST_KILLS, crashed, unanswered
from arena.processes.child import fork_context, is_childless, ready_ends
from arena.storage.database import Machine
from arena.storage.folder import BoardsFile
from arena.storage.history import cores
from arena.workers.logs import LogFile
from arena.workers.referee import Referee
from arena.workers.worker import Reaper, Worker

logger = logging.getLogger(__name__)

POLL_INTERVAL = 0.5  # Seconds between two looks at the clock, while no answer is due
FIRST_BACKOFF, LONGEST_BACKOFF = 0.01, 0.25
"""Seconds without a job for a new worker whose predecessors were killed, doubled each time."""
NO_PLAYER = ""
QUIET = 1.0
"""Seconds since the last kill at other players' turns, before a game that one more kill would end
is given out: when workers are killed again and again from outside, some games are hit by chance."""
MOST_FAILURES = 20
"""Number of workers, one after the other, that may die before they ask any player for anything."""


@dataclass(frozen=True, slots=True)
class Local:
    """Worker processes of this machine, as many as it has cores; with none, this process."""

    workers: int = field(default_factory=cores)

    def play(
        self, jobs: Iterable[Job | None], referee: Referee, log: LogFile
    ) -> Generator[GameRecord]:
        # The referee is forked with the workers, so it must have been checked before.
        if self.workers == 0:
            for job in jobs:
                if job is None:
                    return
                yield referee.play(job)
        else:
            boards = BoardsFile(Path(log.baseFilename).parent)
            with closing(Pool(self.workers, referee, log, boards)) as pool:
                yield from pool.run(iter(jobs))

    @property
    def slots(self) -> int:
        return max(1, self.workers)

    def at_most(self, games: int) -> Local:
        return Local(min(self.workers, games))

    def check(self, referee: Referee) -> None:
        """Do nothing: there is no other machine to check."""

    def machines(self) -> list[Machine]:
        return []

    def lines(self) -> list[str]:
        return []


def local(workers: int | None) -> Local:
    """A place with this many worker processes. None: one for each core, or no others in a process
    that may not start any. Raises ConfigError if processes are wanted and cannot be started."""
    if workers is None:
        return Local(0) if is_childless() else Local()
    if workers:
        fork_context()
    return Local(workers)


class Pool:
    """Holds the workers, and the jobs that were lost with their worker."""

    def __init__(
        self, size: int, referee: Referee, log: LogFile, boards: BoardsFile | None = None
    ) -> None:
        """`boards`: where the games at play are shown, if they are."""
        self._referee = referee
        self._text = referee.game.text
        self._log = log
        self._lost_jobs: deque[Job] = deque()
        self._doubtful_jobs: deque[tuple[Job, frozenset[str]]] = deque()
        """Jobs that one more kill would end, and the players to move at the kills before."""
        self._kills: Counter[tuple[Job, int]] = Counter()
        """Kills from outside by the game, and the seat to move."""
        self._last_kills: dict[str, float] = {}
        """Time of the last kill by the player to move, or NO_PLAYER."""
        self._lost_workers = 0  # Number of workers gone without a loser since the last record
        self._reaper = Reaper()
        self._boards = boards
        self._given = count(1)
        self._workers: list[Worker] = []
        try:
            for number in range(1, size + 1):
                self._workers.append(self._new_worker(number))
        except BaseException:
            self.close()
            raise

    def run(self, jobs: Iterator[Job | None]) -> Iterator[GameRecord]:
        while True:
            for worker in self._workers:
                self._give(worker, jobs)
            if self._boards:
                self._boards.show(each.board(self._text) for each in self._workers)
            busy = [worker for worker in self._workers if worker.job]
            if not (busy or self._lost_jobs or self._doubtful_jobs):
                return
            ends = {end: each for each in busy for end in each.ends}
            ready = {ends[end] for end in ready_ends(ends, self._wait_time())}
            for worker in busy:
                if worker in ready:
                    record = worker.result() or self._reap(worker)
                else:
                    record = self._stop_if_overdue(worker)
                # The worker gets its next job before the last one's record is looked at.
                self._give(self._workers[worker.number - 1], jobs)
                if record:
                    self._lost_workers = 0
                    if self._boards:
                        self._boards.done += 1
                    yield record

    def _give(self, worker: Worker, jobs: Iterator[Job | None]) -> None:
        if worker.job or worker.idle_until > time.monotonic():
            return
        if job := self._lost_job() or next(jobs, None):
            worker.start(job, next(self._given))

    def _lost_job(self) -> Job | None:
        """A job that was lost with its worker; a doubtful one only while kills are rare."""
        if self._lost_jobs:
            return self._lost_jobs.popleft()
        quiet_from = time.monotonic() - QUIET
        for job, suspects in self._doubtful_jobs:
            others = self._last_kills.keys() - suspects
            if all(self._last_kills[name] < quiet_from for name in others):
                self._doubtful_jobs.remove((job, suspects))
                return job
        return None

    def _wait_time(self) -> float:
        """Seconds until something other than a record may have to be done."""
        now = time.monotonic()
        waits = [POLL_INTERVAL]
        for worker in self._workers:
            overdue = worker.heartbeat.overdue()
            if worker.idle_until > now:
                waits.append(worker.idle_until - now)
            elif worker.job and overdue is not None:
                waits.append(GRACE - overdue)
        return max(0.001, min(waits))

    def _stop_if_overdue(self, worker: Worker) -> GameRecord | None:
        """End a worker whose answer does not come; the record of its game, if that has ended it."""
        heartbeat, job = worker.heartbeat, worker.job
        overdue, due = heartbeat.overdue(), heartbeat.due
        if not job or overdue is None or overdue < GRACE or worker.has_result():
            return None
        worker.kill()
        if record := worker.result():
            self._replace(worker)
            return record
        if heartbeat.due != due:
            # It came at the last moment, and now the other player was to move, which did nothing.
            self._replace(worker)
            self._lost_jobs.append(job)
            return None
        self._replace(worker)
        verdict = unanswered(heartbeat.seat, overdue, heartbeat.margin)
        logger.error("%s: player %d did not answer: %s", job, verdict.loser, verdict.reason)
        return self._referee.lost(job, heartbeat, verdict)

    def _reap(self, worker: Worker) -> GameRecord | None:
        """Replace a dead worker; its game's record, unless the game is to be played again."""
        job, seat = worker.job, worker.heartbeat.seat
        assert job is not None
        code = self._replace(worker)
        if code in KILLED_FROM_OUTSIDE:
            self._kills[job, seat] += 1
        if verdict := crashed(seat, code, self._kills[job, seat]):
            logger.error("%s: worker %d died, exit code %s", job, worker.number, code)
            return self._referee.lost(job, worker.heartbeat, verdict)
        logger.warning("%s: worker %d is gone, exit code %s; again", job, worker.number, code)
        if code not in KILLED_FROM_OUTSIDE and self._lost_workers >= MOST_FAILURES:
            raise RuntimeError(f"workers die before they play, exit code {code}; see the log")
        self._play_again(job, seat)
        backoff = min(FIRST_BACKOFF * 2 ** min(self._lost_workers, 10), LONGEST_BACKOFF)
        self._workers[worker.number - 1].idle_until = time.monotonic() + backoff
        self._lost_workers += 1
        return None

    def _play_again(self, job: Job, seat: int) -> None:
        self._last_kills[job.player(seat) if seat else NO_PLAYER] = time.monotonic()
        seats = [each for each in (1, 2) if self._kills[job, each] == MOST_KILLS - 1]
        if seats:
            self._doubtful_jobs.append((job, frozenset(map(job.player, seats))))
        else:
            self._lost_jobs.append(job)

    def _replace(self, worker: Worker) -> int | None:
        """Put a new worker in the place of one that is dead; the dead one's exit code."""
        code = worker.reap()
        self._workers[worker.number - 1] = self._new_worker(worker.number)
        return code

    def _new_worker(self, number: int) -> Worker:
        return Worker(number, self._referee, self._log, self._reaper)

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._reaper.close()
        if self._boards:
            self._boards.close()


class Site(Protocol):
    """A place where games are played."""

    @property
    def workers(self) -> int:
        """Games that it plays at a time; 0: they are played in this very process."""

    @property
    def slots(self) -> int:
        """Games that can be played at this moment; 0 while a cluster has no workers."""

    def play(
        self, jobs: Iterable[Job | None], referee: Referee, log: LogFile
    ) -> Generator[GameRecord]:
        """Play the jobs; records come as games end, in any order, each once.

        A job is taken from `jobs` only when a process is free for it; None means that there is none
        before some record is looked at. To stop early, close the generator.
        """

    def check(self, referee: Referee) -> None:
        """Look at the machines beside this one; ConfigError for those that cannot play."""

    def machines(self) -> list[Machine]:
        """The machines beside this one that have played, as far as they are known."""

    def at_most(self, games: int) -> Site:
        """A place with at most as many processes as there are games."""

    def lines(self) -> list[str]:
        """One line for each machine beside this one, for people: what it has done, and does."""
