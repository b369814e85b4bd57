"""A command that starts a brain: its program, and the folder that it works in."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from arena.engine import ProgramError
from arena.refusals import expanded

OWN_COMMANDS = os.path.dirname(sys.executable)
"""The folder of this Python and its commands, on the PATH only if its environment is activated."""
SYSTEM = ("/bin", "/lib", "/sbin", "/usr", sys.prefix)
"""Folders of programs that each machine has of its own, such as interpreters."""
WINE = re.compile(r"wine(32|64)?(-(stable|staging|devel|development))?")
"""The names of Wine's own command."""
WINDOWS_MAGIC = b"MZ"
"""The first bytes of a Windows program."""
HANDLERS = Path("/proc/sys/fs/binfmt_misc")
"""The programs by which Linux runs files that begin with certain bytes."""


def is_of_system(file: Path) -> bool:
    """True if a program came with the system, or with this Python."""
    return any(file.is_relative_to(folder) for folder in SYSTEM)


def found_command(word: str) -> str | None:
    """The path of a command: beside this Python, as `arena` itself is, or else on the PATH."""
    return None if "/" in word else shutil.which(word, path=OWN_COMMANDS) or shutil.which(word)


def found_program(program: str) -> str:
    """The absolute path of a program, or of a command; ProgramError if there is none."""
    path = expanded(program)
    if not path.is_file() and (found := found_command(program)):
        return found
    if not path.is_file():
        raise ProgramError("crash", "is no file", str(path.absolute()))
    place = str(path.absolute())
    if is_windows_program(path) and not runs_windows_programs():
        cure = f"in a YAML file: command: [wine, {place}]"
        raise ProgramError("crash", f"is a Windows program; {cure}", place)
    if not shutil.which(place):
        raise ProgramError("crash", f"is not executable: chmod +x {shlex.quote(place)}", place)
    return place


def working_folder(words: Sequence[str], program: str, folder: str) -> str:
    """The working directory: that of the last file of the command, if none is given."""
    files = [Path(word) for word in words if Path(word).is_absolute() and Path(word).is_file()]
    wanted = expanded(folder) if folder else (files or [Path(program)])[-1].parent
    if not wanted.is_dir():
        raise ProgramError("crash", "is no folder", str(wanted.absolute()))
    return str(wanted.absolute())


def is_windows(words: Sequence[str]) -> bool:
    """True if a command starts a Windows program, by Wine or, where the system can, as it is."""
    if any(WINE.fullmatch(os.path.basename(word)) for word in words):
        return True
    return words[0].lower().endswith(".exe") or any(map(is_windows_program, map(Path, words)))


def absolute_files(words: Sequence[str]) -> list[str]:
    """The words of a typed command, those that are files here by their absolute paths."""
    return [str(Path(word).absolute()) if Path(word).is_file() else word for word in words]


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
