"""Paths in a file's parameters, which start at the file's folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.plugins.engine_names import split_command
from arena.plugins.parameters import Factory, parameters
from arena.refusals import expanded


def located(factory: Factory, values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The values, with all that are paths from this folder made absolute, and command lines split.

    A bare word, and a word of a list, are paths if there is such a file or folder; a bare word of a
    list if there is such a file, for it may be a program that is looked for elsewhere.
    """
    known = {parameter.name: parameter for parameter in parameters(factory) if parameter.is_path}
    found = dict(values)
    for name, value in values.items():
        if name in known:
            if known[name].is_command and isinstance(value, str):
                words = split_command(value, folder)
                value = words if len(words) > 1 else value
            found[name] = _located_value(value, folder)
    return found


def from_folder(factory: Factory, values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The values, with those that are paths taken from this folder; files need not exist."""
    paths = {parameter.name for parameter in parameters(factory) if parameter.is_path}
    return {
        name: str(folder / expanded(value)) if name in paths and value else value
        for name, value in values.items()
    }


def _located_value(value: object, folder: Path) -> object:
    if not isinstance(value, list):
        return _located_word(value, folder, is_path=True)
    return [
        _located_word(word, folder, is_path=i == 0)
        if os.sep in str(word) or (folder / str(word)).is_file()
        else word
        for i, word in enumerate(value)
    ]


def _located_word(word: object, folder: Path, is_path: bool) -> object:
    """A word, absolute if it is a path, or if it has a separator and `is_path`."""
    if not isinstance(word, str) or not word or word.startswith("-"):
        return word
    place = (folder / expanded(word)).absolute()
    is_there = place.exists()
    return os.path.normpath(place) if is_there or (is_path and os.sep in word) else word
