"""Players as a command line names them: an engine, its file, a folder of it, or a program, also
with arguments."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.config.yaml_file import SUFFIXES
from arena.errors import ConfigError, Fault, no_such_file
from arena.plugins.command_line import is_command_line, is_file, split_command
from arena.plugins.engine_names import PROGRAMS, is_path, is_program
from arena.plugins.load import names, parse_named
from arena.plugins.user_engines import makes_engine
from arena.refusals import expanded, refused

LONGEST_PLAYER = 45
"""Characters of a player's name: two of them, and what joins them, are the name of a run."""


@dataclass(frozen=True, slots=True)
class TypedPlayer:
    """A player of a match, ready to be an entry of `engines`."""

    typed: str
    name: str
    engine: str
    parameters: Mapping[str, Any]

    @property
    def entry(self) -> dict[str, Any]:
        """The entry."""
        return {"name": self.name, "engine": self.engine, **self.parameters}

    @property
    def is_program(self) -> bool:
        """True if it talks the Gomocup protocol."""
        return self.engine == PROGRAMS or is_program(self.engine)


def typed_players(one: str, other: str) -> tuple[TypedPlayer, TypedPlayer]:
    """Two players with names that differ; ConfigError for a folder without an engine.

    Paths start at the current folder.
    """
    first, second = typed_player(one), typed_player(other)
    if first.name != second.name:
        return first, second
    ours, theirs = (_folder_name(player.typed) for player in (first, second))
    if ours != theirs:  # ./v1/engine.py and ./v2/engine.py
        first, second = (
            replace(player, name=_tidy(f"{folder}-{player.name}"))
            for player, folder in ((first, ours), (second, theirs))
        )
    return first, second if first.name != second.name else replace(second, name=f"{first.name}-2")


def typed_player(typed: str) -> TypedPlayer:
    """The player that `name:key=value,...` means, named by its engine and its parameters."""
    named = parse_named(typed)
    if not named.name:
        raise ConfigError(Fault(typed.strip(), "the name of a player is missing"))
    if len(command := split_command(named.name)) > 1 and not _is_folder(named.name):
        if not is_command_line(named.name):
            raise ConfigError(Fault(typed, f"there is no command {command[0]!r}, and no such file"))
        return TypedPlayer(typed, _tidy("-".join(_telling_words(command))), named.name, {})
    if Path(named.name).suffix in SUFFIXES:
        there = f"is a config, not an engine: arena run {named.name}"
        is_there = expanded(named.name).is_file()
        raise ConfigError(Fault(typed, there if is_there else no_such_file(Path(named.name))))
    if not is_path(named.name) and named.name not in names("engine") and Path(named.name).exists():
        raise ConfigError(Fault(typed, f"is no engine's name; for what is here, type ./{typed}"))
    words = [_stem(named.name)]
    words += [f"{key}-{Path(str(value)).name}" for key, value in named.parameters.items()]
    engine = engine_in(named.name) if _is_folder(named.name) else named.name
    return TypedPlayer(typed, _tidy("-".join(words)), engine, named.parameters)


def _telling_words(command: Sequence[str]) -> list[str]:
    """The words of a command that tell it from others: its last file's name, and what follows.

    Without a file, as in `java Main`, all but the program.
    """
    last = max((i for i, word in enumerate(command) if is_file(word)), default=1)
    return [_stem(command[last]), *(word.lstrip("-") for word in command[last + 1 :])]


def _stem(file: str) -> str:
    """The name of a file without the endings of programs."""
    return re.sub(r"\.(py|exe|jar|js)$", "", _place_of_path(file).name)


def _place_of_path(name: str) -> Path:
    """The place of a path, whose last part is a name of its own; any other name as it is."""
    return Path(os.path.abspath(expanded(name))) if is_path(name) else Path(name)


def _tidy(name: str) -> str:
    """The name without what commands and folders would stumble at."""
    return re.sub(r"[^\w.+-]+", "-", name).strip("-.")[:LONGEST_PLAYER].strip("-.") or "player"


def _folder_name(typed: str) -> str:
    """The name of the folder that holds what was typed; empty if that is no path."""
    return _place_of_path(parse_named(typed).name).parent.name


def _is_folder(name: str) -> bool:
    """True if an engine's name is the path of a folder."""
    return is_path(name) and expanded(name).is_dir()


def engine_in(folder: str) -> str:
    """The path of the one engine's file in a folder, or else of the one executable program.

    If nothing is executable, it is the one other file, whose engine says how it would be.
    ConfigError if there is none, or more than one.
    """
    try:
        here = sorted(file for file in _place_of_path(folder).iterdir() if file.is_file())
    except OSError as error:
        raise refused(error, folder) from None
    found = [file for file in here if file.suffix == ".py" and makes_engine(file)]
    others = [file for file in here if file.suffix != ".py"]
    found = found or [file for file in others if os.access(file, os.X_OK)]
    found = found or others[: len(others) == 1]
    paths = [os.path.join(folder, file.name) for file in found]
    if not paths:
        message = "holds no engine file (.py, with a function engine) and no executable program"
        raise ConfigError(Fault(folder, message))
    if len(paths) > 1:
        raise ConfigError(Fault(folder, f"holds more than one: {', '.join(paths)}"))
    return paths[0]
