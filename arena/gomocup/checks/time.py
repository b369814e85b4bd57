"""Time: moves as long as they are wanted, short ones, and the last second of a match.

`board.py` has the check of the wanted time: it comes before those that take many moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from arena.engine import Limit
from arena.gomocup.check import Check, Finding, Lack, Subject, random_positions
from arena.gomocup.protocol import info, time_left
from arena.gomocup.talk.checked_game import CheckedGame, launched_for, slow_cure

SHORT_MOVES, LONG_MOVES = 5, 2  # positions, beside a game's first moves, in which a move is timed
FIRST_MOVES = 3
MATCH = 100.0  # seconds of the match
LAST_MOVES = 5  # moves that the last second of a match must suffice for


def checks(subject: Subject) -> tuple[Check, ...]:
    short = subject.allowance.short_turn
    hurried = partial(kept, turn=short, positions=SHORT_MOVES)
    return (
        *([Check("30 ms a move", "advice", hurried)] if short < subject.seconds else []),
        Check("last second of a match", "advice", _kept_at_the_end),
        Check("as fast as possible (timeout_turn 0)", "optional", _at_full_speed),
    )


@contextmanager
def _timed_game(subject: Subject, limit: Limit) -> Iterator[CheckedGame]:
    with launched_for(subject, limit) as talk:
        talk.begin()
        yield talk


def kept(subject: Subject, turn: float, positions: int) -> Finding:
    """Time the moves of a game and in positions; the first that is far too late is the last."""
    margin = subject.allowance.margin
    expected = f"each move within {turn:g} s, and {margin:g} s of grace"
    slowest, longest = Finding(), 0.0
    with _timed_game(subject, Limit(seconds=turn)) as talk:
        for seconds in _move_times(talk, positions):
            if seconds > longest:
                longest = seconds
                slowest = talk.finding(expected, f"after {longest:.3f} s, its longest")
            if longest > subject.far:
                break
        if longest <= turn + margin:
            finding = talk.finding()
            return finding if finding.said else Finding(said=f"at most {longest:.3f} s")
        cure = "" if talk.process.transcript.has_error else slow_cure(longest)
    lack: Lack = "far too late" if longest > subject.far else "late"
    return replace(slowest, grade="fail", lack=lack, cure=cure)


def _move_times(talk: CheckedGame, positions: int) -> Iterator[float]:
    talk.move("BEGIN")
    yield talk.seconds
    for _ in range(FIRST_MOVES):
        talk.turns(1)
        yield talk.seconds
    for position in random_positions(talk.game, positions):
        talk.board(position)
        yield talk.seconds


def _kept_at_the_end(subject: Subject) -> Finding:
    left = rest = subject.allowance.match_rest
    with _timed_game(subject, Limit(time_left=MATCH)) as talk:
        position = random_positions(talk.game, LAST_MOVES)[-1]
        for number in range(1, LAST_MOVES + 1):
            clock = time_left(Limit(time_left=max(left, 0)))
            if number == 1:
                talk.board(position, clock)
            else:
                talk.turns(1, clock)
            left -= talk.seconds
            if left + talk.allowance.margin < 0:
                words = f"after {talk.seconds:.3f} s, in the end {-left:.3f} s too late"
                expected = f"move {number} of {LAST_MOVES} within the {rest:g} s"
                raise talk.unmet("answer", f"{expected} that are left of the match", words)
        return talk.finding()


def _at_full_speed(subject: Subject) -> Finding:
    brief = subject.allowance.brief
    with _timed_game(subject, Limit(seconds=brief)) as talk:
        for position in random_positions(talk.game, FIRST_MOVES):
            talk.board(position, info("timeout_turn", 0))
            if talk.seconds > brief + talk.allowance.margin:
                expected = f"a move within {brief:g} s, and {talk.allowance.margin:g} s of grace"
                raise talk.unmet("answer", expected, f"after {talk.seconds:.3f} s")
        return talk.finding()
