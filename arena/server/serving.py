"""The server's process: its socket, its address, its end."""

from __future__ import annotations

import os
import socket
import sys
from contextlib import closing, suppress
from errno import EADDRINUSE
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from arena.errors import ConfigError, Fault, install_command
from arena.server.keys import Keys

if TYPE_CHECKING:
    from starlette.types import ASGIApp

PORT = 8765
MOST_CONNECTIONS = 256
"""Connections at once; the answer to more is that there are too many."""
POLITENESS = 10
"""The niceness of the page: the games come first where both need the processor."""
GOODBYE = 0.2
"""Seconds that an answer under way may take once the server is to end."""


def check_packages() -> None:
    """ConfigError if what the page needs is not installed."""
    if not has_packages():
        raise ConfigError(f"the page needs more packages: {install_command('web')}")


def has_packages() -> bool:
    """True if what the page needs is installed."""
    return all(map(find_spec, ("starlette", "uvicorn")))


def listening(host: str, port: int | None) -> socket.socket:
    """A socket at this port; without one, at the usual port, or at any if that is in use.

    ConfigError if it cannot be.
    """
    try:
        return bound_socket(host, PORT if port is None else port)
    except (OSError, ValueError) as error:
        if port is None:
            return any_port(host)
        is_in_use = isinstance(error, OSError) and error.errno == EADDRINUSE
        told = (
            "is in use; choose another --port" if is_in_use else f"cannot be listened at: {error}"
        )
        raise ConfigError(Fault(f"{host}:{port}", told)) from None


def any_port(host: str) -> socket.socket:
    """A socket at a port that is free; ConfigError if the address is none of this machine."""
    try:
        return bound_socket(host, 0)
    except (OSError, ValueError) as error:
        raise ConfigError(Fault(host, f"cannot be listened at: {error}")) from None


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket that listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        # A server that is started again at once finds its own old connections there.
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(MOST_CONNECTIONS)
    except BaseException:
        found.close()
        raise
    return found


def page_address(sock: socket.socket, keys: Keys, path: str = "/") -> str:
    """The address to open, with the token."""
    host, port = sock.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = socket.gethostname()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}{path}?token={keys.token}"


def serve_until_stopped(app: ASGIApp, sock: socket.socket) -> NoReturn:
    """Serve until Ctrl-C or SIGTERM, and end the process, whatever is being made."""
    import uvicorn

    os.nice(POLITENESS)
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="error",  # strangers can cause any number of warnings
        access_log=False,
        ws="none",
        http="h11",
        loop="asyncio",
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=GOODBYE,  # type: ignore[arg-type]
        timeout_keep_alive=30,
    )
    with closing(sock), suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[sock])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def folder_of_results(results: Path) -> Path:
    """The results folder; ConfigError if there is none."""
    if not results.is_dir():
        raise ConfigError(Fault(str(results), "is no folder of results"))
    return results
