"""Memory, and the number of processes."""

from __future__ import annotations

from arena.gomocup.check import Check, Finding, Subject
from arena.gomocup.checked_game import begun_game
from arena.gomocup.positions import random_positions
from arena.gomocup.protocol import GOMOCUP_MEMORY
from arena.gomocup.tree import descendants, resident

MOVES_WATCHED = 4
LONGER = 3
"""Times the usual time of a move: tables fill as it thinks."""


def checks() -> tuple[Check, ...]:
    """A check of both."""
    return (Check(f"memory of {GOMOCUP_MEMORY} MB kept", "mandatory", memory_kept),)


def memory_kept(subject: Subject) -> Finding:
    """Let it think, and end it as soon as it holds more than it was told, or starts too much."""
    turn = LONGER * subject.allowance.turn
    with begun_game(subject, turn=turn, megabytes=GOMOCUP_MEMORY) as talk:
        for position in random_positions(talk.game, MOVES_WATCHED):
            talk.board(position)
            held = resident(descendants(talk.process.guard.pid), GOMOCUP_MEMORY * 2**20)
        finding = talk.finding()
        return finding if finding.said else Finding(said=f"held {held // 2**20} MB")
