"""Names of engines: of the project's own, of a user's file or module, or of a program."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.plugins.command_line import absolute_files, is_command_line, split_command
from arena.refusals import expanded

PROGRAMS = "gomocup"
"""The engine that plays by programs, whose parameter `command` is the program's path."""


def is_path(name: str) -> bool:
    """True if an engine's name is a path to its file."""
    is_spelt_so = name.endswith(".py") or os.sep in name or name.startswith(".")
    return is_spelt_so and not is_command_line(name)


def is_program(name: str) -> bool:
    """True if an engine's name is the path of a program, rather than of an engine's file, or a
    command line.

    A file that cannot be executed is one too: its engine says how it could be.
    """
    if is_command_line(name):
        return True
    file = expanded(name)
    return is_path(name) and file.suffix != ".py" and file.is_file()


def is_foreign(name: str) -> bool:
    """True if an engine is a user's own code, rather than one that comes with the project."""
    return (is_path(name) or "." in name) and not is_program(name)


def run_by_engine(
    name: str, parameters: Mapping[str, Any], folder: Path = Path()
) -> tuple[str, dict[str, Any]]:
    """The engine that plays by a program, if that is named in place of one; with parameters.

    Words of a command line that are files of the folder become their absolute paths.
    """
    if is_command_line(name, folder):
        return PROGRAMS, {
            "command": absolute_files(split_command(name, folder), folder),
            **parameters,
        }
    if not is_program(name):
        return name, dict(parameters)
    return PROGRAMS, {"command": str(expanded(name).absolute()), **parameters}
