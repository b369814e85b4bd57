"""A cluster from its address to its scheduler, and games on it: the second kind of site."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace

from arena.cluster.address import Address, address_of, unsafe_text
from arena.cluster.dispatcher import Dispatcher
from arena.cluster.link import Link, Tell, local_cluster
from arena.cluster.machines import Overview
from arena.cluster.worker_monitor import Timeouts, WorkerMonitor, check_machines
from arena.match.record import GameRecord, Job
from arena.storage.database import Machine
from arena.workers.logs import LogFile
from arena.workers.pool import Site
from arena.workers.referee import Referee


@contextmanager
def connected(text: str, tell: Tell) -> Iterator[Cluster]:
    """The cluster at an address, whose scheduler has answered."""
    typed = address_of(text)
    if not typed.processes:
        tell(f"Looking for a scheduler at {typed} ...")
    with quiet(), _scheduler_at(typed) as address, closing(Link(address, tell)) as link:
        link.connect()
        if warning := unsafe_text(link.url):
            tell(warning)
        with closing(WorkerMonitor(link, Overview(), Timeouts.configured())) as monitor:
            yield Cluster(monitor)


@contextmanager
def quiet() -> Iterator[None]:
    """Let dask not print tracebacks of lost connections, of which we speak ourselves."""
    import distributed  # noqa: F401  # it sets its loggers up

    names = [each for each in logging.root.manager.loggerDict if each.startswith("distributed")]
    handlers = {name: logging.getLogger(name).handlers for name in names}
    for name in names:
        logging.getLogger(name).handlers = [logging.NullHandler()] if handlers[name] else []
    try:
        yield
    finally:
        for name in names:
            logging.getLogger(name).handlers = handlers[name]


@contextmanager
def _scheduler_at(address: Address) -> Iterator[Address]:
    """The address of a scheduler; for a trial, of one that is here while this lasts."""
    if not address.processes:
        yield address
        return
    with local_cluster(address.processes) as url:
        yield replace(address, url=url)


@dataclass(frozen=True, slots=True)
class Cluster:
    """The workers of a scheduler, however many there are at a time."""

    monitor: WorkerMonitor
    pairs: int | None = None  # Pairs of a task; None: as many as it takes
    most: int | None = None  # Games at a time, at most

    @property
    def workers(self) -> int:
        return max(1, self.slots)

    @property
    def slots(self) -> int:
        slots = self.monitor.seen.slots
        return slots if self.most is None else min(slots, self.most)

    def play(
        self, jobs: Iterable[Job | None], referee: Referee, log: LogFile
    ) -> Generator[GameRecord]:
        with closing(Dispatcher(self.monitor, referee, log, self.pairs)) as dispatcher:
            yield from dispatcher.run(iter(jobs))

    def check(self, referee: Referee) -> None:
        check_machines(self.monitor, referee)

    def machines(self) -> list[Machine]:
        return self.monitor.seen.machines()

    def at_most(self, games: int) -> Site:
        return replace(self, most=games)

    def lines(self) -> list[str]:
        return self.monitor.seen.lines()
