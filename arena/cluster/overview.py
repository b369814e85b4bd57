"""The machines of a cluster, as they are seen from here: what each has done, and what it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.cluster.link import DaskWorker
from arena.cluster.machines import Facts, Inspected
from arena.cluster.messages import Delivery
from arena.storage.database import Machine

QUIET_FROM = 10.0
"""Seconds without a word from which on a line says so."""


@dataclass(slots=True)
class WorkDone:
    """The games of one machine."""

    games: int = 0
    seconds: float = 0.0


class Overview:
    """Holds the facts about each machine, by its name, or until a game comes from it, its host."""

    def __init__(self) -> None:
        self.workers: Sequence[DaskWorker] = ()
        self._names: dict[str, str] = {}
        """Machines by the addresses of their workers."""
        self._work_done: dict[str, WorkDone] = {}
        self._facts: dict[str, Facts] = {}
        self.asked: set[str] = set()
        """Addresses of workers that were asked about their machines."""
        self.left_out: dict[str, str] = {}
        """The reasons by machine, or by the host of workers that cannot tell their machine."""

    @property
    def slots(self) -> int:
        """Games that can be played at a time."""
        return sum(worker.slots for worker in self.workers if self.is_admitted(worker))

    def is_admitted(self, worker: DaskWorker) -> bool:
        """True unless the worker's machine is left out."""
        out = self.left_out  # mostly empty, and this is asked for each worker at each task
        return not out or self.machine_of(worker) not in out

    def admitted(self) -> list[str] | None:
        """The addresses of those that may play; None: all."""
        if not self.left_out:
            return None
        return [worker.address for worker in self.workers if self.is_admitted(worker)]

    def newcomers(self) -> list[str]:
        """The addresses of workers that play and were not asked yet: they are from now on."""
        addresses = {worker.address for worker in self.workers if worker.slots}
        found = sorted(addresses - self.asked)
        self.asked |= addresses
        return found

    def all_asked(self) -> list[str]:
        """The addresses of all that may play: they are asked now."""
        found = [each.address for each in self.workers if each.slots and self.is_admitted(each)]
        self.asked |= {*found}
        return found

    def meet(self, inspected: Inspected) -> None:
        """Take in a worker's message about its machine."""
        if facts := inspected.facts:
            self._names[inspected.address] = facts.machine
            self._facts[facts.machine] = facts

    def machines(self) -> list[Machine]:
        """All that is known of every machine."""
        return [
            Machine(facts.machine, facts.cores, facts.megabytes)
            for _, facts in sorted(self._facts.items())
        ]

    def take(self, played: Delivery) -> None:
        """Count the games of one task."""
        self._names[played.address] = played.machine
        work_done = self._work_done.setdefault(played.machine, WorkDone())
        work_done.games += len(played.reply.records)
        work_done.seconds += played.reply.seconds

    def machine_of(self, worker: DaskWorker) -> str:
        """The name of a worker's machine, as far as it is known."""
        return self._names.get(worker.address, worker.host)

    def lines(self) -> list[str]:
        """One line for each machine: those that are here, then those that have gone."""
        present: dict[str, list[DaskWorker]] = {}
        for worker in self.workers:
            present.setdefault(self.machine_of(worker), []).append(worker)
        return [
            _machine_line(name, self._work_done.get(name, WorkDone()), present.get(name, []))
            + (f"; left out: {self.left_out[name]}" if name in self.left_out else "")
            for name in sorted({*present, *self._work_done})
        ]


def _machine_line(name: str, work_done: WorkDone, workers: Sequence[DaskWorker]) -> str:
    done = f"{name}: {work_done.games} games"
    if work_done.games:
        done += f", {work_done.seconds / work_done.games:.3g} s each"
    return f"{done}; {_presence_text(workers)}"


def _presence_text(workers: Sequence[DaskWorker]) -> str:
    if not workers:
        return "gone"
    slots = sum(worker.slots for worker in workers)
    quiet = [worker.silence for worker in workers if worker.silence > QUIET_FROM]
    text = f"{slots} at a time" if slots else "offers no place for games"
    if quiet:
        text += f"; {len(quiet)} of {len(workers)} workers silent for {max(quiet):.0f} s"
    return text
