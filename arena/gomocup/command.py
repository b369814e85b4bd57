"""A command that starts a brain: its program, and the folder that it works in."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from arena.engine import ProgramError


def looked_up(program: str) -> str | None:
    """The path of a program that is called by its bare name; None if there is none.

    Beside this Python first: what was installed there is not on the PATH of who has not activated
    the environment.
    """
    places = [os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]
    return shutil.which(program, path=os.pathsep.join(places))


def found_program(program: str) -> str:
    """The absolute path of a program, by path or by name; ProgramError if there is none."""
    path = Path(program).expanduser()
    if not path.exists() and "/" not in program and (found := looked_up(program)):
        return found
    if not path.is_file():
        raise ProgramError("crash", "is no file", str(path.absolute()))
    if not shutil.which(str(path.absolute())):
        raise ProgramError("crash", "is not executable", str(path.absolute()))
    return str(path.absolute())


def working_folder(words: Sequence[str], program: str, folder: str) -> str:
    """The working directory: that of the last file of the command, if none is given."""
    files = [Path(word) for word in words if Path(word).is_absolute() and Path(word).is_file()]
    wanted = Path(folder).expanduser() if folder else (files or [Path(program)])[-1].parent
    if not wanted.is_dir():
        raise ProgramError("crash", "is no folder", str(wanted.absolute()))
    return str(wanted.absolute())


def absolute_files(words: Sequence[str]) -> list[str]:
    """The words of a typed command, those that are files here by their absolute paths."""
    return [str(Path(word).absolute()) if Path(word).is_file() else word for word in words]
