"""Whole games, as a tournament has them: what fails late in one, or only in a later one."""

from __future__ import annotations

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
    limit = Limit(seconds=subject.seconds)
    with launched_for(subject, limit) as talk, launched_for(subject, limit) as other:
        talk.begin()
        talk.timed_move("BEGIN", DEFENDER)
        play_on(talk)
        talk.begin_anew()
        talk.position = random_position(talk.game, 1, seed=1)
        talk.timed_board(DEFENDER)
        play_on(talk)
        talk.begin_anew()
        other.begin()
        play_each_other(talk, other)
        return talk.finding()


def play_on(talk: CheckedGame) -> None:
    """Answer its moves until the game is over."""
    random = Random(talk.game.size)
    while (reply := defending_move(talk.game, talk.position, random)) is not None:
        talk.position = talk.game.play(talk.position, reply)
        talk.timed_turn(DEFENDER)


def play_each_other(talk: CheckedGame, other: CheckedGame) -> None:
    """Play a game between two processes of the brain to its end."""
    talk.position = random_position(talk.game, STONES_AT_FIRST, seed=STONES_AT_FIRST)
    talk.timed_board(ITSELF)
    mover, waiting = other, talk
    while not talk.game.outcome(waiting.position):
        mover.position = waiting.position
        if mover.is_under_way:
            mover.timed_turn(ITSELF)
        else:
            mover.timed_board(ITSELF)
        mover, waiting = waiting, mover
