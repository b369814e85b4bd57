"""A user's engine is first built in a process of its own, which it may hang or take down."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.connection import Connection

from arena.faults import ConfigError
from arena.quarantine import fork_context, leave_terminal


def rehearse(build: Callable[[], object], patience: float) -> str | None:
    """What goes wrong when this is called, within so many seconds; None if nothing does."""
    ours, theirs = fork_context().Pipe()
    process = fork_context().Process(target=perform, args=(build, theirs))
    process.start()
    theirs.close()
    try:
        if not ours.poll(patience):
            return f"engine did not come back from being built within {patience:g} s"
        fault: str | None = ours.recv()
        return fault
    except EOFError:
        process.join()
        return f"engine took its process down as it was built: exit code {process.exitcode}"
    finally:
        process.kill()
        process.join()
        ours.close()


def perform(build: Callable[[], object], pipe: Connection) -> None:
    """In the process: call, and tell how it went."""
    leave_terminal()
    try:
        build()
        pipe.send(None)
    except ConfigError as error:
        pipe.send(str(error))
