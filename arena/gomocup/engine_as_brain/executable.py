"""A brain as one executable file, which is what other managers want."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from arena.errors import ConfigError
from arena.gomocup.engine_as_brain.rules import RuleSet
from arena.plugins.engine_names import is_path
from arena.plugins.load import Named, checked
from arena.refusals import expanded, refused

TRIAL_SIZE = 15
WRITTEN_MARK = "# A Gomocup brain, written by: arena brain --write\n"
SCRIPT = """\
{shebang}
{mark}\
import os
import sys

# The arena's own folder comes first; files beside this one are not for it to import.
here = os.path.dirname(os.path.realpath(__file__))
sys.path[:] = [{home!r}, *(path for path in sys.path if path != here){more}]
sys.argv[1:] = ["brain", {engine!r}]

from arena.cli import main

main()
"""
LONGEST_SHEBANG = 120
"""Characters of a first line that every system reads to its end."""


def write_brain(engine: Named, file: Path) -> None:
    """Write a file that plays this engine from wherever it is started.

    ConfigError if the engine cannot be built, or if there is something else in the file's place.
    """
    named = absolute(engine)
    _check_builds(named)
    if os.path.lexists(file) and not _is_written(file):
        raise ConfigError(f"{file} is there already, and is no brain of `arena brain`")
    text = _script(named)
    try:
        descriptor, draft = tempfile.mkstemp(dir=file.absolute().parent, prefix=f".{file.name}-")
    except OSError as error:
        raise refused(error, file) from None
    try:
        with open(descriptor, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(draft, 0o777 & ~umask())
        os.replace(draft, file)
    except OSError as error:
        with suppress(OSError):
            os.unlink(draft)
        raise refused(error, file) from None


def absolute(engine: Named) -> Named:
    """The engine, by the absolute path of its file if it has one."""
    if not is_path(engine.name):
        return engine
    return Named(str(expanded(engine.name).absolute()), engine.parameters)


def _check_builds(engine: Named) -> None:
    """Build an engine on trial; ConfigError if that fails, or if it is none for brains."""
    rules = RuleSet(checked("engine", str(engine)))
    try:
        rules.open(TRIAL_SIZE)
    finally:
        rules.clear()


def _is_written(file: Path) -> bool:
    """True if a file is one that was written here."""
    try:
        if not stat.S_ISREG(file.lstat().st_mode):
            return False
        with file.open("rb") as text:
            return WRITTEN_MARK.encode() in text.read(1000)
    except OSError:
        return False


def _script(engine: Named) -> str:
    """The text of the file."""
    home = str(Path(__file__).parents[3])
    is_dotted = "." in engine.name and not is_path(engine.name)
    more = f", {os.getcwd()!r}" if is_dotted else ""
    return SCRIPT.format(
        shebang=shebang(sys.executable), mark=WRITTEN_MARK, home=home, more=more, engine=str(engine)
    )


def shebang(python: str) -> str:
    """The first line of a program for this Python; for a path that none can hold, three lines.

    A shell takes those for a command, and Python for a text.
    """
    if " " not in python and len(python) < LONGEST_SHEBANG:
        return f"#!{python}"
    return f"#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''"


def umask() -> int:
    """The mask of this process's new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
