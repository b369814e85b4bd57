"""A folder at play, as other processes see it: whether it is, its boards, and the wish to stop."""

from __future__ import annotations

import fcntl
import json
import os
import struct
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from math import isfinite
from pathlib import Path
from typing import Any

from arena.engine import Remark
from arena.errors import ConfigError
from arena.files import read_regular, regular_opener
from arena.match.record import columns, remarks_in
from arena.storage.folder import LOCK, is_played_here, keep_text

BOARDS = "boards.json"
SHOW_INTERVAL = 0.5  # Seconds between two writes of the boards, at least
MOST_BOARDS, MOST_BYTES = 1024, 1 << 23
"""Boards that are read of a file, and the size of a file that is read at all."""
STOP = "stop"  # A file in the folder: no further game is started while it is there
LOCK_FIELDS = (
    {"start": "q", "length": "q", "pid": "i", "type": "h", "whence": "h"}
    if sys.platform == "darwin"
    else {"type": "h", "whence": "h", "start": "q", "length": "q", "pid": "i"}
)
"""The C structure `flock`: its fields in order, and their types as `struct` names them."""


def is_at_play(folder: Path) -> bool:
    """True if a process other than this one plays here; its lock is only asked for, never taken."""
    with is_played_here(folder) as is_ours:
        return not is_ours and _is_locked(folder)


def _is_locked(folder: Path) -> bool:
    """True if another process has the folder's lock; a lock of this process would be lost by it."""
    try:
        lock = regular_opener(os.path.join(folder, LOCK), os.O_RDONLY)
    except OSError:
        return False
    try:
        values = {"type": fcntl.F_WRLCK, "whence": os.SEEK_SET, "start": 0, "length": 0, "pid": 0}
        types = "".join(LOCK_FIELDS.values())
        question = struct.pack(types, *(values[name] for name in LOCK_FIELDS))
        answer = struct.unpack(types, fcntl.fcntl(lock, fcntl.F_GETLK, question))
        return bool(answer[list(LOCK_FIELDS).index("type")] != fcntl.F_UNLCK)
    except (OSError, struct.error):
        return False
    finally:
        os.close(lock)


def ask_to_stop(folder: Path) -> None:
    """Let no further game be started here. Raises OSError if the folder cannot be written to."""
    os.close(regular_opener(os.path.join(folder, STOP), os.O_WRONLY | os.O_CREAT, 0o600))


def is_asked_to_stop(folder: Path) -> bool:
    """True if that was asked for since the last start."""
    return os.path.lexists(os.path.join(folder, STOP))  # after each game: quicker than a Path


def forget_stop(folder: Path) -> None:
    """Start anew: what was asked before was of an earlier time."""
    (folder / STOP).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveBoard:
    slot: int  # Number of the worker, from 0
    game: int  # A number that changes with the game
    goes_on: bool  # False for a game that is over, until the next one takes its place
    first: str
    second: str
    opening: str
    moves: str  # Moves as text, joined by spaces, opening included
    remarks: Sequence[Remark]


@dataclass(frozen=True, slots=True)
class LiveBoards:
    began: float  # Seconds since 1970 when its workers were started
    done: int  # Games that ended since then
    boards: Sequence[LiveBoard]


PLAIN = [field.name for field in fields(LiveBoard) if field.name != "remarks"]
"""Fields that the file has as they are; the remarks stand there as in a record."""


class BoardsFile:
    """Holds the file of the games at play; if it cannot be written, they are played unseen."""

    def __init__(self, folder: Path) -> None:
        self.done = 0  # Games that have ended
        self._file = folder / BOARDS
        self._began, self._due, self._shown = time.time(), 0.0, ""

    def show(self, boards: Iterable[LiveBoard | None]) -> None:
        """Write the boards, unless that was just done or nothing has changed."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + SHOW_INTERVAL
        shown = [
            {name: getattr(each, name) for name in PLAIN} | columns(each.remarks, kept=False)
            for each in boards
            if each
        ]
        text = json.dumps({"began": self._began, "done": self.done, "boards": shown})
        if text != self._shown:
            with suppress(OSError):
                keep_text(self._file, text)
                self._shown = text

    def close(self) -> None:
        with suppress(OSError):
            self._file.unlink()


def read_boards(folder: Path) -> LiveBoards | None:
    try:
        data = json.loads(read_regular(folder / BOARDS, MOST_BYTES))
        began, done = float(data["began"]), data["done"]
        if not isfinite(began) or type(done) is not int or done.bit_length() > 63:
            return None
        boards = [_board_in(each) for each in data["boards"][:MOST_BOARDS]]
    except (ConfigError, OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
    return LiveBoards(began, done, [each for each in boards if each])


def _board_in(data: Mapping[str, Any]) -> LiveBoard | None:
    try:
        texts = {name: value for name, value in data.items() if isinstance(value, str)}
        return LiveBoard(
            slot=int(data["slot"]),
            game=int(data["game"]),
            goes_on=bool(data["goes_on"]),
            first=texts["first"],
            second=texts["second"],
            opening=texts["opening"],
            moves=texts["moves"],
            remarks=remarks_in(texts, len(texts["opening"].split())),
        )
    except (AttributeError, ConfigError, KeyError, TypeError, ValueError, OverflowError):
        return None
