"""Values that go between a driver, the workers of its cluster, and their children."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Order:
    """The first thing that a child is told."""

    referee: bytes
    """The pickled referee: only the child is to import engines."""
    log: Path


class Reply(NamedTuple):
    """The games of one batch, as a child has played them."""

    records: list[tuple[Any, ...]]
    """The values of each game's record."""
    seconds: float
    log: str = ""
    fault: str = ""
    """Words on the engines that this machine cannot build."""
    error: str = ""
    """The traceback of an error that is ours."""


class Delivery(NamedTuple):
    """A reply, and where it comes from."""

    machine: str
    address: str
    """The worker's."""
    reply: Reply
