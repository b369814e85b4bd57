"""The page beside a run: a process of its own, which can neither slow the run nor break it."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread

from arena.errors import ConfigError
from arena.processes.child import Child, ValuePipe, ready_ends
from arena.server.keys import Keys, Origins, Role
from arena.server.serving import check_packages, endpoint, listening, serve_until_stopped
from arena.storage.folder import make_folder

NOW = "/now"  # The path that leads to what is being played
PATIENCE_AT_END = 3.0


class PageProcess:
    def __init__(self, child: Child, address: str) -> None:
        self._child = child
        self.pid = child.pid
        self.address = address

    def linger(self) -> None:
        """Let the page be read until Ctrl-C, or until it ends by itself."""
        with suppress(KeyboardInterrupt):
            ready_ends([self._child.death], None)


@contextmanager
def page_process(results: Path, *configs: Path) -> Iterator[PageProcess]:
    """A page of these results while this lasts; ConfigError before it starts, but none after.

    The engines of the configs can be played against.
    """
    check_packages()
    make_folder(results)
    with ExitStack() as stack:
        sockets = [stack.enter_context(each) for each in listening()]
        here, files = endpoint(sockets), [each.fileno() for each in sockets]
        # Ctrl-C is for the games first, and a session of its own does not hear it.
        child = Child.executed(
            _serve_page, files, here.keys, here.origins, results, configs, keep=files
        )
    try:
        yield PageProcess(child, here.link(Role.PLAY, NOW))
    finally:
        child.end(PATIENCE_AT_END)


def _serve_page(
    pipe: ValuePipe,
    descriptors: list[int],
    keys: Keys,
    origins: Origins,
    results: Path,
    configs: tuple[Path, ...],
) -> None:
    """Serve at sockets that were inherited, until the pipe closes: the process's whole life."""
    Thread(target=_end_with_pipe, args=(pipe,), daemon=True).start()
    from arena.server.app import application
    from arena.server.play.games import LiveGames
    from arena.server.watch.run_list import RunFolders

    sockets = [socket.socket(fileno=each) for each in descriptors]
    try:
        games = LiveGames(results, list(configs))
    except ConfigError:  # the run says it
        games = LiveGames(results)
    serve_until_stopped(application(RunFolders(results), games, keys, origins), sockets)


def _end_with_pipe(pipe: ValuePipe) -> None:
    """End this process once its parent has closed the pipe, or has ended."""
    with suppress(EOFError):
        pipe.receive()
    os.kill(os.getpid(), signal.SIGTERM)
