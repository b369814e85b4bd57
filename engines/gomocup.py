"""A program of any language, which talks the Gomocup protocol."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from arena.engine import (
    CommandLine,
    Conditions,
    Engine,
    FilePath,
    NamedValues,
    Needs,
    ProgramError,
    Range,
)
from arena.errors import ConfigError, expanded, refused
from arena.files import read_whole
from arena.game import Game
from arena.games.gomoku import Gomoku
from arena.gomocup.command import (
    VALUE_NAME,
    command_files,
    filled,
    filled_file,
    is_of_system,
    is_windows,
    line_and_column_at,
    mistakes_in,
    runnable,
    values_wanted,
    working_folder,
)
from arena.gomocup.process import needs_of
from arena.gomocup.protocol import RULES as CODES, Settings, info_mistakes
from arena.gomocup.talk.player import Brain
from arena.plugins.engine_names import absolute_files, parse_command
from arena.text import decoded

DOCUMENT = "none of the source documents: it is what nearly all other Gomoku engines speak"
GAMES = ("gomoku", "renju")
RULES = tuple(CODES)
FREE = ("ship",)
Stones = Literal["points", "stones"]


def engine(
    game: Game,
    *,
    command: Annotated[
        str | list[str], CommandLine(), "program, with its arguments: a text, or a list"
    ] = "",
    folder: Annotated[str, FilePath(), "working directory; by default, the program's own"] = "",
    info: Annotated[dict[str, str | int | float] | None, "further INFO lines: key: value"] = None,
    board: Annotated[bool, "sends the whole board each move"] = False,
    fresh: Annotated[bool, "starts a new process for each game"] = False,
    knock: Annotated[bool, "asks ABOUT before a command until it answers"] = False,
    newline: Annotated[
        Literal["auto", "lf", "crlf"], "end of a line; auto: crlf for Windows programs, else lf"
    ] = "auto",
    startup: Annotated[float, Range(0.1, 3600), "seconds to answer START"] = 30.0,
    exit: Annotated[float, Range(0, 60), "seconds to end after END, before it is killed"] = 1.0,
    message: Annotated[
        str, "regular expression for MESSAGE, with groups depth, nodes, score, line"
    ] = "",
    swap2: Annotated[Stones, "in SWAP2BOARD; stones: with whose each is"] = "points",
    values: Annotated[
        dict[str, int | float | str] | None,
        NamedValues(),
        "what stands in place of {name} in command, info and template",
    ] = None,
    template: Annotated[
        str | None, FilePath(), "a file with such places; {template} is the path of its copy"
    ] = None,
    ship: Annotated[
        bool | None, "takes the program's folder along to the machines of a cluster"
    ] = None,
) -> Engine:
    """Start the program once for each worker, and send RESTART between games.

    Braces have a meaning only where values or a template are given; {{ and }} then are braces.
    """
    parameters = {"command": command, "info": info, "values": values, TEMPLATE: template}
    for keys, fault in misfits(parameters, game):
        raise ProgramError("crash", fault, f"{'.'.join(map(str, keys))}:")
    if not command or not command[0]:
        raise ProgramError("crash", "is missing: the path of the program", "command")
    pattern = _message_pattern(message)
    with ExitStack() as files:
        copy = _filled_path(parameters, files)
        words = runnable(_command_words(parameters, copy))
        is_crlf = is_windows(words) if newline == "auto" else newline == "crlf"
        settings = Settings(
            words, working_folder(_command_words(parameters), folder),
            _infos_of(parameters, copy), board, fresh, knock, startup, exit,
            b"\r\n" if is_crlf else b"\n", swap2 == "stones", pattern,
        )  # fmt: skip
        return _FilledBrain(game, CODES[cast(Gomoku, game).rule], settings, files.pop_all())


def _message_pattern(message: str) -> re.Pattern[str] | None:
    try:
        return re.compile(message) if message else None
    except re.error as error:
        fault = f"{message!r} is no regular expression: {error}"
        raise ProgramError("crash", fault, "message") from None


def program_files(parameters: Mapping[str, Any]) -> list[Path]:
    """The files of a command: those given by path, or else the program that its name finds."""
    files = command_files(_command_words(parameters, f"{{{TEMPLATE}}}"))
    template = [_template_file(parameters)] if parameters.get(TEMPLATE) else []
    return [*files, *(file for file in template if file.is_file())]


def filled_files(parameters: Mapping[str, Any]) -> dict[str, bytes]:
    """The filled-in template by its name, if there is one that can be read."""
    if not parameters.get(TEMPLATE):
        return {}
    try:
        return {_template_file(parameters).name: _filled_template(parameters)}
    except ConfigError:
        return {}


def shipped_places(parameters: Mapping[str, Any]) -> list[Path]:
    """The template; if the program is shipped too, also its folder and its command's files."""
    template = [_template_file(parameters)] if parameters.get(TEMPLATE) else []
    if not parameters.get("ship") or not (files := _own_files(parameters)):
        return template
    given = parameters.get("folder")
    folder = expanded(given).absolute() if given else files[-1].parent
    return [folder, *(file for file in [*files, *template] if not file.is_relative_to(folder))]


