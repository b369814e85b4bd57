"""The time and memory that a program has needed, beside what it may have."""

from __future__ import annotations

from arena.engine import Needs
from arena.gomocup.process import TOLERANCE, BrainProcess
from arena.gomocup.tree import descendants, resident
from arena.processes.confine import MEGABYTE


def needs_of(process: BrainProcess | None, start: float, startup: float) -> Needs:
    """The needs of a program that took `start` seconds to start, of the `startup` allowed."""
    if process is None:
        return Needs(start, startup, 0, 0)
    most = int(process.megabytes * TOLERANCE)
    held = resident(descendants(process.guard.pid), most * MEGABYTE)
    return Needs(start, startup, held // MEGABYTE, most)
