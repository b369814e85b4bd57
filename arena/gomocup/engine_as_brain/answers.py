"""The words of a brain's answers: moves, what a search found, and refusals."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import suppress

from arena.engine import Choice, mate_text
from arena.errors import one_line
from arena.game import Forbids, Move, Position
from arena.games.gomoku import Gomoku
from arena.gomocup.engine_as_brain.stones import words_of

LONGEST_ECHO = 40
"""Characters of a manager's line that are repeated to it."""


class RefusalError(Exception):
    """A command that cannot be done, in words."""


def legal_move(game: Gomoku, p: Position, choice: Choice) -> Move:
    """The move of a choice; the protocol has no word to resign, so any will do then."""
    if choice.move is None:
        empty = [move for move, stone in enumerate(p.cells) if not stone]
        allowed = (m for m in empty if not (isinstance(game, Forbids) and game.forbidden(p, m)))
        return next(allowed, empty[0])
    try:
        move = operator.index(choice.move)
    except TypeError:
        raise RefusalError(f"the engine's move is none: {choice.move!r}") from None
    if not game.is_legal(p, move):
        raise RefusalError(f"the engine's move is not legal: {move}")
    return move


def message(size: int, choice: Choice) -> Iterator[str]:
    """The depth, score, nodes and line of a search, if it told any; else nothing."""
    words = list[str]()
    with suppress(TypeError, ValueError):
        if choice.depth:
            words.append(f"depth {int(choice.depth)}")
        if choice.score is not None:
            score = int(choice.score)
            words.append(f"ev {mate_text(score) or score}")
        if choice.nodes:
            words.append(f"n {int(choice.nodes)}")
        if words and choice.pv:
            words.append(f"pv {words_of(size, choice.pv)}")
    if words:
        yield f"MESSAGE {' '.join(words)}"


def echo(text: str) -> str:
    """A manager's word as it can be said again."""
    return one_line(text.strip()[:LONGEST_ECHO])
