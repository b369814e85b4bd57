"""Legal moves, wherever the stones lie."""

from __future__ import annotations

from arena.gomocup.check import Check, Finding, Subject, UnmetError, random_positions
from arena.gomocup.talk.checked_game import begun_game

MOST_STONES = 65  # stones on the board in all but a few games


def checks(subject: Subject) -> tuple[Check, ...]:
    name = f"legal moves in {subject.allowance.positions} positions"
    return (Check(name, "mandatory", _legal_everywhere),)


def _legal_everywhere(subject: Subject) -> Finding:
    with begun_game(subject) as talk:
        positions = random_positions(talk.game, subject.allowance.positions)
        positions.sort(key=lambda position: len(position.moves) > MOST_STONES)
        tried = 0
        for position in talk.each_of(positions):
            tried += 1
            try:
                talk.board(position)
            except UnmetError as error:
                if len(position.moves) <= MOST_STONES:
                    raise
                cure = (
                    f"{len(position.moves)} stones lie on the board, as in few games: all is well"
                    f" where there are at most {MOST_STONES}"
                )
                return error.finding("note", cure)
        if tried < len(positions):
            return Finding(said=f"in {tried} of them, within {subject.allowance.many:g} s")
        return talk.finding()
