"""Legal moves, wherever the stones lie."""

from __future__ import annotations

from arena.gomocup.check import Check, Finding, Subject
from arena.gomocup.checked_game import begun_game
from arena.gomocup.positions import random_positions


def checks() -> tuple[Check, ...]:
    """A check of many positions, by BOARD."""
    return (Check("legal moves in 100 positions", "mandatory", legal_everywhere),)


def legal_everywhere(subject: Subject) -> Finding:
    """Set up positions, from nearly empty to nearly full, and hear a move in each."""
    with begun_game(subject) as talk:
        for position in random_positions(talk.game, subject.allowance.positions):
            talk.board(position)
        return talk.finding()
