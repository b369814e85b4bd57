"""Values that go between a driver, the workers of its cluster, and their children."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from arena.cluster.shipping import Manifest, Shipment
from arena.match.record import Sent


@dataclass(frozen=True, slots=True)
class RunDescription:
    """All that a worker needs to know of a run."""

    referee: bytes  # Pickled: only the child is to import engines
    shipment: Shipment
    versions: Mapping[str, str]  # The driver's, which the worker's must be like


@dataclass(frozen=True, slots=True)
class Order:
    """The first thing that a child is told."""

    referee: bytes
    manifest: Manifest
    log: Path


class Reply(NamedTuple):
    """The games of one batch that a child has played."""

    records: list[Sent]  # The values of each game's record
    seconds: float
    log: str = ""
    fault: str = ""  # Words on the engines that this machine cannot build
    error: str = ""  # The traceback of an error that is ours
    faults: tuple[tuple[str, str], ...] = ()
    """Words on the engines that this machine cannot build, by player."""


class Delivery(NamedTuple):
    """A reply, and where it comes from."""

    machine: str
    address: str  # The worker's
    reply: Reply
