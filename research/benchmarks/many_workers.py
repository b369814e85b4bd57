"""Many workers of a cluster that sleep as long as games would take, and the scheduler they need.

As a program it is the scheduler, or some of the workers, each as a thread: with one interpreter's
lock, driver, scheduler and workers would keep each other waiting.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from threading import Thread

import psutil
from distributed import Scheduler, Worker

from arena.cluster.address import Address
from arena.cluster.connect import Cluster, quiet
from arena.cluster.link import Link
from arena.cluster.machines import Overview
from arena.cluster.worker_monitor import Registration, Timeouts, WorkerMonitor
from arena.processes.child import Child, ValuePipe
from arena.workers.referee import Referee
from benchmarks.sleeping_players import SleepingPlayers

HOST = "127.0.0.1"
MOST_THREADS = 25
"""Workers of a process, at most."""


@dataclass(frozen=True, slots=True)
class ManyWorkers(Cluster):
    """A cluster of sleepers."""

    scheduler: int = 0
    """The process of the scheduler."""

    def check(self, referee: Referee) -> None:
        """Find nothing wrong with them."""

    def scheduler_seconds(self) -> float:
        """CPU seconds of the scheduler, until now."""
        times = psutil.Process(self.scheduler).cpu_times()
        return float(times.user + times.system)


@contextmanager
def sleeping_workers(workers: int, game_seconds: float, pairs: int | None) -> Iterator[ManyWorkers]:
    """Workers whose tasks are a given number of pairs, or as many as on any cluster."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        scheduler, url = stack.enter_context(worker_program(folder))
        counts = [MOST_THREADS] * (workers // MOST_THREADS) + [workers % MOST_THREADS]
        for count in filter(None, counts):
            stack.enter_context(worker_program(folder, url, str(count)))
        link = stack.enter_context(closing(Link(Address(url=url), lambda words: None)))
        link.connect()
        monitor = WorkerMonitor(link, Overview(), Timeouts.configured())
        monitor.registration = Registration(link, partial(SleepingPlayers, seconds=game_seconds))
        while monitor.seen.slots < workers:
            monitor.look()
            time.sleep(0.1)
        yield ManyWorkers(monitor, pairs, scheduler=scheduler)


@contextmanager
def worker_program(folder: str, *words: str) -> Iterator[tuple[int, str]]:
    """A process of some workers or the scheduler, while this lasts: its number and address."""
    child = Child.executed(serve_workers, folder, *words)
    try:
        yield child.pid, child.receive()
    finally:
        child.end()


def serve_workers(pipe: ValuePipe, folder: str, scheduler: str = "", count: str = "1") -> None:
    """Run the scheduler, or some workers of one, until the pipe closes."""
    with quiet():
        asyncio.run(keep_servers(pipe, folder, scheduler, int(count)))


async def keep_servers(pipe: ValuePipe, folder: str, scheduler: str, count: int) -> None:
    """Start the servers together, send the address of one, and keep them running."""
    servers: Sequence[Scheduler | Worker]
    if scheduler:
        options = {"nthreads": 1, "memory_limit": 0, "local_directory": folder}
        servers = [Worker(scheduler, dashboard=False, **options) for _ in range(count)]
    else:
        servers = [Scheduler(host=HOST, port=0, dashboard_address=f"{HOST}:0")]
    await asyncio.gather(*servers)
    pipe.send(servers[0].address)
    Thread(target=end_with_pipe, args=(pipe,), daemon=True).start()
    await asyncio.Event().wait()


def end_with_pipe(pipe: ValuePipe) -> None:
    """End the process at once: workers would wait for a scheduler that is gone."""
    with suppress(EOFError):
        pipe.receive()
    os._exit(0)
