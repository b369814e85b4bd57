"""Requests to the page without a network, and a page as a process."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from base64 import b64encode
from collections.abc import Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any, TypeVar

import pytest
from support.processes import finished, running

from arena.server.app import application
from arena.server.keys import LOCAL_HOSTS, Keys, Origins, Role
from arena.server.play.games import LiveGames
from arena.server.watch.run_list import RunFolders

A = TypeVar("A")
KEYS = Keys(b"the secret", 8765)
ORIGINS = Origins(LOCAL_HOSTS, own=KEYS.host)
HOST = f"{KEYS.host}:8765"
ORIGIN = f"http://{HOST}"


def entry(role: Role = Role.PLAY, host: str = HOST) -> dict[str, str]:
    return {"host": host, "cookie": f"arena-8765={KEYS.entry(role, time.time())}"}


def basic(token: str) -> str:
    return f"Basic {b64encode(f'any:{token}'.encode()).decode()}"


ENTRY = entry()


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@contextmanager
def page_of(results: Path, origins: Origins = ORIGINS, keys: Keys = KEYS) -> Iterator[Any]:
    """The application, as a server has it."""
    run_folders = RunFolders(results)
    games = LiveGames(results)
    try:
        yield application(run_folders, games, keys, origins)
    finally:
        games.close()
        run_folders.close()


def ask(
    app: Any,
    address: str,
    method: str = "GET",
    headers: dict[str, str] = ENTRY,
    body: Iterable[bytes] = (),
) -> Answer:
    return completed(answered(app, address, method, headers, list(body)))


def completed(work: Coroutine[Any, Any, A]) -> A:
    # In a thread of its own: where a browser was started, this one has an event loop already.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def post(app: Any, address: str, body: Iterable[bytes] = (), **changed: str) -> Answer:
    return ask(app, address, "POST", {**ENTRY, "origin": ORIGIN, **changed}, body)


async def answered(
    app: Any, address: str, method: str, headers: dict[str, str], body: list[bytes]
) -> Answer:
    from urllib.parse import unquote

    path, _, query = address.partition("?")
    scope: dict[str, Any] = {"type": "http", "http_version": "1.1", "scheme": "http"}
    scope |= {"client": ("127.0.0.1", 50000), "server": ("127.0.0.1", 8765), "method": method}
    scope |= {"path": unquote(path), "raw_path": path.encode(), "query_string": query.encode()}
    scope |= {"headers": [(name.encode(), value.encode()) for name, value in headers.items()]}
    parts = [*body, b""]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if not parts:
            await asyncio.sleep(3600)
        part = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start, *rest = sent
    found = {name.decode(): value.decode() for name, value in start["headers"]}
    return Answer(start["status"], found, b"".join(each.get("body", b"") for each in rest))


@dataclass(frozen=True)
class Served:
    process: Popen[Any]
    address: str  # with the token
    looking_token: str

    @property
    def origin(self) -> str:
        return self.address.split("/?")[0]

    @property
    def host(self) -> str:
        return self.origin.split("//")[1]

    @property
    def port(self) -> int:
        return int(self.origin.rsplit(":", 1)[1])

    @property
    def token(self) -> str:
        return self.address.split("token=")[1]


@contextmanager
def serving(results: Path, state: Path, *options: str, port: int = 0) -> Iterator[Served]:
    """`arena serve` of these results; its files for the user are kept in `state`."""
    results.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "arena", "serve", str(results), "--port", str(port), *options]
    environment = {**os.environ, "XDG_STATE_HOME": str(state)}
    with running(command, stdout=PIPE, stderr=PIPE, text=True, env=environment) as process:
        assert process.stdout
        page, looking = [process.stdout.readline().split()[-1] for _ in range(2)]
        yield Served(process, page, looking.partition("token=")[2])


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate that is made for this name, and its key; skips the test without openssl."""
    if not shutil.which("openssl"):
        pytest.skip("no openssl")
    file, key = folder / "page.crt", folder / "page.key"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    made += f"-nodes -days 2 -subj /CN={name} -addext subjectAltName=DNS:{name}".split()
    finished([*made, "-keyout", key, "-out", file], check=True)
    return file, key
