"""A command that starts a brain: its program, and the folder that it works in."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from arena.engine import ProgramError
from arena.gomocup.wine import INSTALL_WINE, WINE, by_wine, is_windows_program
from arena.plugins.command_line import found_command, interpreted, is_file
from arena.refusals import expanded

SYSTEM = ("/bin", "/lib", "/sbin", "/usr", sys.prefix)
"""Folders of programs that each machine has of its own, such as interpreters."""


def is_of_system(file: Path) -> bool:
    """True if a program came with the system, or with this Python."""
    return any(file.is_relative_to(folder) for folder in SYSTEM)


def runnable(words: Sequence[str]) -> tuple[str, ...]:
    """The words that start a command's program here, by its absolute path; by Wine, if it is one
    for Windows. ProgramError if there is none, or it cannot be executed."""
    program, *arguments = words
    return by_wine((found_program(program), *arguments))


def found_program(program: str) -> str:
    """The absolute path of a program, or of a command; ProgramError if there is none."""
    if not is_file(program) and (found := found_command(program)):
        return found
    place = os.path.abspath(expanded(program))
    if not is_file(program):
        cure = f": {INSTALL_WINE}" if WINE.fullmatch(program) else ""
        raise ProgramError("crash", f"is no file{cure}", place)
    if not (shutil.which(place) or is_windows_program(Path(place))):
        by_interpreter = interpreted(Path(place))
        cure = f'give it as "{by_interpreter}"' if by_interpreter else f"chmod +x {quote(place)}"
        raise ProgramError("crash", f"is not executable: {cure}", place)
    return place


def command_files(words: Sequence[str]) -> list[Path]:
    """The files of a command: those given by path, or else the program that its name finds."""
    files = [path for word in words if word and (path := Path(word).absolute()).is_file()]
    found = found_command(words[0]) if words and not files else None
    return files if found is None else [Path(found)]


def working_folder(words: Sequence[str], folder: str) -> str:
    """The working directory of a command, if none is given: that of its last file.

    Where a command of the system has no file behind it, as in `java Main`, it is the current one.
    """
    program = Path(found_program(words[0]))
    files = [Path(word) for word in words[1:] if Path(word).is_absolute() and Path(word).is_file()]
    is_interpreter = len(words) > 1 and (not is_file(words[0]) or is_of_system(program))
    if folder:
        wanted = expanded(folder)
    elif is_interpreter and not files:
        wanted = Path.cwd()
    else:
        wanted = [program, *files][-1].parent
    if not wanted.is_dir():
        raise ProgramError("crash", "is no folder", str(wanted.absolute()))
    return str(wanted.absolute())
