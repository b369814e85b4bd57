"""Advice: fives that any brain should see, and moves that can be repeated."""

from __future__ import annotations

from functools import partial

from arena.game import Position
from arena.gomocup.check import Check, Finding, Subject, random_position
from arena.gomocup.talk.checked_game import CheckedGame, begun_game

Points = tuple[tuple[int, int], ...]

FOURS: tuple[tuple[Points, Points, tuple[int, int]], ...] = (
    (((5, 7), (6, 7), (7, 7), (8, 7)), ((4, 7), (3, 3), (11, 4), (10, 11)), (9, 7)),
    (((4, 4), (5, 5), (7, 7), (8, 8)), ((2, 10), (10, 2), (12, 7), (3, 6)), (6, 6)),
    (((9, 3), (9, 4), (9, 5), (9, 6)), ((9, 7), (5, 9), (12, 12), (2, 5)), (9, 2)),
)
"""Stones of a side that has four, the other's, and the only point that makes them five."""
SIDE_OF_FOURS = 13  # the smallest board that these stones lie on
TIMES_THE_TURN = 3  # times that a move of these may take longer than others
DEPTH = 2
STONES_OF_A_REPEAT = (4, 9)
UNKNOWN_DEPTH = "that it knows INFO max_depth, an extension, so that games can be repeated"
MOST_OF_THE_TURN = 0.8  # part of the time that a brain takes only if it does not keep to the depth


def checks(subject: Subject) -> tuple[Check, ...]:
    again = Check(f"the same move twice at depth {DEPTH}", "advice", _same_twice)
    if subject.size < SIDE_OF_FOURS:
        return (again,)
    return (
        Check("makes a five", "advice", partial(_sees_five, is_own=True)),
        Check("stops a five", "advice", partial(_sees_five, is_own=False)),
        again,
    )


def _sees_five(subject: Subject, is_own: bool) -> Finding:
    """Set up fours that one move makes a five, or stops."""
    with begun_game(subject, turn=TIMES_THE_TURN * subject.allowance.turn) as talk:
        for four, others, (column, row) in FOURS:
            own, their = (four, others) if is_own else (others, four)
            move = talk.board(_position_with(own, their, talk.game.size))
            if move != row * talk.game.size + column:
                act = "makes" if is_own else "stops"
                return talk.finding(f"{column},{row}, which {act} a five")
        return talk.finding()


def _position_with(own: Points, their: Points, side: int) -> Position:
    cells, moves = bytearray(side * side), list[int]()
    for pair in zip(own, their, strict=True):
        for player, (column, row) in enumerate(pair, 1):
            moves.append(row * side + column)
            cells[moves[-1]] = player
    return Position(bytes(cells), 1, tuple(moves))


def _same_twice(subject: Subject) -> Finding:
    turn, seen = subject.allowance.brief, list[list[int]]()
    with begun_game(subject, turn=turn, depth=DEPTH) as talk:
        talk.say(f"INFO max_depth {DEPTH}")
        if talk.unasked(subject.allowance.quiet, UNKNOWN_DEPTH):
            return talk.finding(UNKNOWN_DEPTH)
        seen.append(_moves_at_depth(talk))
        if talk.seconds > MOST_OF_THE_TURN * turn:
            return talk.finding(UNKNOWN_DEPTH, f"after {talk.seconds:.3f} of {turn:g} s")
        seen.append(_moves_at_depth(talk))
    with begun_game(subject, turn=turn, depth=DEPTH) as talk:
        seen.append(_moves_at_depth(talk))
        if all(moves == seen[-1] for moves in seen):
            return talk.finding()
        return talk.finding("the same moves after RESTART, and of another process")


def _moves_at_depth(talk: CheckedGame) -> list[int]:
    return [talk.board(random_position(talk.game, n, seed=n)) for n in STONES_OF_A_REPEAT]
