"""Programs named where an engine is expected, and the engine that plays by them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.plugins.foreign import is_path

PROGRAMS = "gomocup"
"""The engine that plays by programs, whose parameter `command` is the program's path."""


def is_program(name: str) -> bool:
    """True if an engine's name is the path of a program, rather than of an engine's file."""
    is_file = is_path(name) and not name.endswith(".py") and Path(name).expanduser().is_file()
    return is_file and os.access(Path(name).expanduser(), os.X_OK)


def run_by_engine(name: str, parameters: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The engine that plays by a program, if that is named in place of one; with parameters."""
    if not is_program(name):
        return name, dict(parameters)
    return PROGRAMS, {"command": str(Path(name).expanduser().absolute()), **parameters}
