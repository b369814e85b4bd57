"""Players that sleep in place of playing, for workers of a simulated cluster."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random

from arena.cluster.shipping import Reply, RunDescription
from arena.cluster.task import IsWanted, RunProcesses
from arena.game import Outcome
from arena.match.record import Job, record, to_send


class SleepingPlayers(RunProcesses):
    """Sleeps as long as games would take; the first player wins each."""

    def __init__(self, description: RunDescription, seconds: float) -> None:
        """`seconds`: of a game."""
        super().__init__(description)
        self._seconds = seconds

    def play(self, jobs: Sequence[Job], is_wanted: IsWanted) -> Reply:
        """Sleep for each game, for longer and shorter: in step, they would all come at once."""
        seconds = self._seconds * len(jobs) * Random(str(jobs)).uniform(0.5, 1.5)
        time.sleep(seconds)
        found = [record(job, Outcome(1, "line"), "", job.opening) for job in jobs]
        return Reply(list(map(to_send, found)), seconds)
