"""Memory shared with a worker: the answer that is due, its deadline, and the game so far."""

from __future__ import annotations

import os
import resource
import struct
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing.sharedctypes import RawArray

from arena.engine import Remark
from arena.game import Move, Position
from arena.match.opening_rules import MOST_ANSWERS, MOST_STONES, after
from arena.match.record import Job
from arena.match.terms import Clock
from arena.match.verdicts import CUT_OFF

MOST_CHOICES = 4096  # Number of choices that are noted; a longer game goes on unseen
CHOICE = struct.Struct("qqd3q")  # Move, seat, seconds, nodes, depth, score
NO_SCORE = -(2**63)

SHORT_TURN = 50_000
"""Nanoseconds in which no process forks or grows by much: then none of that is looked for."""

SEAT, PLY, DEADLINE, FORGIVEN, COUNT, ANSWERS_GIVEN = range(6)
ANSWER = struct.Struct(f"dq{MOST_STONES}q")
"""The seconds of an answer in the opening, the number of stones that it laid, and these."""
FIRST_ANSWER = 8 * (ANSWERS_GIVEN + 1)
FIRST_CHOICE, CHOICE_BYTES = FIRST_ANSWER + MOST_ANSWERS * ANSWER.size, CHOICE.size
pack_choice = CHOICE.pack_into


def _file_behind(descriptor: int) -> tuple[int, int] | None:
    """The file behind a descriptor, by its device and number there; None if it is closed."""
    try:
        status = os.fstat(descriptor)
    except OSError:
        return None
    return status.st_dev, status.st_ino


class Heartbeat:
    """Holds memory shared by a worker, which writes, and its parent, which reads."""

    def __init__(self, hang: float, preparation: float | None = None) -> None:
        """`hang`: seconds for an answer that no limit of time is set for.

        `preparation`: seconds for an engine to be ready, if that may take longer.
        """
        self._shared = RawArray("b", FIRST_CHOICE + MOST_CHOICES * CHOICE_BYTES)
        # Its own items are ten times slower.
        self._bytes = memoryview(self._shared).cast("B")
        self._state = self._bytes[:FIRST_ANSWER].cast("q")
        self._hang = hang
        self._preparation = hang if preparation is None else preparation
        self._writer = 0
        self._pipe = -1
        self._file = _file_behind(self._pipe)
        self._grown = [0, 0, 0]
        """Growth of the process's greatest size while each seat was at work; 0: neither."""
        self._size = self._asked = 0

    def become_writer(self, pipe: int) -> None:
        """Let this process, the worker, write, and no other; it ends once its pipe is closed."""
        self._writer, self._pipe, self._file = os.getpid(), pipe, _file_behind(pipe)

    def prepares(self, seat: int) -> None:
        self._end_cut_off()
        self._expect(seat, None)
        # A game may be played again.
        self._state[PLY] = self._state[COUNT] = self._state[ANSWERS_GIVEN] = 0
        self._state[DEADLINE] = time.monotonic_ns() + int(self._preparation * 1e9)

    def asks(self, p: Position, clock: Clock, seat: int) -> None:
        self._end_cut_off()
        self._state[PLY] = len(p.moves)
        # What is owed does not count: a program's own words on its fault come first.
        if clock.overdraft:
            clock = replace(clock, overdraft=0.0)
        self._expect(seat, clock.budget(), clock.margin)

    def opened(self, stones: Sequence[Move], seconds: float) -> None:
        """Note an answer in the opening; their number comes last."""
        count = self._state[ANSWERS_GIVEN]
        place = FIRST_ANSWER + count * ANSWER.size
        rest = [0] * (MOST_STONES - len(stones))
        ANSWER.pack_into(self._bytes, place, seconds, len(stones), *stones, *rest)
        self._state[ANSWERS_GIVEN] = count + 1

    def played(self, p: Position, remark: Remark) -> None:
        """Note the last move; their number comes last, so that half a choice is never read."""
        count = self._state[COUNT]
        if count < MOST_CHOICES:
            seat, seconds, nodes, depth, score, _, _ = remark
            known, place = NO_SCORE if score is None else score, FIRST_CHOICE + count * CHOICE_BYTES
            pack_choice(self._bytes, place, p.moves[-1], seat, seconds, nodes, depth, known)
            self._state[COUNT] = count + 1

    def _expect(self, seat: int, budget: float | None, margin: float = 0.0) -> None:
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
        if _file_behind(self._pipe) != self._file:
            os._exit(CUT_OFF)

    def _note_growth(self) -> None:
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
        for place in (SEAT, PLY, DEADLINE, COUNT, ANSWERS_GIVEN):
            self._state[place] = 0

    @property
    def seat(self) -> int:
        """The seat of the schedule that is to act, 1 or 2; 0 before the game."""
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

    def job_now(self, job: Job, text: Callable[[Move], str]) -> Job:
        end = FIRST_ANSWER + self._state[ANSWERS_GIVEN] * ANSWER.size
        for seconds, count, *cells in ANSWER.iter_unpack(self._bytes[FIRST_ANSWER:end]):
            job = after(job, list(map(text, cells[:count])), seconds)
        return job

    def choices(self) -> list[tuple[Move, Remark]]:
        end = FIRST_CHOICE + self._state[COUNT] * CHOICE_BYTES
        return [
            (move, Remark(seat, seconds, nodes, depth, None if score == NO_SCORE else score))
            for move, seat, seconds, nodes, depth, score in CHOICE.iter_unpack(
                self._bytes[FIRST_CHOICE:end]
            )
        ]

    def moves(self, opening: int) -> list[Move]:
        """The moves after an opening of this many plies, up to the last position asked about."""
        return [move for move, _ in self.choices()[: self._state[PLY] - opening]]
