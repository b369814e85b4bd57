"""A loss that both players agree on: for some moves, by the scores of the one and of the other."""

from __future__ import annotations

from typing import Annotated

from arena.engine import Range, Remark
from arena.game import Game, Outcome, Position

ORDER = 1


def rule(
    game: Game,
    *,
    score: Annotated[int, Range(1, 10**15), "at least, for the winner; at most -score, the loser"],
    moves: Annotated[int, Range(1, 1000), "in a row, of each player"] = 3,
) -> Resign:
    """The game ends with the loser's move, once both gave such scores `moves` times in a row.

    Each score is in its engine's own units. A move without a score begins the count anew.
    """
    return Resign(score, moves)


class Resign:
    def __init__(self, score: int, moves: int) -> None:
        self._score = score
        self._plies = 2 * moves
        self._winner = 0
        self._agreed = 0

    def outcome(self, p: Position, said: Remark | None) -> Outcome | None:
        """The other player's win, if the last mover was the loser for long enough."""
        score = said and said.score
        if score is None or abs(score) < self._score:
            self._agreed = 0
            return None
        winner = 3 - p.turn if score > 0 else p.turn
        self._agreed = self._agreed + 1 if winner == self._winner else 1
        self._winner = winner
        is_over = self._agreed >= self._plies and winner == p.turn
        return Outcome(winner, "won by scores") if is_over else None
