"""The machines of a cluster, as they are seen from here: what each has done, and what it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.cluster.link import DaskWorker
from arena.cluster.orders import Delivery

QUIET_FROM = 10.0
"""Seconds without a word from which on a line says so."""


@dataclass(slots=True)
class Deeds:
    """The games of one machine."""

    games: int = 0
    seconds: float = 0.0


class Overview:
    """Holds what is known of each machine, by its name, or until a game comes from it, its host."""

    def __init__(self) -> None:
        self.workers: Sequence[DaskWorker] = ()
        self._names: dict[str, str] = {}
        """Machines by the addresses of their workers."""
        self._deeds: dict[str, Deeds] = {}

    @property
    def slots(self) -> int:
        """Games that can be played at a time."""
        return sum(worker.slots for worker in self.workers)

    def take(self, played: Delivery) -> None:
        """Count the games of one task."""
        self._names[played.address] = played.machine
        deeds = self._deeds.setdefault(played.machine, Deeds())
        deeds.games += len(played.reply.records)
        deeds.seconds += played.reply.seconds

    def machine_of(self, worker: DaskWorker) -> str:
        """The name of a worker's machine, as far as it is known."""
        return self._names.get(worker.address, worker.host)

    def lines(self) -> list[str]:
        """One line for each machine: those that are here, then those that have gone."""
        present: dict[str, list[DaskWorker]] = {}
        for worker in self.workers:
            present.setdefault(self.machine_of(worker), []).append(worker)
        return [
            machine_line(name, self._deeds.get(name, Deeds()), present.get(name, []))
            for name in sorted({*present, *self._deeds})
        ]


def machine_line(name: str, deeds: Deeds, workers: Sequence[DaskWorker]) -> str:
    """A machine in one line."""
    done = f"{name}: {deeds.games} games"
    if deeds.games:
        done += f", {deeds.seconds / deeds.games:.3g} s each"
    return f"{done}; {presence_text(workers)}"


def presence_text(workers: Sequence[DaskWorker]) -> str:
    """The state of a machine with these workers."""
    if not workers:
        return "gone"
    slots = sum(worker.slots for worker in workers)
    quiet = [worker.silence for worker in workers if worker.silence > QUIET_FROM]
    text = f"{slots} at a time" if slots else "offers no place for games"
    if quiet:
        text += f"; {len(quiet)} of {len(workers)} workers silent for {max(quiet):.0f} s"
    return text
