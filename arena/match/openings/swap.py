"""Openings that the players make by swap, each with stones for a proposer without its own."""

from __future__ import annotations

from collections.abc import Iterator

from arena.game import Game
from arena.match import opening
from arena.match.opening import Count, Seed, Skip

DRAWS, count, part = opening.DRAWS, opening.count, opening.part


def openings(game: Game, *, count: Count = 10, seed: Seed = 0, skip: Skip = 0) -> Iterator[str]:
    """Three balanced stones for each opening, none twice: see `suggested`."""
    return opening.suggested("swap", game, count, seed, skip)
