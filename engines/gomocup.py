"""A program of any language, which talks the Gomocup protocol."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, cast

from arena.engine import Engine, FilePath, ProgramError, Range
from arena.game import Game
from arena.games.gomoku import Gomoku
from arena.gomocup.protocol import RULES as CODES, Settings
from engines.kit.brain.player import Brain

DOCUMENT = "none of the source documents: it is what nearly all other Gomoku engines speak"
GAMES = ("gomoku", "renju")
RULES = tuple(CODES)


def engine(
    game: Game,
    *,
    command: Annotated[
        str | list[str], FilePath(), "path of the program; or a list, with its arguments"
    ] = "",
    folder: Annotated[str, FilePath(), "working directory; by default, the program's own"] = "",
    info: Annotated[dict[str, str | int | float] | None, "further INFO lines: key: value"] = None,
    board: Annotated[bool, "sends the whole board each move"] = False,
    fresh: Annotated[bool, "starts a new process for each game"] = False,
    knock: Annotated[bool, "asks ABOUT before a command until it answers"] = False,
    startup: Annotated[float, Range(0.1, 3600), "seconds to answer START"] = 30.0,
    exit: Annotated[float, Range(0, 60), "seconds to end after END, before it is killed"] = 1.0,
    message: Annotated[
        str, "regular expression for MESSAGE, with groups depth, nodes, score, line"
    ] = "",
) -> Engine:
    """Start the program once for each worker, and tell it RESTART between games."""
    words = [command] if isinstance(command, str) else command
    program, *arguments = words or [""]
    if not program:
        raise ProgramError("crash", "is missing: the path of the program", "command")
    found = found_program(program)
    try:
        pattern = re.compile(message) if message else None
    except re.error as error:
        fault = f"{message!r} is no regular expression: {error}"
        raise ProgramError("crash", fault, "message") from None
    settings = Settings(
        (found, *arguments), working_folder(words, found, folder), info or {},
        board, fresh, knock, startup, exit, pattern,
    )  # fmt: skip
    return Brain(game, rule_number(game), settings)


def rule_number(game: Game) -> int:
    """The number by which brains know the rule of a game."""
    return CODES[cast(Gomoku, game).rule]


def found_program(program: str) -> str:
    """The absolute path of a program, or of one on the PATH; ProgramError if there is none."""
    path = Path(program).expanduser()
    if not path.exists() and "/" not in program and (found := shutil.which(program)):
        return found
    if not path.is_file():
        raise ProgramError("crash", "is no file", str(path.absolute()))
    if not shutil.which(str(path.absolute())):
        raise ProgramError("crash", "is not executable", str(path.absolute()))
    return str(path.absolute())


def working_folder(words: list[str], program: str, folder: str) -> str:
    """The working directory: that of the last file of the command, if none is given."""
    files = [Path(word) for word in words if Path(word).is_absolute() and Path(word).is_file()]
    wanted = Path(folder).expanduser() if folder else (files or [Path(program)])[-1].parent
    if not wanted.is_dir():
        raise ProgramError("crash", "is no folder", str(wanted.absolute()))
    return str(wanted.absolute())


def program_files(parameters: Mapping[str, Any]) -> list[Path]:
    """The files of a command: those given by path, or else the program on the PATH."""
    command = parameters.get("command", "")
    words = [command] if isinstance(command, str) else [*map(str, command or [])]
    files = [path for word in words if word and (path := Path(word).absolute()).is_file()]
    found = shutil.which(words[0]) if words and not files else None
    return files if found is None else [Path(found)]
