"""The page beside a run: a process of its own, which can neither slow the run nor break it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Thread

from arena.errors import ConfigError
from arena.server.keys import keys_for
from arena.server.serving import check_packages, listening, page_address
from arena.storage.folder import make_folder

NOW = "/now"
"""The path that leads to what is being played."""
PATIENCE_AT_END = 3.0


class PageProcess:
    """Holds the process of the page."""

    def __init__(self, process: subprocess.Popen[bytes], address: str) -> None:
        self._process = process
        self.address = address

    def linger(self) -> None:
        """Let the page be read until Ctrl-C, or until it ends by itself."""
        with suppress(KeyboardInterrupt):
            self._process.wait()


@contextmanager
def page_process(results: Path, *configs: Path) -> Iterator[PageProcess]:
    """A page of these results while this lasts; ConfigError before it starts, but none after.

    The engines of the configs can be played against.
    """
    check_packages()
    make_folder(results)
    with closing(listening("127.0.0.1", None)) as sock:
        address = page_address(sock, keys_for(sock.getsockname()[1]), NOW)
        words = ["-m", "arena.server.page_process", str(sock.fileno()), str(results)]
        words += map(str, configs)
        # Ctrl-C is for the games first, and a session of its own does not hear it.
        process = subprocess.Popen(
            [sys.executable, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            pass_fds=[sock.fileno()],
            start_new_session=True,
        )
    try:
        yield PageProcess(process, address)
    finally:
        end_page(process)


def end_page(process: subprocess.Popen[bytes]) -> None:
    """End the page."""
    process.terminate()
    try:
        process.wait(PATIENCE_AT_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdin:
        with suppress(OSError):
            process.stdin.close()


def end_with_parent() -> None:
    """End this process once its parent has ended, however that came about."""
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def serve_page(descriptor: str, results: str, *configs: str) -> None:
    """Serve at a socket that was inherited, until the parent ends."""
    from arena.server.app import application
    from arena.server.play.games import LiveGames
    from arena.server.serving import serve_until_stopped
    from arena.server.watch.run_folders import RunFolders

    Thread(target=end_with_parent, daemon=True).start()
    sock = socket.socket(fileno=int(descriptor))
    keys = keys_for(sock.getsockname()[1])
    try:
        games = LiveGames(Path(results), [Path(config) for config in configs])
    except ConfigError:  # the run says it
        games = LiveGames(Path(results))
    serve_until_stopped(application(RunFolders(Path(results)), games, keys), sock)


if __name__ == "__main__":
    serve_page(*sys.argv[1:])
