"""Memory, and the number of processes."""

from __future__ import annotations

from arena.gomocup.check import Check, Finding, Subject
from arena.gomocup.positions import random_position
from arena.gomocup.process import TOLERANCE
from arena.gomocup.protocol import GOMOCUP_MEMORY
from arena.gomocup.talk.checked_game import begun_game
from arena.gomocup.tree import descendants, resident
from arena.processes.confine import MEGABYTE

STONES_AT_FIRST, MOVES_WATCHED = 9, 4
NO_MORE = f"at most {GOMOCUP_MEMORY} MB, which it was told, and a tenth more"
LONGER = 3
"""Times the usual time of a move: tables fill as it thinks."""


def checks(_: Subject) -> tuple[Check, ...]:
    """A check of both."""
    return (Check(f"memory of {GOMOCUP_MEMORY} MB kept", "mandatory", memory_kept),)


def memory_kept(subject: Subject) -> Finding:
    """Let it think, and end it where a tournament would: at a tenth more than it was told."""
    turn, held = LONGER * subject.allowance.turn, 0
    with begun_game(subject, turn=turn, megabytes=GOMOCUP_MEMORY) as talk:
        for number in range(MOVES_WATCHED):
            if number == 0:
                talk.board(random_position(talk.game, STONES_AT_FIRST, seed=STONES_AT_FIRST))
            else:
                talk.turns(1)
            processes = descendants(talk.process.guard.pid)
            held = max(held, resident(processes, GOMOCUP_MEMORY * MEGABYTE))
            if held > TOLERANCE * GOMOCUP_MEMORY * MEGABYTE:
                raise talk.unmet("end", NO_MORE, f"held {held // MEGABYTE} MB")
        finding = talk.finding()
        return finding if finding.said else Finding(said=f"held {held // MEGABYTE} MB")
