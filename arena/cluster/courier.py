"""Jobs to the workers of a cluster and records back, each once, whoever dies on the way."""

from __future__ import annotations

import asyncio
import itertools
import os
import pickle
import queue
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from distributed import Future, KilledWorker

from arena.cluster.batches import Rhythm, Units, tasks_of
from arena.cluster.link import ANSWER_TIMEOUT, Link, Lost
from arena.cluster.orders import Delivery
from arena.cluster.overview import Overview
from arena.cluster.task import ChildLost, Players, play_batch
from arena.errors import ConfigError
from arena.match.record import GameKey, GameRecord, Job, key
from arena.workers.logs import LogFile
from arena.workers.referee import Referee

LOOK_INTERVAL = 1.0
"""Seconds between two looks at the workers."""
IN_FLIGHT = 2
"""Tasks given out for each game that is played at a time: nobody is to wait for his next one."""
MOST_TROUBLE = 20
"""Tasks that may fail, one after the other, for reasons that are nobody's."""


@dataclass(slots=True, eq=False)
class Task:
    """Some games that were given out."""

    jobs: Sequence[Job]
    given: float = field(default_factory=time.monotonic)
    future: Future | None = None


class Courier:
    """Holds the games that are out."""

    def __init__(
        self,
        link: Link,
        seen: Overview,
        referee: Referee,
        log: LogFile,
        pairs: int | None = None,
    ) -> None:
        self._link = link
        self._seen = seen
        self._log = log
        self._run = f"arena-{os.urandom(6).hex()}"
        self._players = Players(pickle.dumps(referee))
        self._is_ready = False
        self._rhythm = Rhythm(pairs)
        self._numbers = itertools.count(1)
        self._out: dict[int, Task] = {}
        self._wanted: dict[GameKey, Job] = {}
        self._arrived: queue.Queue[tuple[int, Any]] = queue.Queue()
        self._looked = 0.0
        self._trouble = 0

    def run(self, jobs: Iterator[Job | None]) -> Iterator[GameRecord]:
        """Give out the jobs, and yield the records as they come."""
        units = Units(jobs)
        while True:
            try:
                self._look()
                self._give(units)
            except Lost:
                self._start_over()
            if not self._out:
                return
            with suppress(queue.Empty):
                yield from self._taken(*self._arrived.get(timeout=LOOK_INTERVAL))

    def _give(self, units: Units) -> None:
        """Give out as many jobs as there are places for."""
        free = IN_FLIGHT * self._seen.slots - len(self._out)
        if free > 0:
            for jobs in tasks_of(units, free, self._rhythm.pairs(self._seen.slots)):
                self._wanted |= {key(job): job for job in jobs}
                self._out[next(self._numbers)] = Task(jobs)
        new = {number: task for number, task in self._out.items() if not task.future}
        if new:
            self._link.wait(self._submit(new))

    async def _submit(self, tasks: dict[int, Task]) -> None:
        """Hand tasks to the scheduler, and wait for each beside whatever else is done."""
        client = self._link.client
        if not self._is_ready:
            await client.register_plugin(self._players, name=self._run)
            self._is_ready = True
        is_counted = any(worker.is_counted for worker in self._seen.workers)
        for number, task in tasks.items():
            task.future = client.submit(
                play_batch,
                self._run,
                task.jobs,
                key=f"{self._run}-{number}-{os.urandom(4).hex()}",
                pure=False,
                resources={"game": 1} if is_counted else None,
            )
            waiting = asyncio.ensure_future(self._await(number, task.future))
            WAITING.add(waiting)
            waiting.add_done_callback(WAITING.discard)

    async def _await(self, number: int, future: Future) -> None:
        """Wait for a task, and say how it ended."""
        try:
            result = await future
        except BaseException as error:
            result = error
        self._arrived.put((number, result))
        future.release()

    def _taken(self, number: int, result: Any) -> Iterator[GameRecord]:
        """The records of a task that are the first of their games."""
        task = self._out.pop(number, None)
        if isinstance(result, Delivery) and not result.reply.fault:
            self._trouble = 0
            self._count(result)
            for values in result.reply.records:
                record = GameRecord(*values)
                if self._wanted.pop(key(record), None):
                    yield record
        elif task:
            self._judge(task, result)

    def _count(self, played: Delivery) -> None:
        """Take in what is told beside the records."""
        reply = played.reply
        self._seen.take(played)
        self._rhythm.add(len(reply.records), reply.seconds)
        self._log.append(reply.log)

    def _judge(self, task: Task, result: Any) -> None:
        """Decide on a task without records: most are given out again."""
        if isinstance(result, Delivery):
            raise ConfigError(f"{result.machine}: {result.reply.fault}")
        self._trouble += 1
        is_known = isinstance(result, KilledWorker | ChildLost | asyncio.CancelledError | Lost)
        if self._trouble > MOST_TROUBLE or not is_known:
            raise result
        self._out[next(self._numbers)] = Task(task.jobs)

    def _look(self) -> None:
        """Look at the workers from time to time."""
        now = time.monotonic()
        if now - self._looked >= LOOK_INTERVAL or not self._seen.slots:
            self._seen.workers = self._link.workers()
            self._looked = time.monotonic()

    def _start_over(self) -> None:
        """Wait for the scheduler, and let everything that is out be given out again."""
        self._link.reconnect()
        self._is_ready = False
        tasks, self._out = list(self._out.values()), {}
        for task in tasks:
            self._out[next(self._numbers)] = Task(task.jobs)

    def close(self) -> None:
        """Let go of what is out, and end the children on all machines."""
        with suppress(Lost):
            self._link.wait(self._release(), ANSWER_TIMEOUT / 2)

    async def _release(self) -> None:
        """Withdraw all tasks, and the children with them."""
        client = self._link.client
        await client.cancel([task.future for task in self._out.values() if task.future], force=True)
        if self._is_ready:
            await client.unregister_worker_plugin(self._run)


WAITING: set[asyncio.Future[None]] = set()
"""Held here: an event loop holds its tasks by weak references only."""
