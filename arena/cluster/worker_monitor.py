"""Watch over the workers: who is there, who is silent, and words on both."""

from __future__ import annotations

import time
from dataclasses import dataclass

import dask

from arena.cluster.link import DaskWorker, Link, Lost
from arena.cluster.machines import Inspected, is_fit, unfit_text
from arena.cluster.overview import Overview
from arena.cluster.registration import Registration

LOOK_INTERVAL = 1.0
"""Seconds between two looks at the workers."""
SAID_AFTER = 3.0
"""Seconds without any worker after which that is said."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds that things may take; users set them as they set what is dask's own."""

    silence: float
    """Seconds without a word from a worker, which is then taken for dead."""
    task: float
    """The least seconds after which a task is given out again."""

    @classmethod
    def configured(cls) -> Timeouts:
        """Timeouts as `arena` in dask's configuration has it."""
        parsed = {
            name: dask.utils.parse_timedelta(dask.config.get(f"arena.{name}", default))
            for name, default in SECONDS.items()
        }
        return cls(**parsed)


SECONDS = {"silence": "30s", "task": "600s"}


class WorkerMonitor:
    """Holds a cluster: the way to it, who was seen there and when, and what was said of them."""

    def __init__(self, link: Link, seen: Overview, patience: Timeouts) -> None:
        self.link = link
        self.registration = Registration(link)
        self.seen = seen
        self.patience = patience
        self._looked = 0.0
        self._deserted = 0.0
        """Time since when there is no worker; 0: there is one."""
        self._is_said = False
        self._suspects: set[str] = set()
        """Workers that were silent at the last look."""

    def look(self) -> None:
        """Look at the workers, unless that was done just now; Lost with the scheduler."""
        if time.monotonic() - self._looked < LOOK_INTERVAL:
            return
        self.seen.workers = self.link.workers()
        self._looked = time.monotonic()
        self._dismiss_silent()
        self._say_who_is_missing()

    def meet(self, inspected: Inspected) -> None:
        """Take in what a machine has said that has joined; leave it out if it cannot play."""
        self.seen.meet(inspected)
        if not is_fit(inspected):
            self.leave_out(inspected.machine, unfit_text(inspected))

    def leave_out(self, machine: str, reason: str) -> None:
        """Let a machine play no more, and say so, once."""
        if machine not in self.seen.left_out:
            self.seen.left_out[machine] = reason
            self.link.tell(f"{machine} is left out: {reason}.")

    def _dismiss_silent(self) -> None:
        """Take those for dead that are silent at two looks: the scheduler itself may have slept."""
        silent = [each for each in self.seen.workers if each.silence > self.patience.silence]
        gone = [each for each in silent if each.address in self._suspects]
        self._suspects = {each.address for each in silent}
        for worker in gone:
            self.link.tell(silence_text(self.seen.machine_of(worker), worker))
        if gone:
            self.link.dismiss([worker.address for worker in gone])
            self.seen.workers = [each for each in self.seen.workers if each not in gone]

    def _say_who_is_missing(self) -> None:
        """Say that there is nobody to play, once that has lasted, and when somebody has come."""
        now = time.monotonic()
        if self.seen.slots:
            if self._is_said:
                self.link.tell(f"There are workers again: {self.seen.slots} games at a time.")
            self._deserted, self._is_said = 0.0, False
            return
        self._deserted = self._deserted or now
        if not self._is_said and now - self._deserted >= SAID_AFTER:
            idle = len(self.seen.workers)
            who = f"None of the {idle} workers offers a place for games" if idle else "No workers"
            self.link.tell(f"{who} at {self.link.address}; waiting for some.")
            self._is_said = True

    def close(self) -> None:
        """Let the workers forget what they were told."""
        self.registration.close()

    def await_first(self) -> None:
        """Wait for the first worker."""
        while not self.seen.slots:
            try:
                self.look()
            except Lost:
                self.link.reconnect()
            time.sleep(LOOK_INTERVAL / 10)


def silence_text(machine: str, worker: DaskWorker) -> str:
    """Words on a worker that is taken for dead."""
    return (
        f"{machine}: nothing heard from the worker at {worker.address} for "
        f"{worker.silence:.0f} s; its games are given to others."
    )
