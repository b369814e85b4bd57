"""Connections that keep a server waiting: they lock no user out, and end."""

from __future__ import annotations

import http.client
import select
import socket
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from support.page_requests import Served, basic, certificate, serving
from support.processes import finished

pytestmark = pytest.mark.slow

MANY = 300
"""More than the server keeps."""
HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODY = b"Content-Length: 50\r\n\r\n{"
ENDED_WITHIN = 10.0
SERVED_WITHIN = ENDED_WITHIN / 2
"""Before the others end, even on a busy machine; on an idle one it takes some hundredths."""


@pytest.fixture(scope="module", name="page")
def fixture_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "results").mkdir()
    with serving(folder / "results", folder / "state") as page:
        assert answer_time(page) < 60
        yield page


def answer_time(page: Served, path: str = "/") -> float:
    """Seconds until a browser with the token has its answer."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=60)
    connection.request("GET", path, headers={"Authorization": basic(page.token)})
    assert connection.getresponse().status == 200
    connection.close()
    return time.monotonic() - began


def best_answer_time(page: Served) -> float:
    """The best of three: a busy machine may delay one, but a lock delays all."""
    return min(answer_time(page) for _ in range(3))


@contextmanager
def connections(page: Served, text: bytes, number: int = MANY) -> Iterator[list[socket.socket]]:
    """As many connections, each of which sends this and no more."""
    with ExitStack() as stack:
        opened = []
        for _ in range(number):
            each = stack.enter_context(socket.create_connection(("127.0.0.1", page.port)))
            each.sendall(text)
            opened.append(each)
        yield opened


def status(connection: socket.socket) -> int:
    """The status of the answer that comes; its text is read, too."""
    connection.settimeout(60)
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    answer.read()
    answer.close()
    return answer.status


def ended(connection: socket.socket, until: float) -> bool:
    """True if the server ends it by then, with or without an answer."""
    try:
        while (left := until - time.monotonic()) > 0:
            connection.settimeout(left)
            if not connection.recv(65536):
                return True
    except TimeoutError:
        return False
    except OSError:
        return True
    return False


WAITING = {
    "silent": b"",
    "half a header": HALF,
    "half a body": HALF.replace(b"GET", b"POST") + BODY,
}


@pytest.mark.parametrize("kind", WAITING)
def test_a_connection_without_a_request_locks_nobody_out_and_ends(kind: str, page: Served) -> None:
    with connections(page, WAITING[kind]) as opened:
        began = time.monotonic()
        assert best_answer_time(page) < SERVED_WITHIN
        assert all(ended(each, began + ENDED_WITHIN + 5) for each in opened)
        assert time.monotonic() - began > ENDED_WITHIN / 2  # they had their time


def test_half_a_body_of_a_user_ends_as_well(page: Served) -> None:
    entry = f"Authorization: {basic(page.token)}\r\nOrigin: http://127.0.0.1:{page.port}\r\n"
    start = f"POST /play/games HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\n{entry}"
    with connections(page, start.encode() + BODY, 1) as (one,):
        began = time.monotonic()
        assert ended(one, began + ENDED_WITHIN + 5)
        assert time.monotonic() - began > ENDED_WITHIN / 2


def test_a_byte_now_and_then_gains_no_time(page: Served) -> None:
    with connections(page, HALF, 1) as (one,):
        began = time.monotonic()
        while not select.select([one], [], [], 1)[0]:
            one.sendall(b"x")
            assert time.monotonic() < began + ENDED_WITHIN + 5
        assert time.monotonic() > began + ENDED_WITHIN / 2


def test_a_second_request_has_its_time_too(page: Served) -> None:
    entry = f"Authorization: {basic(page.token)}\r\n\r\n".encode()
    with connections(page, HALF + entry, 1) as (one,):
        began = time.monotonic()
        assert status(one) == 200
        time.sleep(ENDED_WITHIN + 2)  # more than a request may take, but none has begun
        one.sendall(HALF)
        time.sleep(2)
        one.sendall(entry)
        assert status(one) == 200
        one.sendall(HALF)
        assert ended(one, time.monotonic() + ENDED_WITHIN + 5)
        assert time.monotonic() > began + 1.5 * ENDED_WITHIN


def test_a_request_that_is_being_sent_is_not_ended_for_strangers(page: Served) -> None:
    entry = f"Authorization: {basic(page.token)}\r\n\r\n".encode()
    with connections(page, HALF + entry, 1) as (one,):
        assert status(one) == 200
        one.sendall(HALF)
        with connections(page, HALF), connections(page, b""):
            one.sendall(entry)
            assert status(one) == 200


def test_who_takes_no_answer_locks_nobody_out(page: Served) -> None:
    many = b"GET /static/page.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 300
    with connections(page, many) as opened:
        time.sleep(2)
        assert best_answer_time(page) < SERVED_WITHIN
        assert len(opened) == MANY


def test_a_flood_of_connections_leaves_room_for_a_user(page: Served) -> None:
    end = time.monotonic() + 5

    def flood(_: int) -> int:
        made = 0
        while time.monotonic() < end:
            with connections(page, b"", 20):
                made += 20
                time.sleep(0.05)
        return made

    with ThreadPoolExecutor(4) as pool:
        made = pool.map(flood, range(4))
        assert best_answer_time(page) < SERVED_WITHIN
        assert sum(made) > MANY


def test_as_many_silent_connections_under_encryption(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    files = certificate(tmp_path, "localhost")
    given = ["--certificate", str(files[0]), "--key", str(files[1])]
    with serving(tmp_path / "results", tmp_path / "state", *given) as page:
        trusted = ssl.create_default_context(cafile=str(files[0]))

        def answered() -> float:
            began = time.monotonic()
            connection = http.client.HTTPSConnection(
                "localhost", page.port, timeout=60, context=trusted
            )
            connection.request("GET", "/", headers={"Authorization": basic(page.token)})
            assert connection.getresponse().status == 200
            connection.close()
            return time.monotonic() - began

        answered()
        with connections(page, b"") as silent, connections(page, b"\x16\x03\x01", 1):
            began = time.monotonic()
            assert min(answered() for _ in range(3)) < SERVED_WITHIN
            assert ended(silent[0], began + ENDED_WITHIN + 5)
        page.process.terminate()
        assert page.process.communicate(timeout=20)[1] == ""


def test_a_certificate_that_is_none_is_a_fault_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "no.pem").write_text("nothing")
    for file in ("no.pem", "missing.pem"):
        given = ["--certificate", str(tmp_path / file)]
        found = finished(["arena", "serve", str(tmp_path), *given], text=True)
        assert found.returncode == 2
        assert f"{file}: is no certificate (PEM) with its private key" in found.stderr