def misfits(parameters: Mapping[str, Any], game: Game | None) -> Iterator[tuple[Keys, str]]:
    """The faults of values, and of the texts in which they stand: path of keys, and message."""
    yield from _mistakes_of(parameters)
    if parameters.get("ship") and not _own_files(parameters):
        yield ("ship",), "the command names no file of a program that could be shipped"


def _own_files(parameters: Mapping[str, Any]) -> list[Path]:
    """The files that a command names by their paths, but for those of the system, or of Python."""
    words = _command_words(parameters, f"{{{TEMPLATE}}}")
    files = [Path(word) for word in absolute_files(words)]
    return [file for file in files if file.is_file() and not is_of_system(file)]


TEMPLATE = "template"  # name under which the path of the filled-in file stands among the values
MOST_MISTAKES = 5
"""Mistakes of a template that are reported at most: a file may use braces for its own purposes."""

Keys = tuple[str | int, ...]


class _FilledBrain(Brain):
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
        with self._files:
            super().close()


def _is_filled(parameters: Mapping[str, Any]) -> bool:
    """True if braces mean anything: files from before there were values go on as they were."""
    return parameters.get("values") is not None or bool(parameters.get(TEMPLATE))


def values_of(parameters: Mapping[str, Any], template: str | None = None) -> dict[str, object]:
    """The values by their names, with a template's path: by default, that of the file itself."""
    path = template or (str(_template_file(parameters)) if parameters.get(TEMPLATE) else None)
    return {**(parameters.get("values") or {}), **({TEMPLATE: path} if path else {})}


def _template_file(parameters: Mapping[str, Any]) -> Path:
    return expanded(str(parameters[TEMPLATE])).absolute()


def _command_words(parameters: Mapping[str, Any], template: str | None = None) -> list[str]:
    words = parse_command(parameters.get("command") or "")
    if not _is_filled(parameters):
        return words
    return [filled(word, values_of(parameters, template)) for word in words]


def _infos_of(parameters: Mapping[str, Any], template: str | None = None) -> dict[str, Any]:
    infos = dict(parameters.get("info") or {})
    if not _is_filled(parameters):
        return infos
    values = values_of(parameters, template)
    texts = {key: value for key, value in infos.items() if isinstance(value, str)}
    return {**infos, **{key: filled(text, values) for key, text in texts.items()}}


def _template_text(parameters: Mapping[str, Any]) -> tuple[str, str]:
    """The template, not filled in, and its encoding; ConfigError if it cannot be read."""
    file = _template_file(parameters)
    try:
        return decoded(read_whole(file))
    except (OSError, UnicodeDecodeError) as error:
        raise refused(error, file) from None


def _filled_template(parameters: Mapping[str, Any]) -> bytes:
    """ConfigError if the template cannot be read, or its encoding cannot write a value."""
    text, encoding = _template_text(parameters)
    try:
        return filled(text, parameters.get("values") or {}).encode(encoding)
    except UnicodeEncodeError as error:
        raise refused(error, _template_file(parameters)) from None


def _filled_path(parameters: Mapping[str, Any], files: ExitStack) -> str | None:
    """The path of the filled-in template, which is there until `files` close; None without one."""
    if not parameters.get(TEMPLATE):
        return None
    try:
        content = _filled_template(parameters)
    except ConfigError as error:
        words = "; ".join(fault.message for fault in error.faults)
        raise ProgramError("crash", words, str(parameters[TEMPLATE])) from None
    return files.enter_context(filled_file(content, _template_file(parameters).suffix))


def _mistakes_of(parameters: Mapping[str, Any]) -> Iterator[tuple[Keys, str]]:
    """The faults of INFO lines, values and the texts that use them: path of keys, and message."""
    yield from ((("info", key), message) for key, message in info_mistakes(_infos_of(parameters)))
    if not _is_filled(parameters):
        return
    values = parameters.get("values") or {}
    used = set[str]()
    for keys, text in _texts_of(parameters):
        used |= values_wanted(text)
        yield from ((keys, message) for _, message in mistakes_in(text, values_of(parameters)))
    if parameters.get(TEMPLATE):
        if TEMPLATE not in used:
            message = f"{{{TEMPLATE}}}, the path of its copy, stands nowhere in command or info"
            yield (TEMPLATE,), message
        try:
            text, _ = _template_text(parameters)
        except ConfigError as error:
            yield (TEMPLATE,), str(error)
            return
        used |= values_wanted(text)
        for offset, message in islice(mistakes_in(text, values), MOST_MISTAKES):
            position = f"{_template_file(parameters)}:{line_and_column_at(text, offset)}"
            yield (TEMPLATE,), f"{position}: {message}"
    for name in values:
        if not VALUE_NAME.fullmatch(name):
            yield ("values", name), f"{name!r} must be a name of letters, digits and _"
        elif name not in used:
            yield ("values", name), f"{{{name}}} stands nowhere in command, info or template"


def _texts_of(parameters: Mapping[str, Any]) -> Iterator[tuple[Keys, str]]:
    """The texts beside the template that may use values, each with its keys."""
    command = parameters.get("command") or ""
    if isinstance(command, str):
        yield ("command",), command
    else:
        yield from ((("command", i), word) for i, word in enumerate(command))
    for key, value in (parameters.get("info") or {}).items():
        if isinstance(value, str):
            yield ("info", key), value
