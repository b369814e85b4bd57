"""Files of a program, and faults of its parameters, as its engine tells them: see `Program`."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.errors import ConfigError
from arena.plugins.engine_names import PROGRAMS, is_foreign
from arena.plugins.load import HUMAN, Named, checked_factory, known_outline, module
from arena.plugins.parameters import parameters as signature

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


def shipped_places(name: str, parameters: Mapping[str, Any]) -> list[Path]:
    """Files and folders, beside an engine's own sources, that go along to other machines.

    If the engine does not say, they are those that its parameters name.
    """
    told: list[Path] | None = told_of_program("shipped_places", name, parameters)
    return list(paths_named(name, parameters)) if told is None else told


def paths_named(name: str, parameters: Mapping[str, Any]) -> Iterator[Path]:
    """The files and folders that parameters of an engine name, if they are there."""
    if name == HUMAN:
        return
    for parameter in signature(checked_factory("engine", name, known_outline("engine", name))):
        given = parameters.get(parameter.name) if parameter.is_path else None
        for word in given if isinstance(given, list) else [given]:
            if isinstance(word, str) and word and (place := Path(word).absolute()).exists():
                yield place


def check_command(engine: Named) -> str:
    """The command that checks the program by which an engine plays; empty if it plays by none."""
    command = engine.parameters.get("command")
    if engine.name != PROGRAMS or not command:
        return ""
    words = [command] if isinstance(command, str) else list(map(str, command))
    folder = engine.parameters.get("folder")
    options = ["--folder", str(folder)] if folder else []
    end = ["--"] if len(words) > 1 else []
    return shlex.join(["arena", "check", *options, *end, *words])


def free_parameters(name: str) -> Collection[str]:
    """The parameters of an engine on which none of its games depends."""
    if is_foreign(name) or name == HUMAN:
        return ()
    try:
        found: Collection[str] = getattr(module("engine", name), "FREE", ())
    except ConfigError:
        return ()  # an engine of another version, in a folder that is kept
    return found


def told_of_program(function: str, name: str, parameters: Mapping[str, Any]) -> Any:
    """The answer of a function of the parameters; None if the engine has no such function."""
    if is_foreign(name) or name == HUMAN:
        return None
    found = getattr(module("engine", name), function, None)
    return found(parameters) if found else None
