"""A command that starts a brain: its program, and the folder that it works in."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote

from arena.engine import ProgramError
from arena.plugins.command_line import found_command, interpreted, is_file, split_command

SYSTEM = ("/bin", "/lib", "/sbin", "/usr", sys.prefix)
"""Folders of programs that each machine has of its own, such as interpreters."""
WINE = re.compile(r"wine(32|64)?(-(stable|staging|devel|development))?")
"""The names of Wine's own command."""
WINE_COMMANDS = ("wine", "wine64", "/usr/lib/wine/wine64")
"""Where it is looked for; the last is Debian's wine64 without its wrapper."""
INSTALL_WINE = "install it (Debian, Ubuntu: apt install wine)"
WINDOWS_MAGIC = b"MZ"
"""The first bytes of a Windows program."""
HANDLERS = Path("/proc/sys/fs/binfmt_misc")
"""The programs by which Linux runs files that begin with certain bytes."""


def is_of_system(file: Path) -> bool:
    """True if a program came with the system, or with this Python."""
    return any(file.is_relative_to(folder) for folder in SYSTEM)


def parse_command(command: str | Sequence[str]) -> list[str]:
    """The words of a command as users give it: a path, a command line, or a list of words."""
    return split_command(command) if isinstance(command, str) else [*map(str, command)]


def runnable(words: Sequence[str]) -> tuple[str, ...]:
    """The words that start a command's program here, by its absolute path; by Wine, if it is one
    for Windows. ProgramError if there is none, or it cannot be executed."""
    program, *arguments = words
    path = found_program(program)
    if not is_windows_program(Path(path)) or runs_windows_programs():
        return path, *arguments
    wine = next(filter(None, map(shutil.which, WINE_COMMANDS)), None)
    if wine is None:
        raise ProgramError("crash", f"is a Windows program, which Wine runs: {INSTALL_WINE}", path)
    return wine, path, *arguments


def found_program(program: str) -> str:
    """The absolute path of a program, or of a command; ProgramError if there is none."""
    if not is_file(program) and (found := found_command(program)):
        return found
    place = os.path.abspath(os.path.expanduser(program))
    if not is_file(program):
        cure = f": {INSTALL_WINE}" if WINE.fullmatch(program) else ""
        raise ProgramError("crash", f"is no file{cure}", place)
    if not (shutil.which(place) or is_windows_program(Path(place))):
        by_interpreter = interpreted(Path(place))
        cure = f'give it as "{by_interpreter}"' if by_interpreter else f"chmod +x {quote(place)}"
        raise ProgramError("crash", f"is not executable: {cure}", place)
    return place


def files_of(words: Sequence[str]) -> list[Path]:
    """The files of a command: those given by path, or else the program that its name finds."""
    files = [path for word in words if word and (path := Path(word).absolute()).is_file()]
    found = found_command(words[0]) if words and not files else None
    return files if found is None else [Path(found)]


def working_folder(words: Sequence[str], folder: str) -> str:
    """The working directory of a command, if none is given: that of its last file.

    Of a command without a file, such as `java Main`, it is the current one; of a bare name, the
    folder of its program.
    """
    files = [Path(word) for word in words if Path(word).is_absolute() and Path(word).is_file()]
    if folder:
        wanted = Path(folder).expanduser()
    elif not files and len(words) > 1 and not is_file(words[0]):
        wanted = Path.cwd()
    else:
        wanted = (files or [Path(found_program(words[0]))])[-1].parent
    if not wanted.is_dir():
        raise ProgramError("crash", "is no folder", str(wanted.absolute()))
    return str(wanted.absolute())


def is_windows(words: Sequence[str]) -> bool:
    """True if a command starts a Windows program, by Wine or, where the system can, as it is."""
    if any(WINE.fullmatch(os.path.basename(word)) for word in words):
        return True
    return words[0].lower().endswith(".exe") or any(map(is_windows_program, map(Path, words)))


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
