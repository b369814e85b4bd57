"""A draw that both players agree on: for some moves, neither sees more than a small advantage."""

from __future__ import annotations

from typing import Annotated

from arena.engine import Range, Remark
from arena.game import Game, Outcome, Position

ORDER = 2
DRAWN_BY_SCORES = Outcome(None, "drawn by scores")


def rule(
    game: Game,
    *,
    score: Annotated[int, Range(0, 10**15), "at most, for either side"],
    moves: Annotated[int, Range(1, 1000), "in a row, of each player"] = 10,
    after: Annotated[int, Range(0, 10**6), "plies, the opening's included: never before"] = 60,
) -> Draw:
    """The game is drawn once all scores of both players in `moves` moves in a row are small.

    Each score is in its engine's own units. A move without a score begins the count anew.
    """
    return Draw(score, moves, after)


class Draw:
    def __init__(self, score: int, moves: int, after: int) -> None:
        self._score = score
        self._plies = 2 * moves
        self._after = after
        self._agreed = 0

    def outcome(self, p: Position, said: Remark | None) -> Outcome | None:
        """A draw, if the scores have been small for long enough, and the game is old enough."""
        score = said and said.score
        self._agreed = self._agreed + 1 if score is not None and abs(score) <= self._score else 0
        is_over = self._agreed >= self._plies and len(p.moves) >= self._after
        return DRAWN_BY_SCORES if is_over else None
