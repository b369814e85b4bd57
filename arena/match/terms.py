"""The terms of a match, which all its games have in common, and a player's clock under them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from annotated_types import Ge, Gt, Le

from arena.engine import Limit
from arena.plugins.load import Named

WORKER_MEMORY = 4096  # Megabytes for a worker, if the config does not say
MARGIN = 0.05
"""Seconds that a busy machine may add to an obedient engine's move, if the config does not say."""
FREE = ("hang", "memory", "remarks", "keep_going")
"""Terms that may change between the games of one run, since no game that ends depends on them,
but for a brain that plays by the memory that it is told."""

LARGEST = 10**18  # The most that a whole number may be, since it is to be kept in a database


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    game: Named
    limit: Limit = Limit()  # Limit of each move, for players without one of their own
    seed: Annotated[int, Ge(-LARGEST), Le(LARGEST)] = 0
    max_plies: Annotated[int, Ge(1), Le(LARGEST)] | None = None
    """Plies after which a game is a draw."""
    adjudication: tuple[Named, ...] = ()
    """Rules that end games early, each a key of the YAML by its own name."""
    margin: Annotated[float, Ge(0), Le(60)] = MARGIN
    """Seconds over a limit of time that are forgiven: with each move, or once of a clock."""
    hang: Annotated[float, Gt(0), Le(10**6)] = 60.0
    """Seconds for an answer where time is not limited."""
    memory: Annotated[int, Ge(64), Le(10**6)] | None = None
    """Megabytes that a worker may take, more than it has at its start, and that programs are told.

    None: WORKER_MEMORY for a worker, and what their protocol says for programs."""
    remarks: bool = False
    """True if the lines that engines expect, and their `info`, are kept with each game: about half
    as much again."""
    keep_going: bool = False
    """True if a run plays on although a player's first games all ended by its own faults."""

    def going_on(self, keep_going: bool) -> Terms:
        """These terms, with `keep_going` set if it is given."""
        return replace(self, keep_going=True) if keep_going else self

    @property
    def worker_memory(self) -> int:
        """Megabytes that a worker may take, more than it has at its start."""
        return WORKER_MEMORY if self.memory is None else self.memory


@dataclass(frozen=True, slots=True)
class Clock:
    """A player's time: the limit of the next move, and the seconds over it that are forgiven."""

    limit: Limit  # The limit as the player is told it: of an overdrawn clock nothing is left
    margin: float = MARGIN
    overdraft: float = 0.0
    """Seconds of the clock that were forgiven, and are owed: they come off all that is still to be
    forgiven, and off the increments."""

    def bounds(self) -> list[float]:
        """Seconds that the next move and all moves may take, where there is a limit.

        The second is negative where the clock is overdrawn.
        """
        seconds, left = self.limit.seconds, self.limit.time_left
        owed = None if left is None else left - self.overdraft
        return [each for each in (seconds, owed) if each is not None]

    def budget(self) -> float | None:
        """Seconds that the next move may take, margin included; None if it may take any."""
        bounds = self.bounds()
        return min(bounds) + self.margin if bounds else None

    def after(self, seconds: float) -> Clock:
        """The clock after a move in time."""
        limit = self.limit
        if limit.time_left is None:
            return self
        left = limit.time_left - self.overdraft - seconds + (limit.increment or 0.0)
        return replace(
            self, limit=replace(limit, time_left=max(left, 0.0)), overdraft=max(-left, 0.0)
        )
