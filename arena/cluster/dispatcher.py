"""Games to the workers of a cluster, in batches, and their records back, each once."""

from __future__ import annotations

import asyncio
import itertools
import os
import queue
import time
from collections import Counter
from collections.abc import Coroutine, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from math import ceil
from typing import Any

from distributed import Client, Future, KilledWorker

from arena.cluster.envelope import Call, lacks_arena, submitted
from arena.cluster.link import CANCELLED, GAME, Lost
from arena.cluster.machines import Inspected
from arena.cluster.shipping import Delivery
from arena.cluster.task import ChildLost, Unready, Unwanted, play_batch
from arena.cluster.worker_monitor import LOOK_INTERVAL, WorkerMonitor, asked_machine
from arena.match.record import GameRecord, Job, key, record_from
from arena.workers.logs import LogFile
from arena.workers.referee import Referee

LONG_BATCH = 5.0  # Seconds of a batch after which a moment without the next one does not matter
MOST_TROUBLE = 20  # Batches that may fail in a row before anything else comes back
MOST_DEATHS = 5  # Number of times that the process which plays a game, given out alone, may die
SLOWEST = 20  # Multiple of the longest batch so far after which another one is given out again
SUBMIT_TIMEOUT = 15.0
CLOSE_TIMEOUT = 5.0

Number = int


@dataclass(slots=True, eq=False)
class Batch:
    """Games that are out together, as one task of dask's."""

    jobs: Sequence[Job]
    attempt: int = 0
    given: float = field(default_factory=time.monotonic)
    future: Future | None = None
    workers: frozenset[str] = frozenset()  # Addresses of those that may do it; none: all


