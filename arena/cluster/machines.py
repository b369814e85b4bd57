"""The machines of a cluster: alike and able before they play, and what each has done."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from arena.cluster.link import DaskWorker
from arena.cluster.shipping import Delivery
from arena.plugins.catalogue import in_columns
from arena.plugins.source_files import ENGINES, HOME
from arena.processes.child import MEGABYTE
from arena.storage.database import Machine

MACHINE_NAME = "ARENA_MACHINE"
"""Variable of the environment with a name for the machine, where its own says nothing."""
LIBRARIES = ("numpy", "numba")  # Libraries that engines compute with
FINE = "ok"
FAILS = "fails"


class Facts(NamedTuple):
    """A machine, and what is installed there."""

    machine: str
    versions: Mapping[str, str]
    """Arena's is the digest of its sources: an edited copy has the number of the original."""
    cores: int
    megabytes: int


class Inspected(NamedTuple):
    """A machine as one of its workers has found it."""

    address: str
    facts: Facts | None  # None if arena is not there, or is so old that it cannot tell
    faults: Mapping[str, str]
    """Reasons why engines cannot be built, by their players; under no name, all other reasons."""

    @property
    def machine(self) -> str:
        """The machine's name, or where it cannot tell that, its host."""
        from distributed.comm.addressing import get_address_host

        return self.facts.machine if self.facts else str(get_address_host(self.address))


def machine_name() -> str:
    return os.environ.get(MACHINE_NAME) or platform.node()


