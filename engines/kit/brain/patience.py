"""The time that a move may take, and the fault of a program that takes more."""

from __future__ import annotations

from arena.engine import Conditions, Limit, ProgramError
from arena.gomocup.process import BrainProcess


def bound(limit: Limit) -> float | None:
    """Seconds that a move may take, as far as time is limited."""
    bounds = [each for each in (limit.seconds, limit.time_left) if each is not None]
    return min(bounds, default=None)


def patience(limit: Limit, conditions: Conditions) -> float:
    """Seconds until a move is given up."""
    most = bound(limit)
    return conditions.hang if most is None else most + conditions.margin


def overdue(process: BrainProcess, limit: Limit, conditions: Conditions) -> ProgramError:
    """The fault of a program that does not answer in time."""
    most = bound(limit)
    if most is None:
        return process.fault("hang", f"did not move within {conditions.hang:g} s")
    words = f"did not move within {most:.3f} s, and {conditions.margin:g} s of grace"
    return process.fault("time", words)
