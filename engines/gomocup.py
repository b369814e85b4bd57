"""A program of any language, which talks the Gomocup protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from arena.engine import CommandLine, Engine, FilePath, NamedValues, ProgramError, Range
from arena.errors import ConfigError, expanded
from arena.game import Game
from arena.games.gomoku import Gomoku
from arena.gomocup.command import command_files, is_of_system, is_windows, runnable, working_folder
from arena.gomocup.protocol import RULES as CODES, Settings
from arena.plugins.engine_names import absolute_files

from .kit.filled_brain import (
    TEMPLATE,
    FilledBrain,
    Keys,
    command_words,
    filled_path,
    filled_template,
    infos_of,
    mistakes_of,
    template_file,
)

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
