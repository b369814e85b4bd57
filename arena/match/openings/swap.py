"""Openings that the players make by swap, each with stones for a proposer without its own."""

from __future__ import annotations

from collections.abc import Iterator

from arena.game import Game
from arena.match import suggestions
from arena.match.suggestions import Count, Seed, Skip

DRAWS, count, part = suggestions.DRAWS, suggestions.count, suggestions.part


def openings(game: Game, *, count: Count = 10, seed: Seed = 0, skip: Skip = 0) -> Iterator[str]:
    """Three balanced stones for each opening, none twice: see `suggested`."""
    return suggestions.suggested("swap", game, count, seed, skip)
