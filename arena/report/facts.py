"""The facts of runs that a report needs beside their games."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from arena.format import Row
from arena.match.record import GameRecord
from arena.plugins.load import Named
from arena.stats.leads import NO_LOOKS, Looks


@dataclass(frozen=True, slots=True)
class RunFacts:
    """A run as its folder keeps it."""

    name: str
    game: Named
    format: Named
    config: str  # Its config, as YAML, every default written out
    total: int | None = None  # Games at most; None where results decide that
    is_over: bool = False  # True if no game is missing
    looks: Looks = NO_LOOKS  # The looks at its games before this plan of it
    began: float | None = None
    """Seconds since 1970; None where nothing was noted, as of imported games."""
    ended: float | None = None
    load: float = 0.0
    """Processes that ran, or were ready to, for each core of its machine, at most; 0 if unknown, or
    if a game that was lost on time has another cause."""
    stopped: str = ""
    """The reason why the run stopped by itself, and how to go on; empty if it did not."""
    written: str = ""
    """The file as its user wrote it; empty where it is not known, as of imported games."""


@dataclass(frozen=True, slots=True)
class Extras:
    """Facts that a run knows beside its games."""

    matches: Sequence[Row] = ()
    uncounted: Sequence[GameRecord] = ()
    notes: Sequence[str] = ()
    singles: Collection[str] = ()
    """Runs in which games without another of their pair are evidence, too: those imported."""
    runs: Sequence[RunFacts] = ()
    machines: Sequence[Row] = ()
    """One row for each machine of a cluster that played; none for runs at home."""
