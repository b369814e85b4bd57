"""The connection to a scheduler, by its address: made, lost, waited for and made again."""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from distributed import Client, Scheduler

from arena.cluster.address import OPTION, Address, ClusterError
from arena.errors import Fault, one_line
from arena.processes.child import Child, ValuePipe

CONNECT_TIMEOUT = 10.0
RETRY_TIMEOUT = 3.0
WAIT_FOR_SCHEDULER = 0.5
ANSWER_TIMEOUT = 30.0  # Seconds within which the scheduler answers, however busy it is
GAME = "game"
"""Name of the resource that says how many games a worker plays at a time, if that is given."""

CANCELLED = asyncio.CancelledError, concurrent.futures.CancelledError
RUN = "arena-run:"
"""Beginning of the name under which workers know a run; its driver's own name follows."""

Answer = TypeVar("Answer")
Tell = Callable[[str], object]


class DaskWorker(NamedTuple):
    """A worker, as the scheduler sees it."""

    address: str
    host: str
    slots: int
    silence: float  # Seconds since it was last heard of
    is_counted: bool  # True if a resource says how many games are to be played at a time


class Lost(Exception):  # noqa: N818
    """A scheduler that does not answer any more."""


class Link:
    """Holds the client, in a thread with an event loop of its own."""

    def __init__(self, address: Address, tell: Tell) -> None:
        self.address = address
        self.tell = tell
        self._loop = asyncio.new_event_loop()
        Thread(target=self._live, name="cluster", daemon=True).start()
        self._client: Client | None = None

    def _live(self) -> None:
        """Run the loop until it is stopped: the thread's whole life."""
        self._loop.run_forever()
        self._loop.close()

    @property
    def client(self) -> Client:
        """The client; Lost while there is none."""
        if self._client is None or self.is_lost:
            raise Lost
        return self._client

    @property
    def is_lost(self) -> bool:
        return self._client is None or self._client.status != "running"

    @property
    def url(self) -> str:
        """The scheduler's address, wherever it stood."""
        return str(self.client.scheduler.address)

    def wait(
        self, work: Coroutine[Any, Any, Answer], timeout: float | None = ANSWER_TIMEOUT
    ) -> Answer:
        """The result of something done in the loop's thread; Lost if that takes too long."""
        running = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, timeout), self._loop)
        try:
            return running.result()
        except (TimeoutError, OSError, *CANCELLED) as error:
            raise Lost(str(error)) from None
        except BaseException:
            running.cancel()
            raise

    def connect(self) -> None:
        """Connect for the first time. Raises ClusterError if no scheduler answers."""
        try:
            self.wait(self._connect(CONNECT_TIMEOUT), None)
        except Lost as error:
            words = f"no dask scheduler answers at {self.address}"
            cause = f": {error}" if str(error) else ""
            raise ClusterError(Fault(OPTION, words + cause)) from None

    def reconnect(self) -> None:
        self.tell(f"The scheduler at {self.address} is gone; waiting for it.")
        began = time.monotonic()
        while True:
            with suppress(Lost):
                self.wait(self._disconnect(), RETRY_TIMEOUT)
            with suppress(Lost):
                self.wait(self._connect(RETRY_TIMEOUT), None)
                break
            time.sleep(WAIT_FOR_SCHEDULER)
        self.tell(f"The scheduler is back after {time.monotonic() - began:.0f} s.")

    async def _connect(self, timeout: float) -> None:
        where = (
            {"scheduler_file": self.address.file}
            if self.address.file
            else {"address": self.address.url}
        )
        client = Client(
            **where, asynchronous=True, timeout=timeout, set_as_default=False, name="arena"
        )
        try:
            await client
        except (Exception, *CANCELLED) as error:
            # Whoever listens there may answer anything, which dask takes for lengths of memory.
            with suppress(Exception):
                await client.close(timeout=RETRY_TIMEOUT / 2)
            raise Lost(one_line(str(error))) from error
        self._client = client
        try:
            await client.run_on_scheduler(_forget_abandoned)
        except (AttributeError, ImportError) as error:
            words = f"the scheduler at {self.address} runs with another gomoku-arena, or none"
            raise ClusterError(Fault(OPTION, f"{words}: {one_line(str(error))}")) from None

    async def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client:
            await client.close(timeout=RETRY_TIMEOUT / 2)

    def workers(self) -> list[DaskWorker]:
        return [DaskWorker(*each) for each in self.wait(self._workers())]

    async def _workers(self) -> list[tuple[Any, ...]]:
        workers: list[tuple[Any, ...]] = await self.client.run_on_scheduler(roll_call)
        return workers

    def dismiss(self, addresses: Sequence[str]) -> None:
        """Let the scheduler take these workers for dead, and give what they were at to others."""
        self.wait(self._dismiss(addresses))

    async def _dismiss(self, addresses: Sequence[str]) -> None:
        await self.client.run_on_scheduler(dismiss, addresses)

    def close(self) -> None:
        with suppress(Lost):
            self.wait(self._disconnect(), RETRY_TIMEOUT)
        self._loop.call_soon_threadsafe(self._loop.stop)