class Dispatcher:
    def __init__(
        self, monitor: WorkerMonitor, referee: Referee, log: LogFile, pairs: int | None = None
    ) -> None:
        self._monitor = monitor
        self._link = monitor.link
        self._seen = monitor.seen
        self._log = log
        self._registration = monitor.registration
        self._registration.prepare(referee)
        self._batch_size = BatchSize(pairs)
        self._numbers = itertools.count(1)
        self._out: dict[Number, Batch] = {}
        self._wanted: dict[Hashable, Job] = {}
        self._deaths: Counter[Hashable] = Counter()
        self._arrived: queue.Queue[tuple[Number, Any]] = queue.Queue()
        self._waiting: set[asyncio.Future[None]] = set()
        self._trouble = 0

    def run(self, jobs: Iterator[Job | None]) -> Iterator[GameRecord]:
        pairs = Pairs(jobs)
        while True:
            try:
                self._monitor.look()
                if self._out and not self._wanted:
                    # Copies of what has come: they must not take the places of the next jobs.
                    self._link.wait(self._withdraw())
                self._give(pairs)
                if not self._wanted:
                    return
                with suppress(queue.Empty):
                    yield from self._taken(*self._arrived.get(timeout=LOOK_INTERVAL))
            except Lost:
                self._start_over()

    def _give(self, pairs: Pairs) -> None:
        """Give out as many jobs as there are places for, and again what is overdue."""
        slots = max(1, self._seen.slots)  # without any, one batch waits at the scheduler
        ahead = 1 if self._batch_size.batch_seconds(slots) > LONG_BATCH else 2
        free = ahead * slots - len(self._out)
        if free > 0:
            for jobs in batches_of(pairs, free, self._batch_size.pairs(slots)):
                self._wanted |= {key(job): job for job in jobs}
                self._add(jobs)
        for batch in self._stranded():
            self._add(batch.jobs, batch.attempt)
        for batch in self._overdue():
            self._link.tell(f"{batch.jobs[0]} and what goes with it is overdue; given out again.")
            self._add(batch.jobs, batch.attempt + 1)
        if new := {number: batch for number, batch in self._out.items() if not batch.future}:
            self._link.wait(self._submit(new), SUBMIT_TIMEOUT + self._registration.patience)

    def _add(self, jobs: Sequence[Job], attempt: int = 0) -> None:
        self._out[next(self._numbers)] = Batch(jobs, attempt)

    def _stranded(self) -> list[Batch]:
        """Batches, taken from the list, whose workers are gone, or were started again."""
        here = {worker.address for worker in self._seen.workers}
        lost = [n for n, batch in self._out.items() if batch.workers and not batch.workers & here]
        return [self._out.pop(number) for number in lost]

    def _overdue(self) -> list[Batch]:
        """Batches that have taken too long, taken from the list; they may still come."""
        if not self._seen.slots:
            return []
        least = max(self._monitor.patience.task, SLOWEST * self._batch_size.longest)
        now = time.monotonic()
        limits = ((n, batch.given + least * 2**batch.attempt) for n, batch in self._out.items())
        late = [number for number, limit in limits if limit < now]
        return [self._out.pop(number) for number in late]

    async def _submit(self, batches: dict[Number, Batch]) -> None:
        client, admitted = self._link.client, self._seen.admitted()
        run = await self._registration.told()
        for address in self._seen.newcomers():
            self._hold(self._await_answer(client, run, address))
        if admitted == []:
            return
        is_counted = any(worker.is_counted for worker in self._seen.workers)
        for number, batch in batches.items():
            batch.workers = frozenset(admitted or ())
            batch.future = submitted(
                client,
                Call(play_batch, run, batch.jobs),
                key=f"arena-{os.urandom(9).hex()}",
                resources={GAME: 1} if is_counted else None,
                workers=admitted,
            )
            self._hold(self._await(number, batch.future))

    def _hold(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something be done beside the rest: an event loop has weak references only."""
        waiting = asyncio.ensure_future(work)
        self._waiting.add(waiting)
        waiting.add_done_callback(self._waiting.discard)

    async def _await_answer(self, client: Client, run: str, address: str) -> None:
        if found := await asked_machine(client, run, address):
            self._arrived.put((next(self._numbers), found))

    async def _await(self, number: Number, future: Future) -> None:
        try:
            result = await future
        except (Exception, *CANCELLED) as error:
            result = error
        self._arrived.put((number, result))
        future.release()

    def _taken(self, number: Number, result: Any) -> Iterator[GameRecord]:
        if isinstance(result, Inspected):
            self._monitor.meet(result)
            return
        batch = self._out.pop(number, None)
        if isinstance(result, Delivery) and result.machine in self._seen.left_out:
            if batch:
                self._add(batch.jobs, batch.attempt)
        elif isinstance(result, Delivery) and result.reply.records:
            self._trouble = 0
            self._count(result)
            for values in result.reply.records:
                record = record_from(*values, result.machine)
                if self._wanted.pop(key(record), None):
                    yield record
        elif batch:
            self._judge(batch, result)

    def _count(self, delivery: Delivery) -> None:
        reply = delivery.reply
        self._seen.take(delivery)
        self._batch_size.add(len(reply.records), reply.seconds)
        self._log.append(reply.log)

    def _judge(self, batch: Batch, result: Any) -> None:
        if isinstance(result, Delivery) and result.reply.error:
            raise RuntimeError(f"on {result.machine}, {batch.jobs[0]}:\n{result.reply.error}")
        if isinstance(result, (*CANCELLED, Unwanted, Delivery)) or lacks_arena(result):
            if isinstance(result, Delivery):
                self._monitor.leave_out(result.machine, result.reply.fault)
            self._add(batch.jobs, batch.attempt)
            if self._link.is_lost:
                raise Lost
            return
        if isinstance(result, KilledWorker | ChildLost):
            self._give_alone(batch)
            return
        self._trouble += 1
        if self._trouble > MOST_TROUBLE:
            raise result
        if isinstance(result, Unready):
            self._registration.repeat()
        self._link.tell(f"A worker has failed: {type(result).__name__}: {result}; again.")
        self._add(batch.jobs)

    def _give_alone(self, batch: Batch) -> None:
        """Give out jobs anew whose worker died, each alone, since one may be the cause."""
        for job in batch.jobs:
            job_key = key(job)
            if len(batch.jobs) == 1:
                self._deaths[job_key] += 1
            if self._deaths[job_key] >= MOST_DEATHS:
                raise RuntimeError(f"the process at work is killed, again and again: {job}")
            self._add([job])

    def _start_over(self) -> None:
        self._monitor.reconnect()
        batches, self._out = list(self._out.values()), {}
        for batch in batches:
            self._add(batch.jobs, batch.attempt)

    def close(self) -> None:
        """Withdraw all jobs: a child that plays ends once the driver no longer waits for it."""
        with suppress(Lost):
            self._link.wait(self._release(), CLOSE_TIMEOUT)

    async def _release(self) -> None:
        for waiting in self._waiting:
            waiting.cancel()
        await self._withdraw()

    async def _withdraw(self) -> None:
        """Withdraw all batches; a child that plays one ends: see `task.wish`."""
        futures = [batch.future for batch in self._out.values() if batch.future]
        self._out = {}
        await self._link.client.cancel(futures, force=True)


SHORTEST_BATCH = 0.3
"""Seconds of games in a batch, at least: handing out shorter ones takes too much of the time."""
DRIVER_SECONDS = 0.005
"""Seconds that each batch takes the driver and the scheduler: many workers must have few."""
MOST_PAIRS = 64
WEIGHT = 0.2  # Weight of the newest batch in the mean duration of a game

Pair = tuple[Job, ...]  # A pair of games; or a single game, if the other one is kept already


class Pairs:
    """Jobs as they come, both games of a pair together."""

    def __init__(self, jobs: Iterator[Job | None]) -> None:
        self._jobs = jobs
        self._next: Job | None = None

    def __iter__(self) -> Iterator[Pair]:
        """The pairs that there are before some record is looked at."""
        while first := self._taken() or next(self._jobs, None):
            second = next(self._jobs, None)
            if second and _is_pair(first, second):
                yield first, second
            else:
                self._next = second
                yield (first,)

    def _taken(self) -> Job | None:
        job, self._next = self._next, None
        return job


def _is_pair(one: Job, other: Job) -> bool:
    """True if two games differ by nothing but the player that begins."""
    first, second, *where = key(one)
    return (second, first, *where) == key(other)


class BatchSize:
    """Holds how long a game takes, and says how many pairs make a batch."""

    def __init__(self, pairs: int | None = None) -> None:
        self._pairs = pairs
        self.game_seconds: float | None = None
        self.longest = 0.0  # Seconds of the longest batch

    def add(self, games: int, seconds: float) -> None:
        each = seconds / games
        self.longest = max(self.longest, seconds)
        before = each if self.game_seconds is None else self.game_seconds
        self.game_seconds = before + WEIGHT * (each - before)

    def batch_seconds(self, slots: int) -> float:
        return 2 * (self.game_seconds or 0.0) * self.pairs(slots)

    def pairs(self, slots: int) -> int:
        """Pairs in a batch, where `slots` games are played at a time."""
        if self._pairs or self.game_seconds is None:
            return self._pairs or 1
        wanted = max(SHORTEST_BATCH, slots * DRIVER_SECONDS)
        return min(MOST_PAIRS, ceil(wanted / max(2 * self.game_seconds, 1e-9)))


def batches_of(pairs: Iterable[Pair], free: int, size: int) -> list[Sequence[Job]]:
    """At most `free` batches of about `size` pairs; where there are few pairs, each has fewer."""
    taken = list(islice(pairs, free * size))
    size = min(size, ceil(len(taken) / free)) if taken else 1
    groups = [taken[start : start + size] for start in range(0, len(taken), size)]
    return [[job for pair in group for job in pair] for group in groups]
