"""Openings as this program writes them: moves with spaces between, each as its game writes it."""

from __future__ import annotations

from collections.abc import Sequence

from arena.game import Game, Move


def read_opening(game: Game, text: str) -> tuple[Move, ...]:
    """The moves of a line; ValueError says what is wrong with it."""
    if not text.split():
        raise ValueError("there are no moves")
    return tuple(map(game.parse, text.split()))


def opening_text(game: Game, moves: Sequence[Move]) -> str:
    """The mirror of `read_opening`; ValueError for no moves: a blank line means nothing."""
    if not moves:
        raise ValueError("the empty board cannot be written as a line")
    return " ".join(map(game.text, moves))
