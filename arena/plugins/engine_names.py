"""Names of engines: of the project's own, of a user's file or module, or of a command line."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.errors import expanded

PROGRAMS = "gomocup"
"""The engine that plays by programs, whose parameter `command` is the program's path."""


def is_path(name: str) -> bool:
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


OWN_COMMANDS = os.path.dirname(sys.executable)
"""The folder of this Python and its commands, on the PATH only if its environment is activated."""
INTERPRETERS = {
    ".py": "python3",
    ".jar": "java -jar",
    ".js": "node",
    ".rb": "ruby",
    ".pl": "perl",
    ".lua": "lua",
}
"""Commands that run files of these endings, which need not be executable."""


def found_command(word: str) -> str | None:
    """The path of a command: beside this Python, as `arena` itself is, or else on the PATH."""
    return None if "/" in word else shutil.which(word, path=OWN_COMMANDS) or shutil.which(word)


def split_command(text: str, folder: Path = Path()) -> list[str]:
    """The words of a command line, quoted as in a shell; one, if it is the path of a file.

    Paths start at the folder. A text whose quotation marks do not match is one word.
    """
    if not any(map(str.isspace, text)) or is_file(text, folder):
        return [text]
    try:
        return shlex.split(text) or [text]
    except ValueError:
        return [text]


def parse_command(command: str | Sequence[str]) -> list[str]:
    return split_command(command) if isinstance(command, str) else [*map(str, command)]


def is_command_line(text: str, folder: Path = Path()) -> bool:
    """True if a text has several words, and the first is a command, or a file in the folder."""
    words = split_command(text, folder)
    return len(words) > 1 and bool(found_command(words[0]) or is_file(words[0], folder))


def is_file(word: str, folder: Path = Path()) -> bool:
    return os.path.isfile(folder / os.path.expanduser(word))


def absolute_files(words: Iterable[str], folder: Path = Path()) -> list[str]:
    return [
        os.path.abspath(folder / os.path.expanduser(word)) if is_file(word, folder) else word
        for word in words
    ]


def interpreted(file: Path) -> str:
    interpreter = INTERPRETERS.get(file.suffix.lower(), "")
    near = os.path.relpath(file)
    path = str(file) if near.startswith(os.pardir) else near
    return f"{interpreter} {shlex.quote(path)}" if interpreter else ""
