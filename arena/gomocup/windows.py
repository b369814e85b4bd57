"""Windows programs on other systems: which files are some, and where they run as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

WINDOWS_MAGIC = b"MZ"
"""The first bytes of a Windows program."""
HANDLERS = Path("/proc/sys/fs/binfmt_misc")
"""The programs by which Linux runs files that begin with certain bytes."""


def is_windows_program(file: Path) -> bool:
    """True if a file is a program for Windows."""
    with suppress(OSError), file.open("rb") as program:
        return program.read(len(WINDOWS_MAGIC)) == WINDOWS_MAGIC
    return False


def runs_windows_programs() -> bool:
    """True if this system runs them as they are: by Wine, or by the Windows below it (WSL)."""
    return any(f"magic {WINDOWS_MAGIC.hex()}" in told and "enabled" in told for told in handlers())


def handlers() -> Iterator[list[str]]:
    """The lines that Linux tells of each of its handlers."""
    with suppress(OSError):
        for handler in HANDLERS.iterdir():
            with suppress(OSError):
                yield handler.read_text(encoding="utf-8", errors="replace").splitlines()
