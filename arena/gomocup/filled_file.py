"""A file for a program to read, which is there as long as whoever wrote it wants it, or lives."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "arena-filled-"


@contextmanager
def filled_file(text: str, suffix: str) -> Iterator[str]:
    """The path of a new file with this text, for a time; it ends in the suffix.

    Its writer holds a lock on it meanwhile, of which the kernel lets go if the writer is killed.
    """
    remove_abandoned()
    descriptor, path = locked_file(suffix)
    try:
        with open(descriptor, "wb", closefd=False) as file:
            file.write(text.encode())
        yield path
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path)
        os.close(descriptor)


def locked_file(suffix: str) -> tuple[int, str]:
    """A new file that is open and locked, and its path."""
    while True:
        descriptor, path = tempfile.mkstemp(suffix, PREFIX)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        # Whoever looks for abandoned files may have been there before the lock was.
        if os.path.exists(path):
            return descriptor, path
        os.close(descriptor)


def remove_abandoned() -> None:
    """Remove the files whose writers were killed."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError), path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
