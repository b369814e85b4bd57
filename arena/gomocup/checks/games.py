"""Whole games, as a tournament has them: what fails late in one, or only in a later one."""

from __future__ import annotations

import time
from random import Random

from arena.engine import Limit
from arena.gomocup.check import Check, Finding, Subject
from arena.gomocup.positions import defending_move, random_position
from arena.gomocup.talk.checked_game import CheckedGame, launched_for

STONES_AT_FIRST = 4
DEFENDER = "a player that defends itself"
ITSELF = "itself"


def checks(_: Subject) -> tuple[Check, ...]:
    """A check of games of one process, one after the other."""
    return (Check("whole games", "mandatory", played_out),)


def played_out(subject: Subject) -> Finding:
    """Play with each colour against a player that lets no five be made, and against itself.

    Each move is timed. The third game is also the third of one process.
    """
    limit, end = Limit(seconds=subject.seconds), time.monotonic() + subject.allowance.games
    with launched_for(subject, limit) as talk, launched_for(subject, limit) as other:
        talk.begin()
        talk.timed_move("BEGIN", DEFENDER)
        play_on(talk, end)
        talk.begin_anew()
        talk.position = random_position(talk.game, 1, seed=1)
        talk.timed_board(DEFENDER)
        play_on(talk, end)
        talk.begin_anew()
        other.begin()
        play_each_other(talk, other, end)
        finding = talk.finding()
    if time.monotonic() < end or finding.said:
        return finding
    return Finding(said=f"not to their end, within {subject.allowance.games:g} s")


def play_on(talk: CheckedGame, end: float) -> None:
    """Answer its moves until the game is over, or this time has come."""
    random = Random(talk.game.size)
    while time.monotonic() < end:
        reply = defending_move(talk.game, talk.position, random)
        if reply is None:
            return
        talk.position = talk.game.play(talk.position, reply)
        talk.timed_turn(DEFENDER)


def play_each_other(talk: CheckedGame, other: CheckedGame, end: float) -> None:
    """Play a game between two processes of the brain to its end, or to this time."""
    talk.position = random_position(talk.game, STONES_AT_FIRST, seed=STONES_AT_FIRST)
    talk.timed_board(ITSELF)
    mover, waiting = other, talk
    while not talk.game.outcome(waiting.position) and time.monotonic() < end:
        mover.position = waiting.position
        if mover.is_under_way:
            mover.timed_turn(ITSELF)
        else:
            mover.timed_board(ITSELF)
        mover, waiting = waiting, mover
