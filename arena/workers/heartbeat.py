"""What a worker is at, seen from outside, even once it hangs or is dead."""

from __future__ import annotations

import os
import resource
import time
from dataclasses import replace
from multiprocessing.sharedctypes import RawArray

from arena.game import Move, Position
from arena.match.record import GameRecord

LONGEST = 4096
"""Plies noted; a longer game goes on unseen."""

TURN, PLY, DEADLINE, IS_TIMED, MOVES = range(5)


class Witness:
    """Holds memory shared by a worker, which writes, and its parent, which reads."""

    def __init__(self, patience: float) -> None:
        """`patience`: seconds for what no limit of time is set for."""
        self._state = RawArray("q", MOVES + LONGEST)
        self._patience = patience
        self._writer = 0
        self._grown = {0: 0, 1: 0, 2: 0}
        """What the process's greatest size grew by while each seat was at work; 0: nobody."""
        self._size = 0

    def adopt(self) -> None:
        """In the worker: nobody else is to write."""
        self._writer = os.getpid()

    def prepares(self, seat: int) -> None:
        """A player's engine is about to be built, or to hear of a new game."""
        self._expect(seat, None)

    def asks(self, p: Position, budget: float | None) -> None:
        """The side to move is about to be asked, and has so many seconds."""
        state, ply = self._state, len(p.moves)
        if ply and ply <= LONGEST:
            state[MOVES + ply - 1] = p.moves[-1]
        state[PLY] = ply
        self._expect(p.turn, budget)

    def _expect(self, seat: int, budget: float | None) -> None:
        """Note who is to act, and until when."""
        if os.getpid() != self._writer:
            os._exit(1)  # the child of an engine that forked: a second referee in mid-game
        self._weigh()
        seconds = self._patience if budget is None else budget
        self._state[TURN] = seat
        self._state[IS_TIMED] = budget is not None
        self._state[DEADLINE] = time.monotonic_ns() + int(seconds * 1e9)

    def _weigh(self) -> None:
        """Put what the process grew by down to the player who was at work since the last look."""
        size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self._grown[self.turn] += size - self._size
        self._size = size

    def judge(self, record: GameRecord) -> GameRecord:
        """The record of the game just played; for want of memory, who took most of it has lost."""
        self._weigh()
        grown, self._grown = self._grown, {0: 0, 1: 0, 2: 0}
        if record.reason != "memory" or grown[1] == grown[2]:
            return record
        return replace(record, winner=1 if grown[2] > grown[1] else 2)

    def forget(self) -> None:
        """In the parent, before a job is given out."""
        self._state[TURN] = self._state[PLY] = self._state[DEADLINE] = 0

    @property
    def turn(self) -> int:
        """Who is to act: 1 or 2; 0 if nobody yet."""
        return int(self._state[TURN])

    @property
    def due(self) -> tuple[int, int]:
        """Whose answer is due, and when, on the monotonic clock."""
        return int(self._state[TURN]), int(self._state[DEADLINE])

    @property
    def is_timed(self) -> bool:
        """Whether that is under a limit of time."""
        return bool(self._state[IS_TIMED])

    def overdue(self) -> float | None:
        """Seconds since an answer was due, negative before; None if none is due."""
        deadline = int(self._state[DEADLINE])
        return (time.monotonic_ns() - deadline) / 1e9 if deadline else None

    def moves(self, opening: int) -> list[Move]:
        """The moves after an opening of so many plies."""
        return list(self._state[MOVES + opening : MOVES + min(self._state[PLY], LONGEST)])
