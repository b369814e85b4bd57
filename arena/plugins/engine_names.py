"""Names of engines: of the project's own, of a user's file or module, or of a program."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from arena.refusals import expanded

PROGRAMS = "gomocup"
"""The engine that plays by programs, whose parameter `command` is the program's path."""


def is_path(name: str) -> bool:
    """True if an engine's name is a path to its file."""
    return name.endswith(".py") or os.sep in name or name.startswith(".")


def is_program(name: str) -> bool:
    """True if an engine's name is the path of a program, rather than of an engine's file.

    A file that cannot be executed is one too: its engine says how it could be.
    """
    file = expanded(name)
    return is_path(name) and file.suffix != ".py" and file.is_file()


def is_foreign(name: str) -> bool:
    """True if an engine is a user's own code, rather than one that comes with the project."""
    return (is_path(name) or "." in name) and not is_program(name)


def run_by_engine(name: str, parameters: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The engine that plays by a program, if that is named in place of one; with parameters."""
    if not is_program(name):
        return name, dict(parameters)
    return PROGRAMS, {"command": str(expanded(name).absolute()), **parameters}
