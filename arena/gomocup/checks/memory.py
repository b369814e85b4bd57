"""Memory, and the number of processes."""

from __future__ import annotations

from arena.engine import Conditions
from arena.gomocup.check import Check, Finding, Subject, random_position
from arena.gomocup.protocol import MEMORY_TOLERANCE, memory_of
from arena.gomocup.talk.checked_game import begun_game

STONES_AT_FIRST, MOVES_WATCHED = 9, 4
LONGER = 3  # times the usual time of a move: tables fill as it thinks


def checks(subject: Subject) -> tuple[Check, ...]:
    told = memory_of(Conditions(memory=subject.memory)).told
    return (Check(f"memory of {told} MB kept", "mandatory", _memory_kept),)


def _memory_kept(subject: Subject) -> Finding:
    """Let it think; a brain is ended where a tournament ends it."""
    held = 0
    with begun_game(subject, turn=LONGER * subject.allowance.turn) as talk:
        told, most = talk.process.memory
        for number in range(MOVES_WATCHED):
            if number == 0:
                talk.board(random_position(talk.game, STONES_AT_FIRST, seed=STONES_AT_FIRST))
            else:
                talk.turns(1)
            held = max(held, talk.process.held_memory())
        words = f"held {held} MB"
        if held > told * MEMORY_TOLERANCE:
            expected = (
                f"at most the {told} MB that it was told, and a tenth more: Gomocup ends it there,"
                f" and a tournament here at {most} MB"
            )
            if held > most:
                raise talk.unmet("end", expected, words)
            return talk.finding(expected, words)
        finding = talk.finding()
        return finding if finding.said else Finding(said=words)
