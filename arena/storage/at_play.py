"""A folder at play, as other processes see it: if anybody plays there, and the wish to stop."""

from __future__ import annotations

import fcntl
import os
import struct
import sys
from contextlib import suppress
from pathlib import Path

from arena.storage.folder import is_played_here

STOP = "stop"
"""A file in the folder: no further game is started while it is there."""
LOCK_PARTS = "qqihh" if sys.platform == "darwin" else "hhqqi"
"""The C structure `flock`: start, length, pid, type and whence, or in the other order."""


def is_at_play(folder: Path) -> bool:
    """True if a process other than this one plays here; its lock is only asked for, never taken."""
    with is_played_here(folder) as is_ours:
        return not is_ours and is_locked(folder)


def is_locked(folder: Path) -> bool:
    """True if another process has the folder's lock; a lock of this process would be lost by it."""
    try:
        lock = os.open(folder / "lock", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        values = {"type": fcntl.F_WRLCK, "whence": os.SEEK_SET, "start": 0, "length": 0, "pid": 0}
        order = lock_order()
        asked = struct.pack(LOCK_PARTS, *(values[name] for name in order))
        told = struct.unpack(LOCK_PARTS, fcntl.fcntl(lock, fcntl.F_GETLK, asked))
        return bool(told[order.index("type")] != fcntl.F_UNLCK)
    except (OSError, struct.error):
        return False
    finally:
        os.close(lock)


def lock_order() -> list[str]:
    """The parts of that structure, in this system's order."""
    if sys.platform == "darwin":
        return ["start", "length", "pid", "type", "whence"]
    return ["type", "whence", "start", "length", "pid"]


def ask_to_stop(folder: Path) -> None:
    """Let no further game be started here. Raises OSError if the folder cannot be written to."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    os.close(os.open(folder / STOP, flags, 0o600))


def is_asked_to_stop(folder: Path) -> bool:
    """True if that was asked for since the last start."""
    return os.path.lexists(folder / STOP)


def forget_stop(folder: Path) -> None:
    """Start anew: whatever was asked before was of an earlier time."""
    with suppress(OSError):
        (folder / STOP).unlink()
