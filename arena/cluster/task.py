"""The work of a dask worker, which waits without the GIL, and the child process that plays."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from pickle import UnpicklingError
from threading import Lock

from distributed import Worker, WorkerPlugin, get_worker

from arena.cluster.child import live
from arena.cluster.machines import (
    Inspected,
    facts_here,
    machine_name,
    version_differences,
    versions_here,
)
from arena.cluster.shipping import Delivery, Order, Reply, RunDescription
from arena.match.record import Job
from arena.processes.child import Child

POLL = 0.25  # Seconds between two looks at whether a game is still wanted
WAIT_FOR_RUN = 5.0
ENGINES_FOLDER = "arena-engines"

IsWanted = Callable[[], bool]


class ChildLost(Exception):  # noqa: N818
    """Raised when a child ends in mid-game, as a worker may."""


class Unready(Exception):  # noqa: N818
    """Raised on a worker that does not know the run."""


class Unwanted(Exception):  # noqa: N818
    """Raised when the driver no longer waits for a batch."""


def play_batch(run: str, jobs: Sequence[Job]) -> Delivery:
    """Play some games on this machine: a task of dask's."""
    worker = get_worker()
    processes = processes_for(worker, run)
    return Delivery(machine_name(), worker.address, processes.play(jobs, wish(worker)))


def inspect_machine(run: str) -> Inspected:
    """Look at this machine, and build every engine: a task of dask's."""
    worker = get_worker()
    reply = processes_for(worker, run).play((), wish(worker))
    faults = dict(reply.faults) or ({"": reply.fault} if reply.fault else {})
    return Inspected(worker.address, facts_here(), faults)


def wish(worker: Worker) -> IsWanted:
    """A function that returns True as long as the driver waits for the task at work."""
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    return is_wanted


def processes_for(worker: Worker, run: str) -> RunProcesses:
    """The worker's processes for a run, of which it may hear a moment later than of a game."""
    deadline = time.monotonic() + WAIT_FOR_RUN
    while run not in worker.plugins:
        if time.monotonic() > deadline:
            raise Unready(worker.address)
        time.sleep(POLL)
    run_processes: RunProcesses = worker.plugins[run].content()
    return run_processes


class RunProcesses(WorkerPlugin):
    """Holds the children of one worker for one run; those that are free are played with first."""

    def __init__(self, description: RunDescription) -> None:
        self._description = description

    def setup(self, worker: Worker) -> None:
        self._folder = Path(worker.local_directory)
        self._fault = version_differences(self._description.versions, versions_here())
        try:
            self._manifest = self._description.shipment.unpack(self._folder / ENGINES_FOLDER)
        except OSError as error:
            self._fault = f"engines cannot be unpacked: {error}"
        self._lock = Lock()
        self._free: list[PlayingProcess] = []
        self._all: list[PlayingProcess] = []
        self._is_over = False

    def teardown(self, worker: Worker) -> None:
        with self._lock:
            self._is_over = True
            for child in self._all:
                child.end()
            self._all.clear()

    def play(self, jobs: Sequence[Job], is_wanted: IsWanted) -> Reply:
        """Play with a child that is free, or a new one; without jobs, only have one ready."""
        if self._fault:
            return Reply([], 0.0, fault=self._fault)
        child = self._free_child() or self._new_child()
        try:
            reply = child.first_reply(is_wanted)
            if jobs and not reply.fault:
                reply = child.play(jobs, is_wanted)
            if not (reply.fault or reply.error):
                self._free.append(child)
                return reply
        except BaseException:
            self._end(child)
            raise
        self._end(child)
        return reply

    def _free_child(self) -> PlayingProcess | None:
        with self._lock:
            while self._free:
                child = self._free.pop()
                if child.is_alive:
                    return child
                child.end()  # its log
                self._all.remove(child)
        return None

    def _new_child(self) -> PlayingProcess:
        with self._lock:
            if self._is_over:
                raise Unwanted
            log = self._folder / f"arena-{os.urandom(4).hex()}.log"
            described = self._description
            child = PlayingProcess(Order(described.referee, self._manifest, log))
            self._all.append(child)
            return child

    def _end(self, child: PlayingProcess) -> None:
        child.end()
        with self._lock:
            if child in self._all:
                self._all.remove(child)


class PlayingProcess:
    def __init__(self, order: Order) -> None:
        self._log = order.log
        self._child = Child.executed(live, order)
        self._first: Reply | None = None

    @property
    def is_alive(self) -> bool:
        return self._child.code is None

    def first_reply(self, is_wanted: IsWanted) -> Reply:
        if self._first is None:
            self._first = self._reply(is_wanted)
        return self._first

    def play(self, jobs: Sequence[Job], is_wanted: IsWanted) -> Reply:
        """The records of a batch. Raises ChildLost if the process dies before they come."""
        self._child.send(jobs)
        return self._reply(is_wanted)

    def _reply(self, is_wanted: IsWanted) -> Reply:
        """Wait for a reply. Raises Unwanted once the driver no longer waits for it."""
        while True:
            try:
                reply: Reply = self._child.receive(POLL)
                return reply
            except TimeoutError:
                if not is_wanted():
                    raise Unwanted from None
            except (EOFError, OSError, UnpicklingError):
                raise ChildLost from None

    def end(self) -> None:
        """End the process at once; its own reaper ends what engines have started."""
        self._child.end()
        self._log.unlink(missing_ok=True)
