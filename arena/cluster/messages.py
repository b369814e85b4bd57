"""Values that go between a driver, the workers of its cluster, and their children."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from arena.cluster.shipping import Manifest, Shipment
from arena.config.settings import Player


class ClusterWork(Protocol):
    """The work of machines, such as a referee: it is pickled, and its players travel."""

    @property
    def players(self) -> Mapping[str, Player]:
        """The players whose engines each machine must be able to build, by their names."""

    @property
    def preparation(self) -> float:
        """Seconds for an engine to be ready."""


@dataclass(frozen=True, slots=True)
class RunDescription:
    """All that a worker needs to know of a run."""

    work: bytes
    """The pickled referee, or what else is to be done: only the child is to import engines."""
    shipment: Shipment
    versions: Mapping[str, str]
    """The driver's, which the worker's must be like."""
    speed: float | None = None
    """The driver's, if time is limited."""


@dataclass(frozen=True, slots=True)
class Order:
    """The first thing that a child is told."""

    work: bytes
    manifest: Manifest
    speed: float | None
    log: Path


class Reply(NamedTuple):
    """The results of one batch, such as games that a child has played."""

    records: list[tuple[Any, ...]]
    """The values of each game's record, or of each result."""
    seconds: float
    log: str = ""
    fault: str = ""
    """Words on the engines that this machine cannot build."""
    error: str = ""
    """The traceback of an error that is ours."""
    faults: tuple[tuple[str, str], ...] = ()
    """Words on the engines that this machine cannot build, by player."""
    speed: float | None = None
    """The machine's, relative to the driver's."""


class Delivery(NamedTuple):
    """A reply, and where it comes from."""

    machine: str
    address: str
    """The worker's."""
    reply: Reply