def _forget_abandoned(dask_scheduler: Scheduler) -> None:
    for name in list(dask_scheduler.worker_plugins):
        if name.startswith(RUN) and name.split(":")[1] not in dask_scheduler.clients:
            # Nobody waits for the answers: a worker that is frozen gives none.
            forgetting = asyncio.ensure_future(dask_scheduler.unregister_worker_plugin(None, name))
            TELLING.add(forgetting)
            forgetting.add_done_callback(TELLING.discard)


TELLING: set[asyncio.Future[Any]] = set()
"""Held here, in the scheduler: an event loop has weak references only."""


async def dismiss(addresses: Sequence[str], dask_scheduler: Scheduler) -> None:
    """Remove workers, without blame on what they were at; if they wake up, they end."""
    for address in addresses:
        await dask_scheduler.remove_worker(address, stimulus_id="arena-silence", expected=True)


def roll_call(dask_scheduler: Scheduler) -> list[tuple[Any, ...]]:
    """The workers, told by the scheduler itself: dask's own list leaves some out."""
    now, workers = time.time(), dask_scheduler.workers.values()
    is_counted = any(GAME in worker.resources for worker in workers)
    return [
        (
            worker.address,
            worker.host,
            int(worker.resources.get(GAME, 0)) if is_counted else worker.nthreads,
            now - worker.last_seen,
            is_counted,
        )
        for worker in workers
    ]


ALLOWED_DEATHS = 1000
"""Deaths of workers for which the scheduler does not give a game up: we count them ourselves."""
CLOSE_TIMEOUT = 30.0  # Seconds for dask to end its processes


@contextmanager
def local_cluster(processes: int) -> Iterator[str]:
    """The address of a scheduler with `processes` workers, while this lasts.

    They belong to a process of their own: dask starts its processes anew from the main module,
    which may be a user's script or a notebook.
    """
    child = Child.executed(_serve_cluster, processes)
    try:
        yield _address_from(child)
    finally:
        child.end(CLOSE_TIMEOUT)


def _address_from(child: Child) -> str:
    """The address that the process sends; ClusterError if it ends before."""
    try:
        address: str = child.receive()
    except EOFError:
        raise ClusterError(Fault(OPTION, "dask cannot start its processes here")) from None
    return address


def _serve_cluster(pipe: ValuePipe, processes: int) -> None:
    """Keep a cluster until the pipe closes: the process's whole life."""
    import dask
    from distributed import LocalCluster

    dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_DEATHS})
    with LocalCluster(
        n_workers=processes,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        memory_limit=0,
        silence_logs=logging.ERROR,  # draws that are not wanted any more are no news to users
    ) as cluster:
        pipe.send(cluster.scheduler_address)
        with suppress(EOFError):
            pipe.receive()
