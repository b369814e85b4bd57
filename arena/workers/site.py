"""Contract of a place where games are played: processes of this machine, or a cluster of many."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Protocol

from arena.match.record import GameRecord, Job
from arena.storage.database import Machine
from arena.workers.logs import LogFile
from arena.workers.referee import Referee


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
