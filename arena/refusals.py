"""What the system refuses (a path, room on a disk, memory, open files): its words and exit status.

Each of our processes that may meet with a refusal ends by these, whatever it was at.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from arena.errors import LONGEST_WORDS, ConfigError, Fault, one_line

NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
NO_ROOM_NAMES = ("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY")
"""Beginnings of SQLite's names for what a disk without room, or without inodes, comes to."""
NOT_TAKEN_NAMES = (
    "SQLITE_IOERR_WRITE",
    "SQLITE_IOERR_FSYNC",
    "SQLITE_IOERR_TRUNCATE",
    "SQLITE_IOERR_SHMOPEN",
    "SQLITE_IOERR_SHMSIZE",
    "SQLITE_IOERR_SHMMAP",
)
NOT_OPENED_NAMES = ("SQLITE_CANTOPEN", "SQLITE_IOERR_SHMOPEN")
DATABASE_FILES = 4
"""Files that SQLite has open at a time for a database: itself, two beside it, and the folder."""
OWN_WORDS = {
    errno.EMFILE: "this process may open no more files: raise `ulimit -n`",
    errno.ENFILE: "this system can open no more files",
    errno.ENOMEM: "there is not enough memory",
    errno.EAGAIN: "this system starts no more processes: raise `ulimit -u`",
}
"""Words for what is refused whatever file it is of."""
OWN_FILES = Path(__file__).parent
REFUSALS = (OSError, MemoryError, RuntimeError, UnicodeEncodeError, sqlite3.Error)
"""The exceptions by which the system refuses something."""


class DiskFullError(ConfigError):
    """No room on a disk, or one that takes no more: what was kept before stays."""

    status = 5

    def __init__(self, place: object = "", why: str = "", games: int | None = None) -> None:
        """`games`: the number of games that are kept, if these were played."""
        self.place, self.why = place, why or "the disk is full"
        kept = "what was kept before stays" if games is None else f"{games:,} games are kept"
        more = "Make room and type the same command"
        super().__init__(Fault(shown_path(place), f"{self.why}: {kept}. {more}"))


def refused(error: OSError | ValueError, place: object) -> ConfigError:
    """The error of a path that a user named, or of what is kept at this place."""
    if why := _why_full(error, place):
        return DiskFullError(place, why)
    words = getattr(error, "strerror", None) or one_line(str(error))
    if getattr(error, "errno", None) == errno.ENXIO:
        words = "nobody reads from it"  # a pipe, or a socket
    return ConfigError(Fault(shown_path(place), words))


def refusal_of(error: BaseException, place: object = "") -> ConfigError | None:
    """The error in words of what the system refused; None for a fault of ours.

    `place` is the file that was used, where the error does not name it.
    """
    error = getattr(error, "orig", None) or error  # of SQLAlchemy
    if isinstance(error, RuntimeError) and isinstance(error.__context__, OSError):
        error = error.__context__  # of Path.resolve, for a link that leads to itself
    if getattr(error, "sqlite_errorname", "").startswith(NOT_OPENED_NAMES) and _has_no_files():
        return ConfigError(Fault(shown_path(place), OWN_WORDS[errno.EMFILE]))
    if why := _why_full(error, place):
        return DiskFullError(getattr(error, "filename", None) or place, why)
    if isinstance(error, OSError):
        return _refusal_of_file(error, place)
    if isinstance(error, MemoryError):
        return ConfigError(OWN_WORDS[errno.ENOMEM])
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        return ConfigError(Fault(shown_path(error.object), "is no text of UTF-8"))
    return None


def _refusal_of_file(error: OSError, place: object) -> ConfigError | None:
    """The error in words of a file, folder, pipe or process."""
    if words := OWN_WORDS.get(error.errno or 0):
        return ConfigError(Fault(shown_path(place), words))
    if isinstance(error.filename, str | bytes | os.PathLike):
        path = Path(os.fsdecode(error.filename))
        return None if path.is_relative_to(OWN_FILES) else refused(error, path)
    if isinstance(error, FileNotFoundError) and _is_nowhere():  # of os.getcwd
        return ConfigError("the current folder was removed: go to another one")
    return None


def _is_nowhere() -> bool:
    """True if the current folder was removed."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _has_no_files() -> bool:
    """True if this process can open no more files than SQLite needs, which keeps the reason."""
    with ExitStack() as stack:
        try:
            for _ in range(DATABASE_FILES):
                stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        except OSError as error:
            return error.errno == errno.EMFILE
    return False


def _why_full(error: BaseException, place: object) -> str:
    """The words on a disk that took no more; empty if that is not why."""
    number, name = getattr(error, "errno", None), getattr(error, "sqlite_errorname", "")
    if number in NO_ROOM or name == "SQLITE_FULL":
        return "the disk is full"
    if name.startswith(NO_ROOM_NAMES) and _has_no_room(place):
        return "the disk is full"
    if number == errno.EFBIG or name.startswith(NOT_TAKEN_NAMES):
        return f"the disk takes no more ({error})"
    return ""


def _has_no_room(place: object) -> bool:
    """True if a file's disk has no room for another block, or for another file."""
    with suppress(OSError):
        found = os.statvfs(os.path.dirname(str(place)) or ".")
        return not found.f_bavail or bool(found.f_files and not found.f_favail)
    return False


@contextmanager
def refusals_told() -> Iterator[None]:
    """Turn what the system refuses into an error in words; a fault of ours passes as it is."""
    try:
        yield
    except REFUSALS as error:
        if found := refusal_of(error):
            raise found from None
        raise


def expanded(path: str | os.PathLike[str]) -> Path:
    """The path with `~` as the home of its user; ConfigError if there is none."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        user = Path(path).parts[0]
        raise ConfigError(Fault(shown_path(path), f"there is no home of {user} here")) from None


def shown_path(path: object) -> str:
    """A path in a line, however long it is, and in whatever encoding."""
    text = one_line(str(path))
    return text if len(text) <= LONGEST_WORDS else f"{text[:LONGEST_WORDS]}..."
