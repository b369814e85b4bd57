"""SWAP2BOARD: the three questions of the opening swap2."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from arena.gomocup.check import Check, Finding, Subject
from arena.gomocup.checked_game import begun_game
from arena.gomocup.positions import random_position
from arena.gomocup.protocol import COORDINATES

CHOICES = {
    0: ({3}, "three stones, such as 7,7 8,7 8,9"),
    3: ({0, 1, 2}, "SWAP, one move or two moves"),
    5: ({0, 1}, "SWAP or one move"),
}
"""The numbers of moves in an answer, 0 for SWAP, by the number of stones on the board."""


def checks(_: Subject) -> tuple[Check, ...]:
    """A check for each number of stones."""
    return tuple(
        Check(
            f"SWAP2BOARD, {stones or 'no'} stones",
            "optional",
            partial(answered, stones=stones),
            may_lack=True,
        )
        for stones in CHOICES
    )


def answered(subject: Subject, stones: int) -> Finding:
    """Ask it, and then go on as managers do: by BOARD."""
    numbers, expected = CHOICES[stones]
    with begun_game(subject) as talk:
        position = random_position(talk.game, stones, seed=stones)
        laid = [f"{move % talk.game.size},{move // talk.game.size}" for move in position.moves]
        talk.say("\n".join(["SWAP2BOARD", *laid, "DONE"]), expected)
        line = talk.answer(expected, "text", "move", seconds=subject.allowance.brief)
        moves = moves_of(line, talk.game.size)
        if moves is None or len(moves) not in numbers or set(moves) & set(position.moves):
            raise talk.unmet("answer", expected)
        finding = talk.finding()
        talk.board(random_position(talk.game, 6, seed=stones))
        return finding


def moves_of(line: bytes, side: int) -> Sequence[int] | None:
    """The different points of an answer; none for SWAP; None if it is something else."""
    if line.strip().upper() == b"SWAP":
        return ()
    pairs = [(int(x), int(y)) for x, y in COORDINATES.findall(line)]
    rest = COORDINATES.sub(b"", line).strip()
    is_legal = all(0 <= x < side and 0 <= y < side for x, y in pairs)
    if rest or not pairs or not is_legal or len(set(pairs)) < len(pairs):
        return None
    return [y * side + x for x, y in pairs]
