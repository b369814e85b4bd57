"""Games on a cluster of dask's: the second kind of site, beside the processes of this machine."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, replace

from arena.cluster.dispatcher import Dispatcher
from arena.cluster.worker_monitor import WorkerMonitor, check_machines
from arena.match.record import GameRecord, Job
from arena.storage.database import Machine
from arena.workers.logs import LogFile
from arena.workers.pool import Site
from arena.workers.referee import Referee


@dataclass(frozen=True, slots=True)
class Cluster:
    """The workers of a scheduler, however many there are at a time."""

    monitor: WorkerMonitor
    pairs: int | None = None  # Pairs of a task; None: as many as it takes
    most: int | None = None  # Games at a time, at most

    @property
    def workers(self) -> int:
        """Games that it plays at a time, now."""
        return max(1, self.slots)

    @property
    def slots(self) -> int:
        """Games that can be played at this moment; 0 without a scheduler, or workers."""
        slots = self.monitor.seen.slots
        return slots if self.most is None else min(slots, self.most)

    def play(
        self, jobs: Iterable[Job | None], referee: Referee, log: LogFile
    ) -> Generator[GameRecord]:
        """Play the jobs, as every site does, even if machines or the scheduler are lost."""
        with closing(Dispatcher(self.monitor, referee, log, self.pairs)) as dispatcher:
            yield from dispatcher.run(iter(jobs))

    def check(self, referee: Referee) -> None:
        """Ask every machine about itself; ConfigError with a table if some cannot play."""
        check_machines(self.monitor, referee)

    def machines(self) -> list[Machine]:
        """The machines that were met."""
        return self.monitor.seen.machines()

    def at_most(self, games: int) -> Site:
        """A cluster that uses at most as many workers as there are games."""
        return replace(self, most=games)

    def lines(self) -> list[str]:
        """One line for each machine."""
        return self.monitor.seen.lines()
