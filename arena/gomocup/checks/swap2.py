"""SWAP2BOARD: the three questions of the opening swap2."""

from __future__ import annotations

from functools import partial

from arena.gomocup.check import Check, Finding, Subject, random_position
from arena.gomocup.protocol import opening_stones
from arena.gomocup.talk.checked_game import begun_game

CHOICES = {
    0: ({3}, "three stones, such as 7,7 8,7 8,9"),
    3: ({0, 1, 2}, "SWAP, one move or two moves"),
    5: ({0, 1}, "SWAP or one move"),
}
"""The numbers of moves in an answer, 0 for SWAP, by the number of stones on the board."""


def checks(_: Subject) -> tuple[Check, ...]:
    return tuple(
        Check(
            f"SWAP2BOARD, {stones or 'no'} stones",
            "optional",
            partial(_answered, stones=stones),
            may_lack=True,
        )
        for stones in CHOICES
    )


def _answered(subject: Subject, stones: int) -> Finding:
    numbers, expected = CHOICES[stones]
    with begun_game(subject) as talk:
        position = random_position(talk.game, stones, seed=stones)
        laid = [f"{move % talk.game.size},{move // talk.game.size}" for move in position.moves]
        talk.say("\n".join(["SWAP2BOARD", *laid, "DONE"]), expected)
        line = talk.answer(expected, "swap", "move", seconds=subject.allowance.brief)
        moves = opening_stones(line, talk.game.size)
        if moves is None or len(moves) not in numbers or set(moves) & set(position.moves):
            raise talk.unmet("answer", expected)
        finding = talk.finding()
        talk.board(random_position(talk.game, 6, seed=stones))
        return finding
