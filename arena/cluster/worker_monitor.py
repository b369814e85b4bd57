"""Watch over the workers of a cluster: the run they know, which are there, what they can play."""

from __future__ import annotations

import asyncio
import os
import pickle
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import dask
from distributed import Client, KilledWorker

from arena.cluster.address import OPTION, ClusterError
from arena.cluster.envelope import Call, Envelope, lacks_arena, submitted
from arena.cluster.link import CANCELLED, RUN, DaskWorker, Link, Lost, roll_call
from arena.cluster.machines import (
    Inspected,
    Overview,
    is_fit,
    machines_text,
    unfit_text,
    versions_here,
)
from arena.cluster.shipping import RunDescription, shipment_of
from arena.cluster.task import ChildLost, RunProcesses, Unready, Unwanted, inspect_machine
from arena.errors import DISTRIBUTION, ConfigError, Fault, own_words
from arena.workers.referee import Referee

LOOK_INTERVAL = 1.0  # Seconds between two looks at the workers
SAID_AFTER = 3.0  # Seconds without any worker after which that is said
REGISTER_TIMEOUT = 5.0
MEGABYTES_PER_SECOND = 5.0  # Lowest speed at which engines travel that is waited for
FORGET_TIMEOUT = 5.0
INSPECTION = 60.0  # Seconds for an answer, beside what engines may take to be built
REMEDY = "install it as it is here, and start the worker again"
UNFIT = "the cluster has machines that differ from this one, or cannot build every engine:\n"


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds that things may take; users set them as they set what is dask's own."""

    silence: float  # Seconds without a word from a worker, which is then taken for dead
    task: float  # The least seconds after which a task is given out again

    @classmethod
    def configured(cls) -> Timeouts:
        parsed = {
            name: dask.utils.parse_timedelta(dask.config.get(f"arena.{name}", default))
            for name, default in SECONDS.items()
        }
        return cls(**parsed)


SECONDS = {"silence": "30s", "task": "600s"}


class WorkerMonitor:
    """Holds a cluster: the link to it, the workers seen there, and what users were told of them."""

    def __init__(self, link: Link, seen: Overview, patience: Timeouts) -> None:
        self.link = link
        self.registration = Registration(link)
        self.seen = seen
        self.patience = patience
        self._looked = 0.0
        self._deserted = 0.0  # Time since when there is no worker; 0: there is one
        self._is_said = False
        self._is_back = False  # True from a scheduler's return until there are workers again
        self._suspects: set[str] = set()  # Workers that were silent at the last look

    def look(self) -> None:
        """Look at the workers, unless that was done just now; Lost with the scheduler."""
        if time.monotonic() - self._looked < LOOK_INTERVAL:
            return
        self.seen.workers = self.link.workers()
        self._looked = time.monotonic()
        self._dismiss_silent()
        self._say_who_is_missing()

    def meet(self, inspected: Inspected) -> None:
        self.seen.meet(inspected)
        if not is_fit(inspected):
            self.leave_out(inspected.machine, unfit_text(inspected))

    def leave_out(self, machine: str, reason: str) -> None:
        if machine not in self.seen.left_out:
            self.seen.left_out[machine] = reason
            self.link.tell(f"{machine} is left out: {reason}.")

    def _dismiss_silent(self) -> None:
        """Take those for dead that are silent at two looks: the scheduler itself may have slept."""
        silent = [each for each in self.seen.workers if each.silence > self.patience.silence]
        gone = [each for each in silent if each.address in self._suspects]
        self._suspects = {each.address for each in silent}
        for worker in gone:
            self.link.tell(
                f"{self.seen.machine_of(worker)}: nothing heard from the worker at "
                f"{worker.address} for {worker.silence:.0f} s; its games are given to others."
            )
        if gone:
            self.link.dismiss([worker.address for worker in gone])
            self.seen.workers = [each for each in self.seen.workers if each not in gone]

    def _say_who_is_missing(self) -> None:
        """Say when no worker has offered a place for games for a while, and when one does again."""
        now = time.monotonic()
        if self.seen.slots:
            if self._is_said or self._is_back:
                self.link.tell(f"There are workers again: {self.seen.slots} games at a time.")
            self._deserted, self._is_said, self._is_back = 0.0, False, False
            return
        self._deserted = self._deserted or now
        if not self._is_said and now - self._deserted >= SAID_AFTER:
            idle = len(self.seen.workers)
            who = f"None of the {idle} workers offers a place for games" if idle else "No workers"
            self.link.tell(f"{who} at {self.link.address}; waiting for some.")
            self._is_said = True

    def reconnect(self) -> None:
        """Wait for a scheduler that was lost; there is no worker until it names some."""
        self.seen.workers, self._looked, self._deserted = (), 0.0, 0.0
        self.link.reconnect()
        self._is_back = True

    def close(self) -> None:
        self.registration.close()

    def await_first(self) -> None:
        while not self.seen.slots:
            try:
                self.look()
            except Lost:
                self.reconnect()
            time.sleep(LOOK_INTERVAL / 10)


