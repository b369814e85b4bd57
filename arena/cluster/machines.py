"""The machines of a cluster before they play: alike, and able to build every engine."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from arena.plugins.catalogue import in_columns
from arena.plugins.source_files import ENGINES, HOME
from arena.processes.child import MEGABYTE

MACHINE_NAME = "ARENA_MACHINE"
"""Variable of the environment with a name for the machine, where its own says nothing."""
LIBRARIES = ("numpy", "numba")
"""Libraries that engines compute with."""
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
    """The name under which this machine is shown."""
    return os.environ.get(MACHINE_NAME) or platform.node()


def facts_here() -> Facts:
    """The facts of this machine."""
    import psutil

    from arena.storage.history import cores

    memory = int(psutil.virtual_memory().total // MEGABYTE)
    return Facts(machine_name(), versions_here(), cores(), memory)


@lru_cache(1)
def versions_here() -> dict[str, str]:
    """The versions on which games depend."""
    from importlib.metadata import version

    python = ".".join(platform.python_version_tuple()[:2])
    return {
        "arena": _sources_digest(),
        "python": python,
        **{name: version(name) for name in LIBRARIES},
    }


def _sources_digest() -> str:
    """The digest of all of arena's own sources, and those of its engines."""
    found = hashlib.sha256()
    for file in sorted({*(HOME / "arena").rglob("*.py"), *ENGINES.rglob("*.py")}):
        found.update(f"{file.relative_to(HOME).as_posix()}\n".encode() + file.read_bytes())
    return found.hexdigest()[:8]


def version_differences(wanted: Mapping[str, str], found: Mapping[str, str]) -> str:
    """The versions that differ, in words; nothing if all are alike."""
    return ", ".join(
        f"{name} is {found.get(name, 'not there')} rather than {version}"
        for name, version in wanted.items()
        if found.get(name) != version
    )


def is_fit(inspected: Inspected) -> bool:
    """True if a machine can play as this one can."""
    facts = inspected.facts
    return bool(
        facts and not inspected.faults and not version_differences(versions_here(), facts.versions)
    )


def unfit_text(inspected: Inspected) -> str:
    """The reasons why a machine cannot play, in one line."""
    words = [f"{name}: {words}" if name else words for name, words in inspected.faults.items()]
    if inspected.facts and (
        differs := version_differences(versions_here(), inspected.facts.versions)
    ):
        words.append(differs)
    return "; ".join(words)


def machines_text(found: Sequence[Inspected], players: Sequence[str]) -> str:
    """The machines that differ or fail, below this one, as a table; and below that, the reasons."""
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
    """A machine in the table: its versions, its size, and whether each engine can be built."""
    facts, faults = inspected.facts, inspected.faults
    if facts is None:
        return [inspected.machine, *("-" for _ in [*versions_here(), "cores", "GB", *players])]
    versions = [facts.versions.get(name, "-") for name in versions_here()]
    # Where arena itself differs, no engine was built.
    known = "-" if version_differences(versions_here(), facts.versions) or "" in faults else FINE
    built = [FAILS if name in faults else known for name in players]
    return [facts.machine, *versions, str(facts.cores), f"{facts.megabytes / 1024:.0f}", *built]
