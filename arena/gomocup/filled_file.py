"""A user's text with values in it, as a file that lasts as long as its writer wants, or lives."""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import unknown

PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}|[{}]")
BRACES = {"{{": "{", "}}": "}"}
VALUE_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
PREFIX = "arena-filled-"


def filled(text: str, values: Mapping[str, object]) -> str:
    """The text with values in their places; braces without a value stay as they are."""

    def meant(found: re.Match[str]) -> str:
        return BRACES.get(found[0]) or str(values.get(found[1], found[0]))

    return PLACEHOLDER.sub(meant, text)


def values_wanted(text: str) -> set[str]:
    """The names of the values that a text wants."""
    return {found[1] for found in PLACEHOLDER.finditer(text) if found[1] is not None}


def mistakes_in(text: str, known: Collection[str]) -> Iterator[tuple[int, str]]:
    """The places in a text that no value can take: where each begins, and a message."""
    for found in PLACEHOLDER.finditer(text):
        name, brace = found[1], found[0][0]
        if found[0] in BRACES or name in known:
            continue
        if name is None:
            message = f"a {brace!r} stands alone"
        elif VALUE_NAME.fullmatch(name.strip()):
            yield found.start(), unknown("value", name, known)
            continue
        else:
            message = f"{found[0]!r} is no name of a value"
        yield found.start(), f"{message}; a brace itself is written {2 * brace!r}"


def line_and_column_at(text: str, offset: int) -> str:
    """`line:column` of a place in a text, both numbers from 1."""
    return f"{text.count(chr(10), 0, offset) + 1}:{offset - text.rfind(chr(10), 0, offset)}"


@contextmanager
def filled_file(content: bytes, suffix: str) -> Iterator[str]:
    """The path of a new file with this content, for a time; it ends in the suffix.

    Its writer holds a lock on it meanwhile, of which the kernel lets go if the writer is killed.
    """
    remove_abandoned()
    descriptor, path = _locked_file(suffix)
    try:
        with open(descriptor, "wb", closefd=False) as file:
            file.write(content)
        yield path
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path)
        os.close(descriptor)


def _locked_file(suffix: str) -> tuple[int, str]:
    while True:
        descriptor, path = tempfile.mkstemp(suffix, PREFIX)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        # It may have been removed as abandoned before it was locked.
        if os.path.exists(path):
            return descriptor, path
        os.close(descriptor)


def remove_abandoned() -> None:
    """Remove the files whose writers were killed."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError), path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
