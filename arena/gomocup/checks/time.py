"""Time: short moves, long moves, and the last second of a match."""

from __future__ import annotations

from arena.gomocup.check import Check, Finding, Subject
from arena.gomocup.checked_game import CheckedGame, launched_for
from arena.gomocup.positions import random_positions
from arena.gomocup.protocol import milliseconds

SHORT_MOVES, LONG_MOVES = 5, 2
"""Positions, beside the first moves of a game, in which a move is timed."""
FIRST_MOVES = 3
MATCH = 100.0
"""Seconds of the match."""
LAST_MOVES = 5
"""Moves that the last second of a match must suffice for."""


def checks() -> tuple[Check, ...]:
    """A check of each kind of clock."""
    return (
        Check("30 ms a move", "mandatory", kept_when_short),
        Check("1 s a move", "mandatory", kept_when_long),
        Check("last second of a match", "mandatory", kept_at_the_end),
        Check("as fast as possible (timeout_turn 0)", "optional", at_full_speed),
    )


def kept_when_short(subject: Subject) -> Finding:
    """Hurry it."""
    return kept(subject, subject.allowance.short_turn, SHORT_MOVES)


def kept_when_long(subject: Subject) -> Finding:
    """Give it more time, which it may use to the end."""
    return kept(subject, subject.allowance.long_turn, LONG_MOVES)


def kept(subject: Subject, turn: float, positions: int) -> Finding:
    """Time the moves of a game and in positions, each of which may take so long."""
    with launched_for(subject) as talk:
        talk.start()
        talk.tell(turn)
        talk.wait_for_about()
        talk.move("BEGIN")
        check_time(talk, turn)
        for _ in range(FIRST_MOVES):
            talk.turns(1)
            check_time(talk, turn)
        for position in random_positions(talk.game, positions):
            talk.board(position)
            check_time(talk, turn)
        return talk.finding()


def check_time(talk: CheckedGame, bound: float) -> None:
    """Raise UnmetError if the last move took longer, and more than the machine is to blame for."""
    if talk.seconds > bound + talk.allowance.margin:
        expected = f"a move within {bound:g} s, and {talk.allowance.margin:g} s of grace"
        raise talk.unmet("answer", expected, f"after {talk.seconds:.3f} s")


def kept_at_the_end(subject: Subject) -> Finding:
    """Let the clock of a match run out, which it must not."""
    left = subject.allowance.match_rest
    with launched_for(subject) as talk:
        talk.start()
        talk.tell(MATCH / 10, MATCH, left)
        talk.wait_for_about()
        for number, position in enumerate(random_positions(talk.game, LAST_MOVES), 1):
            talk.board(position, f"INFO time_left {milliseconds(max(left, 0))}\n")
            left -= talk.seconds
            if left + talk.allowance.margin < 0:
                words = f"after {talk.seconds:.3f} s, in the end {-left:.3f} s too late"
                expected = (
                    f"move {number} of {LAST_MOVES} within the {talk.allowance.match_rest:g} s"
                )
                raise talk.unmet("answer", f"{expected} that are left of the match", words)
        return talk.finding()


def at_full_speed(subject: Subject) -> Finding:
    """Give it no time at all."""
    with launched_for(subject) as talk:
        talk.start()
        talk.tell(0)
        talk.wait_for_about()
        for position in random_positions(talk.game, FIRST_MOVES):
            talk.board(position)
            check_time(talk, subject.allowance.brief)
        return talk.finding()
