"""A program of any language, which talks the Gomocup protocol."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
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
    given = {"command": command, "info": info, "values": values, TEMPLATE: template}
    for keys, fault in misfits(given, game):
        raise ProgramError("crash", fault, f"{'.'.join(map(str, keys))}:")
    if not command or not command[0]:
        raise ProgramError("crash", "is missing: the path of the program", "command")
    pattern = message_pattern(message)
    with ExitStack() as files:
        copy = filled_path(given, files)
        words = runnable(command_words(given, copy))
        settings = Settings(
            words, working_folder(command_words(given), folder),
            infos_of(given, copy), board, fresh, knock, startup, exit,
            end_of_lines(newline, words), swap2 == "stones", pattern,
        )  # fmt: skip
        return FilledBrain(game, rule_number(game), settings, files.pop_all())


def message_pattern(message: str) -> re.Pattern[str] | None:
    """The user's own shape of messages; None if none is given."""
    try:
        return re.compile(message) if message else None
    except re.error as error:
        fault = f"{message!r} is no regular expression: {error}"
        raise ProgramError("crash", fault, "message") from None


def rule_number(game: Game) -> int:
    """The number of the game's rule in the protocol."""
    return CODES[cast(Gomoku, game).rule]


def end_of_lines(newline: str, words: Sequence[str]) -> bytes:
    """The end of each line sent to a brain."""
    is_crlf = is_windows(words) if newline == "auto" else newline == "crlf"
    return b"\r\n" if is_crlf else b"\n"


def program_files(parameters: Mapping[str, Any]) -> list[Path]:
    """The files of a command: those given by path, or else the program that its name finds."""
    files = command_files(command_words(parameters, f"{{{TEMPLATE}}}"))
    template = [template_file(parameters)] if parameters.get(TEMPLATE) else []
    return [*files, *(file for file in template if file.is_file())]


def filled_files(parameters: Mapping[str, Any]) -> dict[str, bytes]:
    """The filled-in template by its name, if there is one that can be read."""
    if not parameters.get(TEMPLATE):
        return {}
    try:
        return {template_file(parameters).name: filled_template(parameters)}
    except ConfigError:
        return {}


def shipped_places(parameters: Mapping[str, Any]) -> list[Path]:
    """The template; if the program is shipped too, also its folder and its command's files."""
    template = [template_file(parameters)] if parameters.get(TEMPLATE) else []
    if not parameters.get("ship") or not (files := own_files(parameters)):
        return template
    given = parameters.get("folder")
    folder = expanded(given).absolute() if given else files[-1].parent
    return [folder, *(file for file in [*files, *template] if not file.is_relative_to(folder))]


def misfits(parameters: Mapping[str, Any], game: Game | None) -> Iterator[tuple[Keys, str]]:
    """The faults of values, and of the texts in which they stand: path of keys, and message."""
    yield from mistakes_of(parameters)
    if parameters.get("ship") and not own_files(parameters):
        yield ("ship",), "the command names no file of a program that could be shipped"


def own_files(parameters: Mapping[str, Any]) -> list[Path]:
    """The files that a command names by their paths, but for those of the system, or of Python."""
    words = command_words(parameters, f"{{{TEMPLATE}}}")
    files = [Path(word) for word in absolute_files(words)]
    return [file for file in files if file.is_file() and not is_of_system(file)]


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
