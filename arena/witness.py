"""What a worker has played so far, seen from outside, even once the worker is dead."""

from __future__ import annotations

from multiprocessing.sharedctypes import RawArray

from arena.game import Move, Position

LONGEST = 4096
"""Plies noted; a longer game goes on unseen."""


class Witness:
    """Holds memory shared by a worker, which writes, and its parent, which reads."""

    def __init__(self) -> None:
        self._state = RawArray("q", 2 + LONGEST)

    def __call__(self, p: Position) -> None:
        """Note who is about to be asked, and the move before."""
        ply = len(p.moves)
        if ply and ply <= LONGEST:
            self._state[1 + ply] = p.moves[-1]
        self._state[0] = p.turn
        self._state[1] = ply

    def asked(self, seat: int) -> None:
        """Note that this player's engine is about to be built."""
        self._state[0] = seat

    def forget(self) -> None:
        """In the parent, before a job is given out."""
        self._state[0] = self._state[1] = 0

    @property
    def turn(self) -> int:
        """Who was asked last: 1 or 2; 0 if nobody yet."""
        return int(self._state[0])

    def moves(self, opening: int) -> list[Move]:
        """The moves after an opening of so many plies."""
        return list(self._state[2 + opening : 2 + min(self._state[1], LONGEST)])
