"""Players as a command line names them: an engine, its file, a folder, or a program."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from arena.config.settings import limit_data, limit_of
from arena.config.yaml_file import SUFFIXES
from arena.engine import Limit
from arena.errors import ConfigError, Fault, expanded, no_such_file, refused
from arena.match.terms import MARGIN, Terms
from arena.plugins.engine_names import (
    PROGRAMS,
    interpreted,
    is_command_line,
    is_file,
    is_path,
    is_program,
    parse_command,
    split_command,
)
from arena.plugins.load import Named, named_of, names, parse_named
from arena.plugins.user_engines import GIVEN, makes_engine, short_name

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
        return {"name": self.name, "engine": self.engine, **self.parameters}

    @property
    def is_program(self) -> bool:
        return self.engine == PROGRAMS or is_program(self.engine)


def typed_players(*typed: str | Mapping[str, Any]) -> tuple[TypedPlayer, ...]:
    """The players of a match, with names that differ; a folder of several counts as these.

    One that is no text is as an entry of `engines`.

    ConfigError for a folder without an engine. Paths start at the current folder.
    """
    players = [typed_player(each) for given in typed for each in _each_of_folder(given)]
    names: list[str] = []
    for player in players:
        folders = {_folder_name(each.typed) for each in players if each.name == player.name}
        # ./v1/engine.py and ./v2/engine.py
        words = [_folder_name(player.typed), player.name] if len(folders) > 1 else [player.name]
        name = _tidy("-".join(words))
        others = (f"{name}-{number}" for number in count(2))
        while name in names:
            name = next(others)
        names.append(name)
    return tuple(replace(each, name=name) for each, name in zip(players, names, strict=True))


def typed_player(given: str | Mapping[str, Any]) -> TypedPlayer:
    """The player that `name:key=value,...` means, named by its engine and its parameters.

    The keys are those of an entry of `engines`: also a `name` and a `limit` of its own.
    """
    named = named_of("engine", given)
    typed = given if isinstance(given, str) else str(named)
    if not named.name:
        raise ConfigError(Fault(typed.strip(), "the name of a player is missing"))
    own = dict(named.parameters)
    words, engine = _words_and_engine(typed, named.name)
    name, limit = own.pop("name", None), own.pop("limit", None)
    if limit is not None:
        own["limit"] = limit_data(limit_of(limit, typed))
    for key, value in own.items():
        values = value.items() if isinstance(value, dict) else [(key, value)]
        words += [f"{inner}-{Path(str(each)).name}" for inner, each in values]
    return TypedPlayer(typed, _tidy("-".join(words) if name is None else str(name)), engine, own)


def _words_and_engine(typed: str, name: str) -> tuple[list[str], str]:
    if len(command := split_command(name)) > 1 and not _is_folder(name):
        if not is_command_line(name):
            raise ConfigError(Fault(typed, f"there is no command {command[0]!r}, and no such file"))
        return _telling_words(command), name
    if Path(name).suffix in SUFFIXES:
        there = f"is a config, not an engine: arena run {name}"
        is_there = expanded(name).is_file()
        raise ConfigError(Fault(typed, there if is_there else no_such_file(Path(name))))
    if not is_path(name) and name not in names("engine") and Path(name).exists():
        raise ConfigError(Fault(typed, f"is no engine's name; for what is here, type ./{typed}"))
    stem = short_name(name) if name in GIVEN else _stem(name)
    return [stem], _engines_in(name)[0] if _is_folder(name) else name


def _telling_words(command: Sequence[str]) -> list[str]:
    """A command's words from its last file on, or else (`java Main`) all but the program."""
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
    return is_path(name) and expanded(name).is_dir()


def _each_of_folder(typed: str | Mapping[str, Any]) -> Sequence[str | Mapping[str, Any]]:
    """Each of several engines in a folder, as it would be typed; any other player as it is."""
    if not isinstance(typed, str):
        return [typed]
    name = parse_named(typed).name
    if not _is_folder(name) or len(paths := _engines_in(name)) == 1:
        return [typed]
    return [path + typed.strip()[len(name) :] for path in paths]


def _engines_in(folder: str) -> list[str]:
    """The paths of the engines' files in a folder, or else of the programs, or else of those of the
    folders in it.

    Programs can be executed, or are for Windows; those in Python come last. If there are none, it
    is the one other file, whose engine says how it would be. ConfigError if there is nothing.
    """
    try:
        files, folders = _engines_and_folders(folder)
        paths = files or [path for each in folders for path in _engines_and_folders(each)[0]]
        others = [each for each in sorted(_place_of_path(folder).iterdir()) if each.is_file()]
    except OSError as error:
        raise refused(error, folder) from None
    others = [each for each in others if each.suffix != ".py"]
    if not paths and len(others) != 1:
        message = "holds no engine file (.py, with a function engine) and no executable program"
        raise ConfigError(Fault(folder, message))
    return paths or [os.path.join(folder, others[0].name)]


def _engines_and_folders(folder: str) -> tuple[list[str], list[str]]:
    """The paths of the engines' files in a folder, or else of its programs; and of its folders."""
    here = sorted(_place_of_path(folder).iterdir())
    files = [file for file in here if file.is_file() and not file.name.startswith(".")]
    engines = [file for file in files if file.suffix == ".py" and makes_engine(file)]
    programs = [file for file in files if file.suffix != ".py" and _is_executable(file)]
    scripts = [file for file in files if file not in engines + programs and _is_executable(file)]
    folders = [each for each in here if each.is_dir() and not each.name.startswith(".")]
    return (
        [
            interpreted(each) if each in scripts else os.path.join(folder, each.name)
            for each in engines or programs or scripts
        ],
        [os.path.join(folder, each.name) for each in folders],
    )


def _is_executable(file: Path) -> bool:
    return os.access(file, os.X_OK) or file.suffix.lower() == ".exe"


def check_command(engine: Named, limit: Limit, terms: Terms) -> str:
    """The command that checks a program as it is to play; empty if the engine plays by none."""
    command = engine.parameters.get("command")
    if engine.name != PROGRAMS or not command:
        return ""
    words = parse_command(command)
    options = [*_options(engine, limit, terms)]
    end = ["--"] if len(words) > 1 else []
    return shlex.join(["arena", "check", *options, *end, *words])


def _options(engine: Named, limit: Limit, terms: Terms) -> Iterator[str]:
    game = terms.game.parameters
    rule = "renju" if terms.game.name == "renju" else str(game.get("rule", "freestyle"))
    if rule != "freestyle":
        yield from ("--rule", rule)
    if (size := game.get("size", 15)) != 15:
        yield from ("--size", str(size))
    if limit.seconds not in (None, 1):
        yield from ("--seconds", f"{limit.seconds:g}")
    if terms.margin != MARGIN:
        yield from ("--margin", f"{terms.margin:g}")
    if terms.memory is not None:
        yield from ("--memory", str(terms.memory))
    if folder := engine.parameters.get("folder"):
        yield from ("--folder", str(folder))
    if not (engine.parameters.get("values") or engine.parameters.get("template")):
        for key, value in (engine.parameters.get("info") or {}).items():
            yield from ("--info", f"{key}={value}")
