"""The games at play in a folder, as another process sees them; nothing is taken on trust."""

from __future__ import annotations

import json
import os
import stat
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from arena.workers.live_boards import (
    CHOICE,
    HEAD,
    JOB_BYTES,
    LIVE,
    MAGIC,
    MOST_CHOICES,
    NO_SCORE,
    SEQUENCE,
    SLOT,
    SLOT_BYTES,
)

MOST_SLOTS = 1024
READ_TRIES = 3


@dataclass(frozen=True, slots=True)
class SeenChoice:
    """One choice of an engine."""

    move: int
    seconds: float
    score: int | None
    depth: int
    nodes: int


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """One game, as far as it has come."""

    slot: int
    """Number of the worker, from 0."""
    game: int
    """A number that changes with the game."""
    goes_on: bool
    first: str
    second: str
    opening: str
    choices: tuple[SeenChoice, ...]


@dataclass(frozen=True, slots=True)
class SeenBoards:
    """All games of a run at one moment."""

    began: float
    """Seconds since 1970 when its workers were started."""
    done: int
    """Games that ended since then."""
    boards: tuple[SeenBoard, ...]


class OpenBoards:
    """Holds an opened file of boards; reads it without mapping it, since others may cut it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._descriptor)

    def read(self) -> SeenBoards | None:
        """All games; None if this is no such file."""
        found = os.fstat(self._descriptor)
        head = os.pread(self._descriptor, HEAD.size, 0)
        if not stat.S_ISREG(found.st_mode) or len(head) < HEAD.size:
            return None
        magic, slots, began, done = HEAD.unpack(head)
        fits = magic == MAGIC and 0 <= slots <= MOST_SLOTS
        if not fits or found.st_size != HEAD.size + slots * SLOT_BYTES:
            return None
        boards = (self._slot(i) for i in range(slots))
        return SeenBoards(began / 1e6, done, tuple(each for each in boards if each))

    def _slot(self, number: int) -> SeenBoard | None:
        """One game; None if there is none, or if it is just being replaced."""
        start = HEAD.size + number * SLOT_BYTES
        for _ in range(READ_TRIES):
            head = self._take(start, SLOT.size)
            sequence, length, choices, goes_on = SLOT.unpack(head)
            if sequence % 2 or not 0 < length <= JOB_BYTES or not 0 <= choices <= MOST_CHOICES:
                continue
            job = self._take(start + SLOT.size, length)
            chosen = self._take(start + SLOT.size + JOB_BYTES, choices * CHOICE.size)
            if SLOT.unpack(self._take(start, SLOT.size))[SEQUENCE] == sequence:
                return board_of(number, sequence, goes_on, job, chosen)
        return None

    def _take(self, start: int, length: int) -> bytes:
        """Some bytes of the file, zeros where it was cut."""
        return os.pread(self._descriptor, length, start).ljust(length, b"\0")


def read_boards(folder: Path) -> SeenBoards | None:
    """The games at play in this folder; None if they cannot be seen."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with suppress(OSError), closing(OpenBoards(os.open(folder / LIVE, flags))) as boards:
        return boards.read()
    return None


def board_of(
    number: int, sequence: int, goes_on: int, job: bytes, chosen: bytes
) -> SeenBoard | None:
    """A game out of its bytes; None if they are none."""
    try:
        facts = json.loads(job)
        first, second, opening = (facts[key] for key in ("first", "second", "opening"))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if not all(isinstance(each, str) for each in (first, second, opening)):
        return None
    rows = CHOICE.iter_unpack(chosen)
    choices = tuple(
        SeenChoice(move, spent, None if score == NO_SCORE else score, depth, nodes)
        for move, spent, score, depth, nodes in rows
    )
    return SeenBoard(number, sequence, bool(goes_on), first, second, opening, choices)
