"""Memory, and the number of processes."""

from __future__ import annotations

from arena.engine import Conditions
from arena.gomocup.check import Check, Finding, Subject
from arena.gomocup.checked_game import begun_game
from arena.gomocup.positions import random_position
from arena.gomocup.process import TOLERANCE
from arena.gomocup.protocol import told_memory
from arena.gomocup.tree import descendants, resident
from arena.processes.confine import MEGABYTE

STONES_AT_FIRST, MOVES_WATCHED = 9, 4
NO_MORE = "at most {} MB, which it was told, and a tenth more"
LONGER = 3
"""Times the usual time of a move: tables fill as it thinks."""


def checks(subject: Subject) -> tuple[Check, ...]:
    """A check of both."""
    return (Check(f"memory of {most_of(subject)} MB kept", "mandatory", memory_kept),)


def most_of(subject: Subject) -> int:
    """The megabytes that it is told."""
    return told_memory(Conditions(memory=subject.memory))


def memory_kept(subject: Subject) -> Finding:
    """Let it think, and end it where a tournament would: at a tenth more than it was told."""
    turn, held, most = LONGER * subject.allowance.turn, 0, most_of(subject)
    with begun_game(subject, turn=turn, megabytes=most) as talk:
        for number in range(MOVES_WATCHED):
            if number == 0:
                talk.board(random_position(talk.game, STONES_AT_FIRST, seed=STONES_AT_FIRST))
            else:
                talk.turns(1)
            processes = descendants(talk.process.guard.pid)
            held = max(held, resident(processes, most * MEGABYTE))
            if held > TOLERANCE * most * MEGABYTE:
                raise talk.unmet("end", NO_MORE.format(most), f"held {held // MEGABYTE} MB")
        finding = talk.finding()
        return finding if finding.said else Finding(said=f"held {held // MEGABYTE} MB")
