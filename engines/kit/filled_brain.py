"""Words, INFO lines and a file for a program, with values in place of `{name}`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

from arena.engine import Conditions, Needs, ProgramError
from arena.game import Game
from arena.gomocup.filled_file import (
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
from arena.plugins.command_line import parse_command
from arena.refusals import expanded

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


def template_text(parameters: Mapping[str, Any]) -> str:
    """The template, not filled in. Raises OSError or UnicodeDecodeError if it cannot be read."""
    return template_file(parameters).read_bytes().decode()


def filled_template(parameters: Mapping[str, Any]) -> str:
    """The template, filled in."""
    return filled(template_text(parameters), parameters.get("values") or {})


def filled_path(parameters: Mapping[str, Any], files: ExitStack) -> str | None:
    """The path of the filled-in template, which is there until `files` close; None without one."""
    if not parameters.get(TEMPLATE):
        return None
    try:
        text = filled_template(parameters)
    except (OSError, UnicodeDecodeError) as error:
        raise ProgramError("crash", unreadable(error), str(parameters[TEMPLATE])) from None
    return files.enter_context(filled_file(text, template_file(parameters).suffix))


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
            text = template_text(parameters)
        except (OSError, UnicodeDecodeError) as error:
            yield (TEMPLATE,), f"{template_file(parameters)} {unreadable(error)}"
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


def unreadable(error: OSError | UnicodeDecodeError) -> str:
    """The reason why a template cannot be read."""
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8 text: {error}"
    return f"cannot be read: {error.strerror}"
