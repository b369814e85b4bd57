"""Many workers of a cluster in this process, which sleep as long as games would take."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

from distributed import LocalCluster

from arena.cluster.address import Address
from arena.cluster.courier import Courier
from arena.cluster.link import Link
from arena.cluster.lookout import Forbearance, Lookout
from arena.cluster.orders import Reply
from arena.cluster.overview import Overview
from arena.cluster.site import Cluster
from arena.cluster.task import IsWanted, Players
from arena.game import Outcome
from arena.match.record import GameRecord, Job, record, values_of
from arena.workers.logs import LogFile
from arena.workers.referee import Referee


class Sleepers(Players):
    """Holds nobody: it sleeps, and every game is won by the first player."""

    seconds = 1.0
    """Seconds of a game; the same for all workers of a process."""

    def play(self, jobs: Sequence[Job], is_wanted: IsWanted) -> Reply:
        """Sleep for each game."""
        seconds = self.seconds * len(jobs)
        time.sleep(seconds)
        found = [record(job, Outcome(1, "line"), "", job.opening) for job in jobs]
        return Reply([values_of(each) for each in found], seconds)


@dataclass(frozen=True, slots=True)
class Crowd(Cluster):
    """A cluster of sleepers."""

    def check(self, referee: Referee) -> None:
        """Find nothing wrong with them."""

    def play(
        self, jobs: Iterable[Job | None], referee: Referee, log: LogFile
    ) -> Generator[GameRecord]:
        """Let them sleep over the jobs."""
        courier = Courier(self.lookout, referee, log, self.pairs, Sleepers)
        with closing(courier):
            yield from courier.run(iter(jobs))


@contextmanager
def crowd(workers: int, game_seconds: float) -> Iterator[Crowd]:
    """Workers as threads of this process, whose tasks are pairs."""
    Sleepers.seconds = game_seconds
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=False,
            protocol="tcp",
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
        ) as place,
        closing(Link(Address(url=place.scheduler_address), lambda words: None)) as link,
    ):
        link.connect()
        lookout = Lookout(link, Overview(), Forbearance.configured())
        while lookout.seen.slots < workers:
            lookout.await_first()
            lookout.look()
            time.sleep(0.1)
        yield Crowd(lookout, pairs=1)
