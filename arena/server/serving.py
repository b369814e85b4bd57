"""The server's process: its sockets, its connections, its address, its end."""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import socket
import ssl
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from errno import EADDRINUSE
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn

from arena.errors import ConfigError, Fault, install_command
from arena.server.keys import LOCAL_HOSTS, Keys, Origins, Role, keys_for, known_hosts

if TYPE_CHECKING:
    from starlette.types import ASGIApp

HOST = "127.0.0.1"
PORT = 8765
BACKLOG = 256
"""Connections that are taken up before any can be ended, each with a file of the process."""
MOST_FILES = 2**16
HANDSHAKE = 10.0  # Seconds until a connection must be encrypted
POLITENESS = 10  # The niceness of the page: the games come first where both need the processor
GOODBYE = 0.2  # Seconds that an answer under way may take once the server is to end
MOST_LINES = 5  # Messages in a minute that come to the terminal; the others are counted


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a server, its names to browsers, and the words that let them in."""

    sockets: Sequence[socket.socket]
    host: str  # The address that it listens at
    keys: Keys
    origins: Origins

    @property
    def origin(self) -> str:
        if self.origins.public:
            return self.origins.public
        host = socket.gethostname() if self.host in ("0.0.0.0", "::") else self.host
        shown = self.origins.own or (f"[{host}]" if ":" in host else host)
        return f"{self.origins.scheme}://{shown}:{self.keys.port}"

    @property
    def has_links(self) -> bool:
        """True if an address with a token lets a browser in; else it asks for a password."""
        return self.origins.keeps_cookies(self.origin)

    def link(self, role: Role, path: str = "/") -> str:
        return f"{self.origin}{path}?token={self.keys.token(role)}"


def endpoint(
    sockets: Sequence[socket.socket], host: str = HOST, public: str = "", is_encrypted: bool = False
) -> Endpoint:
    """The origins that a server at these sockets of `host` answers to.

    `public` is the origin of a reverse proxy.
    """
    keys = keys_for(sockets[0].getsockname()[1])
    own = keys.host if host in LOCAL_HOSTS and not is_encrypted else ""
    scheme = "https" if is_encrypted else "http"
    return Endpoint(sockets, host, keys, Origins(known_hosts(host), own, scheme, public))


def check_packages() -> None:
    """ConfigError if a package that the page needs is not installed."""
    if not has_packages():
        raise ConfigError(f"the page needs more packages: {install_command('web')}")


def has_packages() -> bool:
    return all(map(find_spec, ("starlette", "uvicorn")))


def listening(host: str = HOST, port: int | None = None) -> list[socket.socket]:
    """Sockets at this port; without one, at the usual port, or at any if that is in use.

    ConfigError if it cannot be.
    """
    try:
        return _bound_sockets(host, PORT if port is None else port)
    except (OSError, ValueError) as error:
        if port is None:
            return _any_port(host)
        is_in_use = isinstance(error, OSError) and error.errno == EADDRINUSE
        reason = (
            "is in use; choose another --port" if is_in_use else f"cannot be listened at: {error}"
        )
        raise ConfigError(Fault(f"{host}:{port}", reason)) from None


def _any_port(host: str) -> list[socket.socket]:
    """Sockets at a port that is free; ConfigError if the address is none of this machine."""
    try:
        return _bound_sockets(host, 0)
    except (OSError, ValueError) as error:
        raise ConfigError(Fault(host, f"cannot be listened at: {error}")) from None


def _bound_sockets(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen there; for this machine alone at both of its addresses.

    A browser takes a name under `localhost` for either of them. Were one free, another user's
    server could listen there, and be given the token.
    """
    if host not in LOCAL_HOSTS:
        return [_bound_socket(host, port)]
    first = _bound_socket("127.0.0.1", port)
    try:
        return [first, _bound_socket("::1", first.getsockname()[1])]
    except OSError as error:
        if error.errno != EADDRINUSE:
            return [first]  # this machine has no IPv6
        first.close()
        raise


def _bound_socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        # A server that is started again at once finds its own old connections there.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def encryption(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """The context that encrypts connections; ConfigError for files without a certificate and key.

    Without `key`, the private key is in the file of the certificate.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ValueError) as error:
        files = f"{certificate} and {key}" if key else str(certificate)
        reason = f"is no certificate (PEM) with its private key: {error.args[-1]}"
        raise ConfigError(Fault(files, reason)) from None
    return context


def serve_until_stopped(
    app: ASGIApp, sockets: Sequence[socket.socket], encrypted: ssl.SSLContext | None = None
) -> NoReturn:
    """Serve until Ctrl-C or SIGTERM, and end the process, even while pages are being made."""
    import uvicorn

    from arena.server.connections import MOST_CONNECTIONS, Connection

    os.nice(POLITENESS)
    _allow_many_files()
    logging.basicConfig(format="%(message)s", handlers=[spare_log()])
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="critical",  # strangers can cause any number of warnings; our faults are told
        access_log=False,
        ws="none",
        http=Connection,
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,
        limit_concurrency=MOST_CONNECTIONS + 1,  # reached if all of them are at work
        timeout_graceful_shutdown=GOODBYE,  # type: ignore[arg-type]
    )
    config.load()
    config.ssl = encrypted
    with ExitStack() as stack, suppress(KeyboardInterrupt):
        for each in sockets:
            stack.enter_context(each)
        with asyncio.Runner(loop_factory=ImpatientLoop) as runner:
            runner.run(uvicorn.Server(config).serve(sockets=list(sockets)))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


class ImpatientLoop(asyncio.SelectorEventLoop):
    """An event loop whose servers end connections that are not encrypted in time."""

    async def create_server(self, *given: Any, **options: Any) -> Any:
        """Make a server as any loop does; uvicorn has no setting for this limit."""
        if options.get("ssl"):
            options["ssl_handshake_timeout"] = HANDSHAKE
        return await super().create_server(*given, **options)


def _allow_many_files() -> None:
    """Let this process open more files than usual, if it may: each connection is one."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, wanted), most))


def spare_log() -> logging.StreamHandler[Any]:
    """A way to the terminal for a few messages a minute; the next one says how many it lacks."""
    began, count, left_out = monotonic(), 0, 0

    def is_shown(record: logging.LogRecord) -> bool:
        nonlocal began, count, left_out
        if monotonic() - began >= 60:
            began, count = monotonic(), 0
        count += 1
        if count > MOST_LINES:
            left_out += 1
            return False
        if left_out:
            record.msg, record.args = f"({left_out} messages left out)\n{record.getMessage()}", ()
            left_out = 0
        return True

    log = logging.StreamHandler()
    log.addFilter(is_shown)
    return log
