"""The ends of tests as the owner's command and web hook are told of them."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.queue.announcing import Listeners, announce, checked_listeners, facts_of
from arena.queue.order import QueuedTest, State

ENDED = QueuedTest(3, "round", state=State.DONE, played=12, spent=4.24, told="one is 'better'")


@contextmanager
def hook(status: int = 200) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """The address of a web server that answers so, and what was sent to it."""
    heard: list[tuple[str, Any]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            heard.append((self.headers["content-type"], json.loads(self.rfile.read(length))))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Hook) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/hook", heard
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def rubbish() -> Iterator[str]:
    """The address of a server that answers with what is no HTTP."""

    def answer() -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(2**16)
            connection.sendall(b"hello\r\n")

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def test_the_command_and_the_web_hook_have_the_facts(tmp_path: Path) -> None:
    with hook() as (address, heard):
        announce(Listeners(f"cat > {tmp_path}/told", address), ENDED, tmp_path / "results")
    expected = {
        "id": 3,
        "name": "round",
        "state": "done",
        "games": 12,
        "core_seconds": 4.2,
        "verdict": "one is 'better'",
        "folder": str(tmp_path / "results/round"),
    }
    assert facts_of(ENDED).items() == expected.items() - {("folder", expected["folder"])}
    assert heard == [("application/json", expected)]
    assert json.loads((tmp_path / "told").read_text()) == expected


def test_the_web_hook_is_told_though_the_command_fails(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with hook() as (address, heard):
        announce(Listeners("exit 3", address), ENDED, tmp_path)
    assert len(heard) == 1
    assert "the command that is told of ends" in caplog.text


def test_a_web_hook_that_does_not_take_it_is_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with hook(500) as (address, _):
        announce(Listeners("", address), ENDED, tmp_path)
    assert "the web hook: HTTP Error 500" in caplog.text
    caplog.clear()
    announce(Listeners("", address), ENDED, tmp_path)  # that server is gone
    assert "the web hook:" in caplog.text
    caplog.clear()
    with rubbish() as address:
        announce(Listeners("", address), ENDED, tmp_path)
    assert "the web hook: hello" in caplog.text


@pytest.mark.parametrize(
    "address",
    ["ftp://a.example", "example.org", "http://", "http://a b/", "http://[", "file:///etc/passwd"],
)
def test_a_web_hook_is_an_address_of_the_web(address: str) -> None:
    with pytest.raises(ConfigError, match="must be an address of http or https"):
        checked_listeners("", address)
    assert checked_listeners("", "https://a.example/x?y=1").web_hook
