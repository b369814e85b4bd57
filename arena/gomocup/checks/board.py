"""TURN, BOARD and TAKEBACK: a game, and positions out of nowhere."""

from __future__ import annotations

from functools import partial

from arena.game import Position
from arena.gomocup.check import Check, Finding, Subject, random_position
from arena.gomocup.checks.time import LONG_MOVES, kept
from arena.gomocup.talk.checked_game import begun_game

MOVES_OF_A_GAME = 6
MID_GAME, ODD = 12, 5  # numbers of stones


def checks(subject: Subject) -> tuple[Check, ...]:
    timed = partial(kept, turn=subject.seconds, positions=LONG_MOVES)
    mid_game, odd, empty = (partial(_set_up, stones=stones) for stones in (MID_GAME, ODD, 0))
    return (
        Check("TURN", "mandatory", _played),
        Check("BOARD in mid-game", "mandatory", mid_game, has_second_try=True),
        Check("BOARD, odd number of stones", "mandatory", odd),
        Check(f"{subject.seconds:g} s a move", "mandatory", timed),
        Check("BOARD without stones", "optional", empty),
        Check("BOARD twice without RESTART", "optional", _set_up_twice),
        Check("TAKEBACK", "optional", _taken_back, may_lack=True),
    )


def _played(subject: Subject) -> Finding:
    with begun_game(subject) as talk:
        talk.move("BEGIN")
        talk.turns(MOVES_OF_A_GAME)
        return talk.finding()


def _set_up(subject: Subject, stones: int) -> Finding:
    with begun_game(subject) as talk:
        for more in (0, 2):
            talk.board(random_position(talk.game, stones + more, seed=stones))
            talk.turns(1)
            if talk.is_slow:
                break
        return talk.finding()


def _set_up_twice(subject: Subject) -> Finding:
    with begun_game(subject) as talk:
        for more in (0, 2, 4):
            talk.board_again(random_position(talk.game, MID_GAME + more, seed=MID_GAME))
        return talk.finding()


def _taken_back(subject: Subject) -> Finding:
    with begun_game(subject) as talk:
        before = random_position(talk.game, 4, seed=4)
        own = talk.board(before)
        talk.process.stage = "after TAKEBACK"
        for move in (own, before.moves[-1]):
            talk.say(f"TAKEBACK {move % talk.game.size},{move // talk.game.size}", "OK")
            talk.answer("OK, or UNKNOWN", "ok", seconds=talk.allowance.brief)
        cells = bytearray(before.cells)
        cells[before.moves[-1]] = 0
        talk.position = talk.game.play(Position(bytes(cells), 2, before.moves[:-1]), own)
        talk.move(f"TURN {own % talk.game.size},{own // talk.game.size}")
        return talk.finding()
