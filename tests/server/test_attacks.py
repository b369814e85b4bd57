"""A page as a process under attack, and the run that it watches: unharmed."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from support.page_requests import Served, serving
from support.processes import running
from support.samples import Write
from support.watched_run import watched_run

from arena.server.watch.run_list import RunFolders
from arena.storage.database import Store
from arena.storage.folder import read_store

pytestmark = pytest.mark.slow


def games_of(results: Path) -> dict[Any, str]:
    found = read_store(results / "watched", Store.games) or []
    return {(each.first, each.opening): each.moves for each in found}


class Visitor:
    """A browser without a screen."""

    def __init__(self, page: Served) -> None:
        self.port, self.host = page.port, page.host
        answer = self.asked("GET", f"/?token={page.token}", {})
        self.cookie = answer[1].split(";")[0]

    def asked(
        self, method: str, path: str, headers: dict[str, str] | None = None, body: bytes = b""
    ) -> tuple[int, str]:
        """The status of an answer, and the cookie that comes with it."""
        found = {"Cookie": self.cookie} if headers is None else headers
        found = {"Host": self.host, **found}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request(method, path, body=body or None, headers=found)
            answer = connection.getresponse()
            answer.read()
            return answer.status, answer.getheader("set-cookie") or ""


def test_a_run_is_unharmed_by_all_that_its_page_suffers(write: Write, tmp_path: Path) -> None:
    results, quiet = tmp_path / "results", tmp_path / "quiet"
    with watched_run(write, quiet) as process:
        assert process.wait(120) == 0
    with watched_run(write, results) as process, serving(results, tmp_path / "state") as page:
        visitor = Visitor(page)
        (run,) = RunFolders(results).runs()
        path = f"/runs/{run.id}"
        thousand_at_once(visitor, f"{path}/pulse")
        hundred_streams(visitor, f"{path}/pulse")
        long_bodies(visitor, f"{path}/stop")
        assert visitor.asked("GET", f"{path}/pulse")[0] == 200
        assert visitor.asked("GET", path)[0] == 200
        assert process.wait(120) == 0
    assert games_of(results) == games_of(quiet)
    assert len(games_of(results)) == 20


def thousand_at_once(visitor: Visitor, path: str) -> None:
    """Every request is answered or turned away; the server is there afterwards."""

    def one(_: int) -> int:
        try:
            return visitor.asked("GET", path)[0]
        except OSError:
            return 0

    with ThreadPoolExecutor(200) as pool:
        found = Counter(pool.map(one, range(1000)))
    assert set(found) <= {0, 200, 503}
    assert found[200] > 100


def hundred_streams(visitor: Visitor, path: str) -> None:
    """As many connections that stay open and ask again leave room for others."""
    with ExitStack() as stack:
        for _ in range(100):
            connection = http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=60)
            stack.callback(connection.close)
            headers = {"Host": visitor.host, "Cookie": visitor.cookie}
            connection.request("GET", path, headers=headers)
            assert connection.getresponse().read()
        assert visitor.asked("GET", path)[0] == 200


def long_bodies(visitor: Visitor, path: str) -> None:
    """Ten megabytes are not taken, with or without a word on their length."""
    origin = {"Cookie": visitor.cookie, "Origin": f"http://{visitor.host}"}
    for head in (b"Content-Length: 10485760", b"Transfer-Encoding: chunked"):
        with socket.create_connection(("127.0.0.1", visitor.port), timeout=30) as connection:
            lines = [f"POST {path} HTTP/1.1".encode(), f"Host: {visitor.host}".encode()]
            lines += [f"{name}: {value}".encode() for name, value in origin.items()]
            connection.sendall(b"\r\n".join([*lines, head, b"", b""]))
            assert pour(connection, b"10000\r\n" if b"chunked" in head else b"") < 10 * 2**20


def pour(connection: socket.socket, mark: bytes) -> int:
    """Send ten megabytes, or as much as is taken before the other side has enough."""
    sent = 0
    try:
        for _ in range(160):
            connection.sendall(mark + b"x" * 65536 + (b"\r\n" if mark else b""))
            sent += 65536
    except OSError:
        pass
    return sent


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_server_ends_within_a_second_whoever_looks_on(number: int, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    with serving(tmp_path / "results", tmp_path / "state") as page, ExitStack() as stack:
        visitor = Visitor(page)
        for _ in range(20):
            connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=60)
            stack.callback(connection.close)
            headers = {"Host": visitor.host, "Cookie": visitor.cookie}
            connection.request("GET", "/", headers=headers)
            connection.getresponse().read()
        half = stack.enter_context(socket.create_connection(("127.0.0.1", page.port)))
        half.sendall(b"GET / HTTP/1.1\r\n")
        time.sleep(0.5)
        os.kill(page.process.pid, number)
        began = time.monotonic()
        assert page.process.wait(10) in (0, -signal.SIGTERM)
        assert time.monotonic() - began < 2  # one second, on a machine that does nothing else


def test_a_cookie_is_good_after_a_restart_on_the_same_port(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    with serving(tmp_path / "results", tmp_path / "state") as page:
        visitor, address = Visitor(page), page.address
    with serving(tmp_path / "results", tmp_path / "state", "--port", str(page.port)) as again:
        assert again.address == address
        assert visitor.asked("GET", "/")[0] == 200
    with serving(tmp_path / "results", tmp_path / "other", "--port", str(page.port)):
        assert visitor.asked("GET", "/")[0] == 400  # another user's server has another name


def test_a_port_in_use_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    with serving(tmp_path / "results", tmp_path / "state") as page:
        command = [sys.executable, "-m", "arena", "serve", str(tmp_path / "results")]
        with running([*command, "--port", str(page.port)], stdout=-1, stderr=-1) as other:
            _, error = other.communicate(timeout=60)
        assert other.returncode == 2
        assert b"is in use; choose another --port" in error


BROKEN_OFF = (
    b"nonsense\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # as TLS begins
    b"GET / HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: {host}\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    b"POST /play/games HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n"
    b"Content-Length: 50\r\n\r\n{",
)


def received(connection: socket.socket) -> bytes:
    """The beginning of an answer; empty if there is none as yet."""
    connection.settimeout(0.1)
    try:
        return connection.recv(1000)
    except OSError:
        return b""


def test_what_strangers_send_leaves_no_word_in_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    with serving(tmp_path / "results", tmp_path / "state") as page:
        visitor, host = Visitor(page), page.host
        for text in BROKEN_OFF:
            text = text.replace(b"{host}", host.encode())
            with socket.create_connection(("127.0.0.1", page.port)) as connection:
                with suppress(ConnectionError):  # ended before all of it was sent
                    connection.sendall(text.replace(b"{cookie}", visitor.cookie.encode()))
                time.sleep(0.5)
                assert b" 200 " not in received(connection)
        assert visitor.asked("GET", "/")[0] == 200
        page.process.terminate()
        assert page.process.communicate(timeout=20)[1] == ""


def test_a_server_comes_after_the_games_and_says_who_can_reach_it(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    with serving(tmp_path / "results", tmp_path / "state", "--host", "127.0.0.2") as page:
        deadline = time.monotonic() + 20
        while os.getpriority(os.PRIO_PROCESS, page.process.pid) < 10:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        page.process.terminate()
        assert "Other machines" not in page.process.communicate(timeout=20)[1]
