"""Memory shared with a worker: whose answer is due and when, even once the worker hangs or dies."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from multiprocessing.sharedctypes import RawArray

from arena.engine import Remark
from arena.game import Move, Position
from arena.match.terms import Clock
from arena.match.verdicts import CUT_OFF
from arena.workers.live_boards import LiveSlot

LONGEST = 4096
"""Number of plies that are noted; a longer game goes on unseen."""

SHORT_TURN = 50_000
"""Nanoseconds in which no process forks or grows by much: then none of that is looked for."""

SEAT, PLY, DEADLINE, FORGIVEN, MOVES = range(5)


def file_behind(descriptor: int) -> tuple[int, int] | None:
    """The file behind a descriptor, by its device and number there; None if it is closed."""
    try:
        found = os.fstat(descriptor)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def unseen(p: Position, remark: Remark) -> None:
    """The default of `played`: it does nothing."""


class Heartbeat:
    """Holds memory shared by a worker, which writes, and its parent, which reads."""

    def __init__(
        self, hang: float, preparation: float | None = None, slot: LiveSlot | None = None
    ) -> None:
        """`hang`: seconds for an answer that no limit of time is set for.

        `preparation`: seconds for an engine to be ready, if that may take longer. `slot`: memory
        in which the game is shown to others, if it is.
        """
        self.slot = slot
        self.played: Callable[[Position, Remark], None] = slot.played if slot else unseen
        """Shows the move that was just made."""
        self._shared = RawArray("q", MOVES + LONGEST)
        # Its own items are ten times slower.
        self._state = memoryview(self._shared).cast("B").cast("q")
        self._hang = hang
        self._preparation = hang if preparation is None else preparation
        self._writer = 0
        self._pipe = -1
        self._file = file_behind(self._pipe)
        self._grown = [0, 0, 0]
        """Growth of the process's greatest size while each seat was at work; 0: neither."""
        self._size = self._asked = 0

    def become_writer(self, pipe: int) -> None:
        """Let this process, the worker, write, and no other; it ends once its pipe is closed."""
        self._writer, self._pipe, self._file = os.getpid(), pipe, file_behind(pipe)

    def prepares(self, seat: int) -> None:
        """Note that a player's engine is about to be built, or to be told of a new game."""
        self._end_cut_off()
        self._expect(seat, None)
        self._state[DEADLINE] = time.monotonic_ns() + int(self._preparation * 1e9)

    def asks(self, p: Position, clock: Clock) -> None:
        """Note that the side to move is about to be asked, with this time left."""
        self._end_cut_off()
        state, ply = self._state, len(p.moves)
        if ply and ply <= LONGEST:
            state[MOVES + ply - 1] = p.moves[-1]
        state[PLY] = ply
        self._expect(p.turn, clock.budget(), clock.margin)

    def _expect(self, seat: int, budget: float | None, margin: float = 0.0) -> None:
        """Note the seat that is to act, its deadline, and how much of that is the margin."""
        state, now = self._state, time.monotonic_ns()
        if now - self._asked > SHORT_TURN:
            self._end_child()
            self._note_growth()
        self._asked = now
        seconds = self._hang if budget is None else budget
        state[SEAT] = seat
        state[FORGIVEN] = -1 if budget is None else int(margin * 1e9)
        state[DEADLINE] = now + int(seconds * 1e9)

    def _end_child(self) -> None:
        """End this process if it is the child of an engine that forked: a second referee."""
        if os.getpid() != self._writer:
            os._exit(1)

    def _end_cut_off(self) -> None:
        """End this process if its pipe is closed: the player to act has closed it, and loses.

        The parent sees the other end, but perhaps only when the other player is to move. Another
        file may have the pipe's number by then.
        """
        if file_behind(self._pipe) != self._file:
            os._exit(CUT_OFF)

    def _note_growth(self) -> None:
        """Count the growth of the process against the seat that was at work since the last look."""
        size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if size != self._size:
            self._grown[self.seat] += size - self._size
            self._size = size

    def growth(self) -> list[int]:
        """The growth of the process by seat (0: neither) since this was last asked for."""
        self._end_child()
        self._end_cut_off()
        self._note_growth()
        grown, self._grown = self._grown, [0, 0, 0]
        return grown

    def reset(self) -> None:
        """Let no answer be due; called by the parent before it gives out a job."""
        self._state[SEAT] = self._state[PLY] = self._state[DEADLINE] = 0

    @property
    def seat(self) -> int:
        """The seat that is to act, 1 or 2; 0 before the game."""
        return int(self._state[SEAT])

    @property
    def due(self) -> tuple[int, int]:
        """The player whose answer is due, and the deadline, on the monotonic clock."""
        return self.seat, int(self._state[DEADLINE])

    @property
    def margin(self) -> float | None:
        """Seconds of the time until the deadline that are forgiven; None if no limit is set."""
        margin = int(self._state[FORGIVEN])
        return None if margin < 0 else margin / 1e9

    def overdue(self) -> float | None:
        """Seconds since an answer was due, negative before; None if none is due."""
        deadline = int(self._state[DEADLINE])
        return (time.monotonic_ns() - deadline) / 1e9 if deadline else None

    def moves(self, opening: int) -> list[Move]:
        """The moves after an opening of `opening` plies."""
        return self._state[MOVES + opening : MOVES + min(self._state[PLY], LONGEST)].tolist()
