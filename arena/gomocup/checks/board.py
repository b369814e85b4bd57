"""TURN, BOARD and TAKEBACK: a game, and positions out of nowhere."""

from __future__ import annotations

from arena.game import Position
from arena.gomocup.check import Check, Finding, Subject
from arena.gomocup.checked_game import begun_game
from arena.gomocup.positions import random_position

MOVES_OF_A_GAME = 6


def checks() -> tuple[Check, ...]:
    """The commands of a game that goes on."""
    return (
        Check("TURN", "mandatory", played),
        Check("BOARD in mid-game", "mandatory", lambda subject: set_up(subject, 12)),
        Check("BOARD, odd number of stones", "mandatory", lambda subject: set_up(subject, 5)),
        Check("BOARD without stones", "optional", lambda subject: set_up(subject, 0)),
        Check("TAKEBACK", "optional", taken_back, may_lack=True),
    )


def played(subject: Subject) -> Finding:
    """Play some moves of a game."""
    with begun_game(subject) as talk:
        talk.move("BEGIN")
        talk.turns(MOVES_OF_A_GAME)
        return talk.finding()


def set_up(subject: Subject, stones: int) -> Finding:
    """Set up a position, go on with it, and set up what it has become once more."""
    with begun_game(subject) as talk:
        talk.board(random_position(talk.game, stones, seed=stones))
        talk.turns(1)
        talk.board(random_position(talk.game, stones + 2, seed=stones))
        return talk.finding()


def taken_back(subject: Subject) -> Finding:
    """Take two moves back, and play where its own was."""
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
