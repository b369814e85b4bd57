"""The facts of a run that stand in a report beside its numbers."""

from __future__ import annotations

from dataclasses import dataclass

from arena.plugins.load import Named


@dataclass(frozen=True, slots=True)
class RunFacts:
    """A run as its folder keeps it."""

    name: str
    game: Named
    format: Named
    config: str
    """Its config, as YAML."""
    total: int | None = None
    """Games at most; None where results decide that."""
    is_over: bool = False
    """True if no game is missing."""
    began: float | None = None
    """Seconds since 1970; None where nothing was noted, as in older folders."""
    ended: float | None = None
