"""Workers told of a run, once: their children are kept from its check to its last game."""

from __future__ import annotations

import asyncio
import os
import pickle
from collections.abc import Callable
from contextlib import suppress

from arena.cluster.envelope import Envelope
from arena.cluster.link import RUN, Link, Lost
from arena.cluster.machines import versions_here
from arena.cluster.messages import RunDescription
from arena.cluster.shipping import shipment_of
from arena.cluster.speed import is_speed_wanted, own_speed
from arena.cluster.task import Players
from arena.workers.referee import Referee

REGISTER_TIMEOUT = 5.0
MEGABYTES_PER_SECOND = 5.0
"""Least speed at which engines travel, for whoever waits for it."""
FORGET_TIMEOUT = 5.0

NewPlayers = Callable[[RunDescription], Players]


class Registration:
    """Holds the run that workers know, and the name by which they know it."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._subject: tuple[Referee, NewPlayers] | None = None
        self._players: Players | None = None
        self._patience = REGISTER_TIMEOUT
        self._run = ""
        self._told: list[str] = []
        """All names that were told, and not taken back."""

    def prepare(self, referee: Referee, players: NewPlayers = Players) -> None:
        """Have players for this referee; ConfigError if its engines are too large to travel."""
        if self._subject and self._subject[0] is referee and self._subject[1] is players:
            return
        self.close()
        description = description_of_run(referee)
        self._patience = REGISTER_TIMEOUT + description.shipment.megabytes / MEGABYTES_PER_SECOND
        self._subject, self._players = (referee, players), players(description)

    async def told(self) -> str:
        """The name of the run, of which workers have been told, and will be as they join."""
        client = self._link.client
        own = f"{RUN}{client.id}:"  # a scheduler that has come back knows nothing
        if not self._run.startswith(own):
            run = own + os.urandom(4).hex()
            self._told.append(run)
            with suppress(TimeoutError):  # one who does not answer keeps it from ending
                telling = client.register_plugin(Envelope(self._players), name=run)
                await asyncio.wait_for(telling, self._patience)
            self._run = run
        return self._run

    @property
    def patience(self) -> float:
        """Seconds that telling may take."""
        return self._patience

    def repeat(self) -> None:
        """Tell workers once more, by another name: one of them was not told."""
        self._run = ""

    def close(self) -> None:
        """Let workers forget the run, and end their children."""
        told, self._told, self._run = self._told, [], ""
        if told and not self._link.is_lost:
            with suppress(Lost):
                self._link.wait(self._forget(told), FORGET_TIMEOUT)

    async def _forget(self, runs: list[str]) -> None:
        """Take the plugins back, those of all names at once: one who is frozen never answers."""
        client = self._link.client
        await asyncio.gather(
            *(client.unregister_worker_plugin(run) for run in runs), return_exceptions=True
        )


def description_of_run(referee: Referee) -> RunDescription:
    """All that the workers need; ConfigError if engines are too large to travel."""
    speed = own_speed() if is_speed_wanted(referee) else None
    shipment = shipment_of(referee.players.values())
    return RunDescription(pickle.dumps(referee), shipment, versions_here(), speed)