class Registration:
    """Holds the run that workers know, and the name by which they know it."""

    def __init__(
        self, link: Link, processes: Callable[[RunDescription], RunProcesses] = RunProcesses
    ) -> None:
        self._link = link
        self._new_processes = processes
        self._prepared: Referee | None = None
        self._processes: RunProcesses | None = None
        self.patience = REGISTER_TIMEOUT  # Seconds that telling may take
        self._run = ""
        self._told: list[str] = []  # All names that were told, and not taken back

    def prepare(self, referee: Referee) -> None:
        """Have processes for these games; ConfigError if engines are too large to travel."""
        if self._prepared is referee:
            return
        self.close()
        shipment = shipment_of(referee.players.values())
        description = RunDescription(pickle.dumps(referee), shipment, versions_here())
        self.patience = REGISTER_TIMEOUT + shipment.megabytes / MEGABYTES_PER_SECOND
        self._prepared, self._processes = referee, self._new_processes(description)

    async def told(self) -> str:
        """The name of the run, of which workers have been told, and will be as they join."""
        client = self._link.client
        own = f"{RUN}{client.id}:"  # a scheduler that has come back knows nothing
        if not self._run.startswith(own):
            run = own + os.urandom(4).hex()
            self._told.append(run)
            with suppress(TimeoutError):  # a worker that does not answer keeps it from ending
                telling = client.register_plugin(Envelope(self._processes), name=run)
                await asyncio.wait_for(telling, self.patience)
            self._run = run
        return self._run

    def repeat(self) -> None:
        """Let all workers be told of the run again, by another name."""
        self._run = ""

    def close(self) -> None:
        runs, self._told, self._run = self._told, [], ""
        if runs and not self._link.is_lost:
            with suppress(Lost):
                self._link.wait(self._forget(runs), FORGET_TIMEOUT)

    async def _forget(self, runs: list[str]) -> None:
        """Take the plugins back, all at once: a worker that is frozen never answers."""
        client = self._link.client
        await asyncio.gather(
            *(client.unregister_worker_plugin(run) for run in runs), return_exceptions=True
        )


def check_machines(monitor: WorkerMonitor, referee: Referee) -> None:
    """Ask all machines that are there; ConfigError with one table if some cannot play.

    It is a ClusterError if no engine is at fault. Those that do not answer in time may play:
    what they say comes with their first games.
    """
    monitor.registration.prepare(referee)
    monitor.await_first()
    deadline = time.monotonic() + INSPECTION + referee.preparation * len(referee.players)
    while True:
        try:
            monitor.look()
            asking = asked_machines(monitor, deadline)
            inspected = monitor.link.wait(asking, None)
            break
        except Lost:
            monitor.reconnect()
    for each in inspected:
        monitor.seen.meet(each)
    if not all(map(is_fit, inspected)):
        has_faults = any(player for each in inspected for player in each.faults)
        error = ConfigError if has_faults else ClusterError
        raise error(Fault(OPTION, UNFIT + machines_text(inspected, list(referee.players))))


async def asked_machines(monitor: WorkerMonitor, deadline: float) -> list[Inspected]:
    client, run = monitor.link.client, await monitor.registration.told()
    asking = {
        address: asyncio.ensure_future(asked_machine(client, run, address))
        for address in monitor.seen.all_asked()
    }
    try:
        while time.monotonic() < deadline:
            here = await answering(monitor)
            late = [each for name, each in asking.items() if name in here and not each.done()]
            if not late:
                break
            await asyncio.wait(late, timeout=LOOK_INTERVAL)
        answers = [each.result() for each in asking.values() if each.done()]
        return [each for each in answers if each]
    finally:
        for each in asking.values():
            each.cancel()


async def answering(monitor: WorkerMonitor) -> set[str]:
    listed = await monitor.link.client.run_on_scheduler(roll_call)
    workers = [DaskWorker(*each) for each in listed]
    return {each.address for each in workers if each.silence < monitor.patience.silence}


async def asked_machine(client: Client, run: str, address: str) -> Inspected | None:
    """The answer of the worker at an address; None if it dies, or is gone."""
    future = submitted(
        client,
        Call(inspect_machine, run),
        key=f"{run}-{os.urandom(6).hex()}",
        workers=[address],
        allow_other_workers=False,
    )
    try:
        inspected: Inspected = await future
    except (KilledWorker, ChildLost, Unready, Unwanted, OSError, *CANCELLED):
        return None
    except Exception as error:  # another arena than ours, or none at all, may fail in any way
        return Inspected(address, None, {"": _stranger_text(error)})
    finally:
        future.release()
    return inspected


def _stranger_text(error: Exception) -> str:
    if lacks_arena(error):
        return f"{DISTRIBUTION} is not installed there: {REMEDY}"
    return f"another {DISTRIBUTION} is installed there: {REMEDY} ({own_words(error)})"
