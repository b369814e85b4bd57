"""An engine as a brain on pipes, and as the one executable file that other managers want."""

from __future__ import annotations

import gc
import os
import re
import select
import signal
import sys
import time
from contextlib import suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from arena.errors import DISTRIBUTION, expanded
from arena.files import written
from arena.gomocup.engine_as_brain.conversation import Conversation, RuleSet
from arena.gomocup.process import CHUNK
from arena.gomocup.transcript import split
from arena.plugins.engine_names import is_path
from arena.plugins.load import Named, checked, parse_named

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
LONGEST_SHEBANG = 120  # characters of a first line that every system reads to its end


def write_brain(engine: Named, file: Path) -> None:
    """Write a file that plays this engine; ConfigError if that cannot be built, or be written."""
    named = _absolute(engine)
    _check_builds(named)
    with written(file, "brain", mode=0o777) as out:
        out.write(_script(named).encode())


def _absolute(engine: Named) -> Named:
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
    """The first line of a program for this Python; for a path that none can hold, three lines."""
    if " " not in python and len(python) < LONGEST_SHEBANG:
        return f"#!{python}"
    # A shell takes these for a command, and Python for a text.
    return f"#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''"


END_GRACE, START_GRACE = 0.4, 0.9  # seconds after END for what was asked before; if START still was
LONGEST_THOUGHT = 600.0  # seconds for each answer after input ends, unless its limits are longer
DAY = 86_400.0

Heard = SimpleQueue[tuple[str, float] | None]  # lines with the time of coming; None at the end


def converse(engine: str) -> None:
    """Let an engine talk until END or the end of input: the process's whole life, which ends here.

    ConfigError if there is no such engine, or if it is none for brains.
    """
    source, sink = _own_pipes()
    gc.disable()  # there is nothing to collect while libraries are imported and engines built
    rules = RuleSet(checked("engine", engine))
    conversation = Conversation(rules, partial(about_line, label_of(engine)))
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    heard: Heard = SimpleQueue()
    Thread(target=_listen, args=(source, heard, conversation, sink), daemon=True).start()
    with suppress(BrokenPipeError):
        _answer_all(conversation, heard, sink)
    Thread(target=_end_after, args=(END_GRACE,), daemon=True).start()
    conversation.close()
    os._exit(0)


def _own_pipes() -> tuple[int, int]:
    source, sink = os.dup(0), os.dup(1)
    for each in (source, sink):
        os.set_blocking(each, True)  # whoever started this may have left them otherwise
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # standard error is closed
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
    sys.stdout = sys.stderr
    return source, sink


def _answer_all(conversation: Conversation, heard: Heard, sink: int) -> None:
    is_settled = False
    while (item := heard.get()) is not None:
        lines = [f"{answer}\n" for answer in conversation.answers(*item)]
        # They leave together: a manager that waits for the first one would take the core, and keep
        # the move, which is the last, waiting.
        write(sink, "".join(lines).encode("ascii", "backslashreplace"))
        if conversation.is_ready and not is_settled:
            # Kernels and libraries are there to stay: to look through them takes 50 ms of a move.
            gc.freeze()
            gc.enable()
            is_settled = True


def write(sink: int, data: bytes) -> None:
    while data:
        data = data[os.write(sink, data) :]


def read(source: int) -> bytes:
    """The bytes that have come; none at the end of input, and where nothing can be read."""
    try:
        return os.read(source, CHUNK)
    except OSError:
        return b""


def _listen(source: int, heard: Heard, conversation: Conversation, sink: int) -> None:
    """Hand on all lines; after END, end the process, even during a search.

    At the end of input, what was asked is answered first. Kernels let go of the interpreter's lock,
    so that this thread also runs during a search.
    """
    rest = b""
    while data := read(source):
        arrived = time.monotonic()
        *lines, rest = split(rest, data)
        for line in lines:
            text = line.decode("utf-8", "backslashreplace")
            if text.strip().upper() == "END":
                heard.put(None)
                return _end_after(END_GRACE if conversation.is_ready else START_GRACE)
            heard.put((text, arrived))
    if rest.strip().upper() != b"END":
        heard.put((rest.decode("utf-8", "backslashreplace"), time.monotonic()))
    return end_once_answered(heard, conversation, sink)


def end_once_answered(heard: Heard, conversation: Conversation, sink: int) -> None:
    """End the process once all is answered, or as soon as the answers' reader is gone."""
    heard.put(None)
    keys = conversation.keys
    each = max(LONGEST_THOUGHT, keys.turn or 0.0, keys.match or 0.0)
    reader = select.poll()
    reader.register(sink, 0)  # only its end is told
    reader.poll(1000 * min(heard.qsize() * each, DAY))
    os._exit(0)


def _end_after(seconds: float) -> None:
    time.sleep(seconds)
    os._exit(0)


def about_line(label: str) -> str:
    """The answer to ABOUT: the engine and its parameters, and the version of the arena."""
    try:
        number = version(DISTRIBUTION)
    except PackageNotFoundError:
        number = "0"
    return f'name="{label}", version="{number}", author="{DISTRIBUTION}", country="none"'


def label_of(text: str) -> str:
    """An engine as managers show it: without the folders of its file; a quote or a character beyond
    ASCII, which would break a line of ABOUT, is an apostrophe."""
    named = parse_named(text)
    short = Named(Path(named.name).stem if is_path(named.name) else named.name, named.parameters)
    return re.sub(r"[^ -~]|\"", "'", str(short))
