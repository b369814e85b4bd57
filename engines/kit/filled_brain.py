"""Words, INFO lines and a file for a program, with values in place of `{name}`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

from arena.engine import Conditions, Needs, ProgramError
from arena.errors import ConfigError, expanded, refused
from arena.files import read_whole
from arena.game import Game
from arena.gomocup.command import (
    VALUE_NAME,
    filled,
    filled_file,
    line_and_column_at,
    mistakes_in,
    values_wanted,
)
from arena.gomocup.process import needs_of
from arena.gomocup.protocol import Settings, info_mistakes
from arena.gomocup.talk.player import Brain
from arena.plugins.engine_names import parse_command
from arena.text import decoded

TEMPLATE = "template"
"""Name under which the path of the filled-in file stands among the values."""
MOST_MISTAKES = 5
"""Mistakes of a template that are reported at most: a file may use braces for its own purposes."""

Keys = tuple[str | int, ...]


class FilledBrain(Brain):
    """A player whose program reads a temporary file, removed when the player is closed."""

    def __init__(self, game: Game, rule: int, settings: Settings, files: ExitStack) -> None:
        super().__init__(game, rule, settings)
        self._files = files
        self._start_seconds = 0.0

    def start(self, conditions: Conditions) -> None:
        """Start the program; if that fails, clean up at once, since `close` will not be called."""
        began = time.monotonic()
        with ExitStack() as undo:
            undo.push(self._files)
            super().start(conditions)
            undo.pop_all()
        self._start_seconds = time.monotonic() - began

    def needs(self) -> Needs:
        """The seconds that the start took, and the memory that the program holds now."""
        return needs_of(self._process, self._start_seconds, self.settings.startup)

    def close(self) -> None:
        """End the program, and remove its file."""
        with self._files:
            super().close()


def is_filled(parameters: Mapping[str, Any]) -> bool:
    """True if braces mean anything: files from before there were values go on as they were."""
    return parameters.get("values") is not None or bool(parameters.get(TEMPLATE))


def values_of(parameters: Mapping[str, Any], template: str | None = None) -> dict[str, object]:
    """The values by their names, with a template's path: by default, that of the file itself."""
    path = template or (str(template_file(parameters)) if parameters.get(TEMPLATE) else None)
    return {**(parameters.get("values") or {}), **({TEMPLATE: path} if path else {})}


def template_file(parameters: Mapping[str, Any]) -> Path:
    """The template's absolute path."""
    return expanded(str(parameters[TEMPLATE])).absolute()


def command_words(parameters: Mapping[str, Any], template: str | None = None) -> list[str]:
    """The words of the command, filled in."""
    words = parse_command(parameters.get("command") or "")
    if not is_filled(parameters):
        return words
    return [filled(word, values_of(parameters, template)) for word in words]


def infos_of(parameters: Mapping[str, Any], template: str | None = None) -> dict[str, Any]:
    """The further INFO lines, filled in."""
    infos = dict(parameters.get("info") or {})
    if not is_filled(parameters):
        return infos
    values = values_of(parameters, template)
    return {
        key: filled(value, values) if isinstance(value, str) else value
        for key, value in infos.items()
    }


def template_text(parameters: Mapping[str, Any]) -> tuple[str, str]:
    """The template, not filled in, and its encoding. ConfigError if it cannot be read."""
    file = template_file(parameters)
    try:
        return decoded(read_whole(file))
    except (OSError, UnicodeDecodeError) as error:
        raise refused(error, file) from None


def filled_template(parameters: Mapping[str, Any]) -> bytes:
    """The template, filled in, in its own encoding. ConfigError if it cannot be read, or a value
    cannot be written in it."""
    text, encoding = template_text(parameters)
    try:
        return filled(text, parameters.get("values") or {}).encode(encoding)
    except UnicodeEncodeError as error:
        raise refused(error, template_file(parameters)) from None


def filled_path(parameters: Mapping[str, Any], files: ExitStack) -> str | None:
    """The path of the filled-in template, which is there until `files` close; None without one."""
    if not parameters.get(TEMPLATE):
        return None
    try:
        content = filled_template(parameters)
    except ConfigError as error:
        words = "; ".join(fault.message for fault in error.faults)
        raise ProgramError("crash", words, str(parameters[TEMPLATE])) from None
    return files.enter_context(filled_file(content, template_file(parameters).suffix))


def mistakes_of(parameters: Mapping[str, Any]) -> Iterator[tuple[Keys, str]]:
    """The faults of INFO lines, and of values and the texts that use them: the place of each, and
    a message."""
    yield from ((("info", key), message) for key, message in info_mistakes(infos_of(parameters)))
    if not is_filled(parameters):
        return
    values = parameters.get("values") or {}
    used = set[str]()
    for keys, text in texts_of(parameters):
        used |= values_wanted(text)
        yield from ((keys, message) for _, message in mistakes_in(text, values_of(parameters)))
    if parameters.get(TEMPLATE):
        if TEMPLATE not in used:
            yield (
                (TEMPLATE,),
                f"{{{TEMPLATE}}}, the path of its copy, stands nowhere in command or info",
            )
        try:
            text, _ = template_text(parameters)
        except ConfigError as error:
            yield (TEMPLATE,), str(error)
            return
        used |= values_wanted(text)
        for offset, message in islice(mistakes_in(text, values), MOST_MISTAKES):
            place = f"{template_file(parameters)}:{line_and_column_at(text, offset)}"
            yield (TEMPLATE,), f"{place}: {message}"
    for name in values:
        if not VALUE_NAME.fullmatch(name):
            yield ("values", name), f"{name!r} must be a name of letters, digits and _"
        elif name not in used:
            yield ("values", name), f"{{{name}}} stands nowhere in command, info or template"


def texts_of(parameters: Mapping[str, Any]) -> Iterator[tuple[Keys, str]]:
    """The texts beside the template that may use values, each with its keys."""
    command = parameters.get("command") or ""
    if isinstance(command, str):
        yield ("command",), command
    else:
        yield from ((("command", i), word) for i, word in enumerate(command))
    for key, value in (parameters.get("info") or {}).items():
        if isinstance(value, str):
            yield ("info", key), value
