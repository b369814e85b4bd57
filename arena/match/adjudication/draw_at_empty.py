"""A draw once few cells are left: on a board so full, a line hardly comes about any more."""

from __future__ import annotations

from typing import Annotated

from arena.engine import Range, Remark
from arena.game import Game, Outcome, Position

ORDER = 3
FEW_CELLS = Outcome(None, "few cells left")


def rule(
    game: Game, *, draw_at_empty: Annotated[int, Range(1, 625), "cells left: so many, or fewer"]
) -> DrawAtEmpty:
    """The game is drawn once at most `draw_at_empty` cells are empty."""
    return DrawAtEmpty(draw_at_empty)


class DrawAtEmpty:
    def __init__(self, cells: int) -> None:
        self._cells = cells

    def outcome(self, p: Position, said: Remark | None) -> Outcome | None:
        return FEW_CELLS if p.cells.count(0) <= self._cells else None
