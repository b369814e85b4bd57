"""The games at play, move by move, in a file that a page may look at whenever it likes.

Each worker writes a slot of its own, in memory that it shares with the file: no call of the system,
no lock, nobody to wait for. A reader finds out by a sequence number if it read half of something.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import time
from contextlib import suppress
from pathlib import Path

from arena.engine import Remark
from arena.game import Position
from arena.match.record import Job

LIVE = "live.boards"
MAGIC = 0x4152454E41303031
HEAD = struct.Struct("4q")
"""Magic, number of slots, microseconds since 1970 at the start, games ended since then."""
SLOT = struct.Struct("4q")
"""Sequence number (odd: being written), bytes of the job, choices, whether the game goes on."""
CHOICE = struct.Struct("qd3q")
"""Move, seconds, score, depth, nodes."""
NO_SCORE = -(2**63)
JOB_BYTES = 4096
MOST_CHOICES = 1024
"""Choices of a game that are shown; a longer game goes on unseen."""
SLOT_BYTES = SLOT.size + JOB_BYTES + MOST_CHOICES * CHOICE.size
pack_choice = CHOICE.pack_into
CHOICE_BYTES = CHOICE.size
FIRST_CHOICE = SLOT.size + JOB_BYTES
SEQUENCE, JOB_LENGTH, CHOICE_COUNT, GOES_ON = range(4)
DONE = 3


class LiveBoards:
    """Holds the file for the parent of the workers; without it all goes on, unseen."""

    def __init__(self, file: Path, slots: int) -> None:
        self._file = file
        self._shared: mmap.mmap | None = None
        with suppress(OSError, ValueError):
            self._shared = shared_file(file, HEAD.size + slots * SLOT_BYTES)
            HEAD.pack_into(self._shared, 0, MAGIC, slots, int(time.time() * 1e6), 0)

    def slot(self, number: int) -> LiveSlot | None:
        """The slot of the worker of this number, from 1, with nothing in it."""
        if self._shared is None:
            return None
        start = HEAD.size + (number - 1) * SLOT_BYTES
        view = memoryview(self._shared)[start : start + SLOT_BYTES]
        slot = LiveSlot(view)
        slot.clear()
        return slot

    def count(self) -> None:
        """Count a game that has ended."""
        if self._shared is not None:
            *others, done = HEAD.unpack_from(self._shared)
            HEAD.pack_into(self._shared, 0, *others, done + 1)

    def close(self) -> None:
        """Show nothing any more."""
        if self._shared is not None:
            self._shared = None
            with suppress(OSError):
                self._file.unlink()


class LiveSlot:
    """Holds the memory in which one worker notes its game."""

    def __init__(self, view: memoryview) -> None:
        self._view = view
        self._words = view[: SLOT.size].cast("q")
        self._choices = MOST_CHOICES

    def begin(self, job: Job) -> None:
        """Note a new game in the place of the last."""
        facts = {"first": job.first, "second": job.second, "opening": job.opening}
        text = json.dumps(facts).encode()
        if len(text) > JOB_BYTES:
            self.clear()
        else:
            self._write(text, 1)
            self._choices = 0

    def clear(self) -> None:
        """Show no game."""
        self._write(b"", 0)
        self._choices = MOST_CHOICES

    def _write(self, text: bytes, goes_on: int) -> None:
        """Replace all; a predecessor may have died on the way, and left the number odd."""
        words = self._words
        words[SEQUENCE] |= 1
        words[CHOICE_COUNT] = 0
        words[JOB_LENGTH], words[GOES_ON] = len(text), goes_on
        self._view[SLOT.size : SLOT.size + len(text)] = text
        words[SEQUENCE] += 1

    def played(self, p: Position, remark: Remark) -> None:
        """Add the last move; the number of moves comes last, so that no reader sees half of one."""
        n = self._choices
        if n < MOST_CHOICES:
            _, seconds, nodes, depth, score, _, _ = remark
            place, known = FIRST_CHOICE + n * CHOICE_BYTES, NO_SCORE if score is None else score
            pack_choice(self._view, place, p.moves[-1], seconds, known, depth, nodes)
            self._words[CHOICE_COUNT] = self._choices = n + 1

    def end(self) -> None:
        """Note that the game is over."""
        self._words[GOES_ON] = 0
        self._choices = MOST_CHOICES


def shared_file(file: Path, size: int) -> mmap.mmap:
    """New memory that is shared with a file of this name.

    Its room on the disk is taken beforehand, and no file that is there is written to or cut: a
    process that writes to such memory and finds no room is killed.
    """
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with suppress(FileNotFoundError):
        draft.unlink()
    descriptor = os.open(draft, flags, 0o600)
    try:
        os.posix_fallocate(descriptor, 0, size)
        found = mmap.mmap(descriptor, size)
        draft.replace(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
    return found
