"""The files that a test needs, which must lie where they can travel: one rule for both ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from arena.cluster.shipping import shipment_of
from arena.config.settings import Config
from arena.config.yaml_file import Document
from arena.errors import ConfigError, Fault
from arena.files import read_whole
from arena.plugins.command_line import is_file, split_command
from arena.plugins.engine_names import PROGRAMS, is_foreign, is_path
from arena.refusals import expanded


def files_of(file: Path, config: Config) -> tuple[dict[Path, bytes], set[Path]]:
    """The files that a test needs, and which are executable; ConfigError if they cannot travel."""
    for player in config.players:
        name = player.engine.name
        if is_foreign(name) and not is_path(name):
            message = "an engine that is named as a module cannot be sent: name its file"
            raise ConfigError(Fault(player.place, message))
    files, programs = {}, set()
    for tree in shipment_of(config.players).trees:
        found = {Path(tree.root, name): content for name, content in tree.files.items()}
        files.update(found)
        programs |= {Path(tree.root, name) for name in tree.executables}
    own = _words_of_programs(config)
    texts = _words_in(Document(file).data)
    for word in chain.from_iterable(split_command(text, file.parent) for text in texts):
        if _place_in(word).is_absolute():
            if _place_in(word) not in own:
                _refuse_absolute(file, word, files)
            continue
        place = Path(os.path.normpath(file.parent.absolute() / word))
        if place not in files and is_file(word, file.parent):
            files[place] = read_whole(place)
            if os.access(place, os.X_OK):
                programs.add(place)
    return files, programs


def check_within(folder: Path, file: Path, config: Config) -> None:
    """Raise a ConfigError if a test that was sent needs files that were not sent with it."""
    files, _ = files_of(file, config)
    root = folder.resolve()
    if outside := [each for each in files if not each.resolve().is_relative_to(root)]:
        message = "names files that were not sent with it, such as"
        raise ConfigError(Fault(str(file), f"{message} {os.path.relpath(outside[0], root)}"))


def _words_of_programs(config: Config) -> set[Path]:
    """The words of the commands of programs that are at one place on all machines."""
    engines = [each.engine for each in config.players if each.engine.name == PROGRAMS]
    apart = [each.parameters["command"] for each in engines if not each.parameters["ship"]]
    return {_place_in(word) for word in _words_in(apart)}


def _place_in(word: str) -> Path:
    """A word as a path; it may begin with the home of a user, or with a ~ that means none."""
    try:
        return expanded(word)
    except ConfigError:
        return Path(word)


def _refuse_absolute(file: Path, word: str, files: dict[Path, bytes]) -> None:
    """Raise a ConfigError if a file that must travel is named by an absolute path."""
    place = _place_in(word)
    if is_file(word) or any(each.is_relative_to(place) for each in files):
        message = f"{word} would lie elsewhere on the server: write it as seen from this file"
        raise ConfigError(Fault(str(file), message))


def _words_in(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _words_in(key)
            yield from _words_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _words_in(each)
    elif isinstance(value, str) and 0 < len(value) < 400 and "\0" not in value:
        yield value
