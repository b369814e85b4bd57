"""Values through a pipe between two processes, each as its length and its pickle."""

from __future__ import annotations

import os
import pickle
import struct
from typing import Any

SIZE_PREFIX = struct.Struct("!Q")
MOST_AT_ONCE = 2**20


def write_frame(end: int, value: object) -> None:
    """Send a value; OSError if nobody reads any more."""
    data = pickle.dumps(value)
    left = memoryview(SIZE_PREFIX.pack(len(data)) + data)
    while left:
        left = left[os.write(end, left) :]


def read_frame(end: int) -> Any:
    """The next value; EOFError if none comes any more."""
    (size,) = SIZE_PREFIX.unpack(read_exactly(end, SIZE_PREFIX.size))
    return pickle.loads(read_exactly(end, size))


def read_exactly(end: int, size: int) -> bytes:
    """The next bytes; EOFError if there are fewer."""
    found = bytearray()
    while len(found) < size:
        data = os.read(end, min(size - len(found), MOST_AT_ONCE))
        if not data:
            raise EOFError
        found += data
    return bytes(found)