def facts_here() -> Facts:
    import psutil

    from arena.storage.history import cores

    memory = int(psutil.virtual_memory().total // MEGABYTE)
    return Facts(machine_name(), versions_here(), cores(), memory)


@lru_cache(1)
def versions_here() -> dict[str, str]:
    from importlib.metadata import version

    python = ".".join(platform.python_version_tuple()[:2])
    return {
        "arena": _sources_digest(),
        "python": python,
        **{name: version(name) for name in LIBRARIES},
    }


def _sources_digest() -> str:
    digest = hashlib.sha256()
    for file in sorted({*(HOME / "arena").rglob("*.py"), *ENGINES.rglob("*.py")}):
        digest.update(f"{file.relative_to(HOME).as_posix()}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:8]


def version_differences(wanted: Mapping[str, str], found: Mapping[str, str]) -> str:
    return ", ".join(
        f"{name} is {found.get(name, 'not there')} rather than {version}"
        for name, version in wanted.items()
        if found.get(name) != version
    )


def is_fit(inspected: Inspected) -> bool:
    facts = inspected.facts
    return bool(
        facts and not inspected.faults and not version_differences(versions_here(), facts.versions)
    )


def unfit_text(inspected: Inspected) -> str:
    words = [f"{name}: {words}" if name else words for name, words in inspected.faults.items()]
    if inspected.facts and (
        differs := version_differences(versions_here(), inspected.facts.versions)
    ):
        words.append(differs)
    return "; ".join(words)


def machines_text(found: Sequence[Inspected], players: Sequence[str]) -> str:
    """A table of this machine and of those that differ or fail, with the reasons below it."""
    rows = [_machine_row(Inspected("", facts_here(), {}), players)]
    rows[0][0] = "(here)"
    reasons = list[str]()
    for each in _by_machine(found):
        rows.append(_machine_row(each, players))
        if each.facts is None or not version_differences(versions_here(), each.facts.versions):
            reasons += [
                f"{each.machine}, {who}: {why}" if who else f"{each.machine}: {why}"
                for who, why in each.faults.items()
            ]
    titles = ["machine", *versions_here(), "cores", "GB", *players]
    return "\n".join([*in_columns([titles, *rows]), *reasons])


def _by_machine(found: Sequence[Inspected]) -> Iterator[Inspected]:
    """For each machine that cannot play, what one of its workers has found."""
    seen = set[str]()
    for each in found:
        if not is_fit(each) and each.machine not in seen:
            seen.add(each.machine)
            yield each


def _machine_row(inspected: Inspected, players: Sequence[str]) -> list[str]:
    facts, faults = inspected.facts, inspected.faults
    if facts is None:
        return [inspected.machine, *("-" for _ in [*versions_here(), "cores", "GB", *players])]
    versions = [facts.versions.get(name, "-") for name in versions_here()]
    # Where arena itself differs, no engine was built.
    known = "-" if version_differences(versions_here(), facts.versions) or "" in faults else FINE
    built = [FAILS if name in faults else known for name in players]
    return [facts.machine, *versions, str(facts.cores), f"{facts.megabytes / 1024:.0f}", *built]


QUIET_FROM = 10.0  # Seconds without a word from which on a line says so


@dataclass(slots=True)
class WorkDone:
    games: int = 0
    seconds: float = 0.0


class Overview:
    """Holds the facts about each machine, by its name, or until a game comes from it, its host."""

    def __init__(self) -> None:
        self.workers: Sequence[DaskWorker] = ()
        self._names: dict[str, str] = {}  # Machines by the addresses of their workers
        self._work_done: dict[str, WorkDone] = {}
        self._facts: dict[str, Facts] = {}
        self.asked: set[str] = set()  # Addresses of workers that were asked about their machines
        self.left_out: dict[str, str] = {}
        """The reasons by machine, or by the host of workers that cannot tell their machine."""

    @property
    def slots(self) -> int:
        return sum(worker.slots for worker in self.workers if self.is_admitted(worker))

    def is_admitted(self, worker: DaskWorker) -> bool:
        out = self.left_out  # mostly empty, and this is asked for each worker at each task
        return not out or self.machine_of(worker) not in out

    def admitted(self) -> list[str] | None:
        if not self.left_out:
            return None
        return [worker.address for worker in self.workers if self.is_admitted(worker)]

    def newcomers(self) -> list[str]:
        """The addresses of workers that play and were not asked yet: they are from now on."""
        addresses = {worker.address for worker in self.workers if worker.slots}
        new = sorted(addresses - self.asked)
        self.asked |= addresses
        return new

    def all_asked(self) -> list[str]:
        """The addresses of all that may play: they are asked now."""
        admitted = [each.address for each in self.workers if each.slots and self.is_admitted(each)]
        self.asked |= {*admitted}
        return admitted

    def meet(self, inspected: Inspected) -> None:
        if facts := inspected.facts:
            self._names[inspected.address] = facts.machine
            self._facts[facts.machine] = facts

    def machines(self) -> list[Machine]:
        return [
            Machine(facts.machine, facts.cores, facts.megabytes)
            for _, facts in sorted(self._facts.items())
        ]

    def take(self, played: Delivery) -> None:
        self._names[played.address] = played.machine
        work_done = self._work_done.setdefault(played.machine, WorkDone())
        work_done.games += len(played.reply.records)
        work_done.seconds += played.reply.seconds

    def machine_of(self, worker: DaskWorker) -> str:
        return self._names.get(worker.address, worker.host)

    def lines(self) -> list[str]:
        present: dict[str, list[DaskWorker]] = {}
        for worker in self.workers:
            present.setdefault(self.machine_of(worker), []).append(worker)
        lines = []
        for name in sorted({*present, *self._work_done}):
            work_done = self._work_done.get(name, WorkDone())
            line = f"{name}: {work_done.games} games"
            if work_done.games:
                line += f", {work_done.seconds / work_done.games:.3g} s each"
            line += f"; {_presence_text(present.get(name, []))}"
            if name in self.left_out:
                line += f"; left out: {self.left_out[name]}"
            lines.append(line)
        return lines


def _presence_text(workers: Sequence[DaskWorker]) -> str:
    if not workers:
        return "gone"
    slots = sum(worker.slots for worker in workers)
    quiet = [worker.silence for worker in workers if worker.silence > QUIET_FROM]
    text = f"{slots} at a time" if slots else "offers no place for games"
    if quiet:
        text += f"; {len(quiet)} of {len(workers)} workers silent for {max(quiet):.0f} s"
    return text
