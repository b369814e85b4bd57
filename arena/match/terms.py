"""The terms of a match: what all its games have in common. The fields are keys of the YAML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt, Le

from arena.engine import Limit
from arena.match.clock import MARGIN
from arena.plugins.load import Named

FREE = ("hang", "memory")
"""Terms that may change between the games of one run, since no game that ends depends on them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of a match; types and bounds are those of the YAML's keys."""

    game: Named
    limit: Limit = Limit()
    """Limit of each move, for players who have none of their own."""
    seed: int = 0
    max_plies: Annotated[int, Ge(1)] | None = None
    """Plies after which a game is a draw."""
    margin: Annotated[float, Ge(0), Le(60)] = MARGIN
    """Seconds over a limit of time that are forgiven."""
    hang: Annotated[float, Gt(0), Le(10**6)] = 60.0
    """Seconds for an answer where time is not limited."""
    memory: Annotated[int, Ge(64), Le(10**6)] = 4096
    """Megabytes that a worker may take, more than it has at its start."""
