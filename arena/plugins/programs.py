"""Files of a program, and faults of its parameters, as its engine tells them: see `Program`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from arena.plugins.engine_names import is_foreign
from arena.plugins.load import HUMAN, module

Keys = tuple[str | int, ...]


def program_files(name: str, parameters: Mapping[str, Any]) -> list[Path]:
    """The files of the program that an engine plays by, if it does."""
    return told_of_program("program_files", name, parameters) or []


def filled_files(name: str, parameters: Mapping[str, Any]) -> Mapping[str, str]:
    """The texts of files that an engine's program is given, by the files' names."""
    return told_of_program("filled_files", name, parameters) or {}


def program_misfits(name: str, parameters: Mapping[str, Any]) -> Iterable[tuple[Keys, str]]:
    """The faults of parameters that fit each on its own: the path of keys, and a message."""
    return told_of_program("misfits", name, parameters) or ()


def told_of_program(function: str, name: str, parameters: Mapping[str, Any]) -> Any:
    """The answer of a function of the parameters; None if the engine has no such function."""
    if is_foreign(name) or name == HUMAN:
        return None
    found = getattr(module("engine", name), function, None)
    return found(parameters) if found else None
