"""A brain as one executable file, which is what other managers want."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arena.files import written
from arena.gomocup.engine_as_brain.rules import RuleSet
from arena.plugins.engine_names import is_path
from arena.plugins.load import Named, checked
from arena.refusals import expanded

TRIAL_SIZE = 15
SCRIPT = """\
{shebang}
# A Gomocup brain, written by: arena brain --write
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

    ConfigError if the engine cannot be built, or the file not written: see `files.written`.
    """
    named = absolute(engine)
    _check_builds(named)
    with written(file, "brain", mode=0o777) as out:
        out.write(_script(named).encode())


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


def _script(engine: Named) -> str:
    home = str(Path(__file__).parents[3])
    is_dotted = "." in engine.name and not is_path(engine.name)
    more = f", {os.getcwd()!r}" if is_dotted else ""
    return SCRIPT.format(shebang=shebang(sys.executable), home=home, more=more, engine=str(engine))


def shebang(python: str) -> str:
    """The first line of a program for this Python; for a path that none can hold, three lines.

    A shell takes those for a command, and Python for a text.
    """
    if " " not in python and len(python) < LONGEST_SHEBANG:
        return f"#!{python}"
    return f"#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''"
