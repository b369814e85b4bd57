"""A user's engine is first built in a process of its own, which it may hang or take down."""

from __future__ import annotations

import os
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from arena.errors import ConfigError
from arena.workers.sandbox import capture_output, enter, fork_context, kill_group

LAST_WORDS = 1.0
"""Seconds for an engine to be closed."""

Build = Callable[[], Callable[[], object]]
"""Builds an engine, and returns what lets it go."""


def rehearse(build: Build, patience: float, megabytes: int) -> str | None:
    """What goes wrong when this is called, within so many seconds; None if nothing does."""
    ours, theirs = fork_context().Pipe()
    process = fork_context().Process(target=perform, args=(build, theirs, os.getpid(), megabytes))
    process.start()
    theirs.close()
    try:
        if not ours.poll(patience):
            return f"engine did not come back from being built within {patience:g} s"
        fault: str | None = ours.recv()
        process.join(LAST_WORDS)
        return fault
    except EOFError:
        process.join()
        return f"engine took its process down as it was built: exit code {process.exitcode}"
    finally:
        process.kill()
        process.join()
        kill_group(process.pid or 0)
        ours.close()


def perform(build: Build, pipe: Connection, parent: int, megabytes: int) -> None:
    """In the process: build, tell how it went, and let go."""
    enter(parent, megabytes)
    # What it prints belongs to no game: it will print it again in its worker.
    capture_output(Path(os.devnull))
    try:
        close = build()
        pipe.send(None)
        close()
    except ConfigError as error:
        pipe.send(str(error))
