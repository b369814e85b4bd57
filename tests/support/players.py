"""Engines and observers that do nothing but what a test gives them to do."""

from __future__ import annotations

from collections.abc import Sequence

from arena.engine import Remark
from arena.game import Move, Position
from arena.match.terms import Clock


class Idle:
    """An engine but for its `choose`."""

    def new_game(self, seed: int) -> None:
        pass

    def close(self) -> None:
        pass


class Unmoved:
    """An observer of games that keeps nothing of what it hears."""

    def prepares(self, seat: int) -> None:
        pass

    def asks(self, p: Position, clock: Clock, seat: int) -> None:
        pass

    def opened(self, stones: Sequence[Move], seconds: float) -> None:
        pass

    def played(self, p: Position, remark: Remark) -> None:
        pass
