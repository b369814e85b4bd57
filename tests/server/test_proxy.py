"""The page behind nginx, with the lines of docs/serve.md as they are printed there."""

from __future__ import annotations

import http.client
import re
import shutil
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from subprocess import PIPE
from typing import TYPE_CHECKING

import pytest
from support.browsers import PUBLIC_NAME as NAME, complaints_of
from support.page_requests import Served, certificate, serving
from support.processes import running
from support.samples import ROOT, Write
from support.watched_run import watched_run

from arena.server.watch.run_list import RunFolders

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

WHOLE = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {server}
}}
"""


def free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def printed_server(port: int, behind: int, files: tuple[Path, Path]) -> str:
    """The lines of the page for readers, with the places of this test."""
    text = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```nginx\n(.*?)```", text, re.DOTALL)
    places = {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "/etc/ssl/arena.crt;": f"{files[0]};",
        "/etc/ssl/arena.key;": f"{files[1]};",
        "http://127.0.0.1:8765;": f"http://127.0.0.1:{behind};",
    }
    for printed, ours in places.items():
        assert lines.count(printed) == 1
        lines = lines.replace(printed, ours)
    return lines


@contextmanager
def nginx(folder: Path, port: int, behind: int, files: tuple[Path, Path]) -> Iterator[None]:
    """A proxy at this port; skips the test where there is no nginx."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if not program:
        pytest.skip("no nginx")
    config = folder / "nginx.conf"
    config.write_text(WHOLE.format(folder=folder, server=printed_server(port, behind, files)))
    command = [program, "-p", str(folder), "-c", str(config), "-e", str(folder / "error.log")]
    with running(command, stdout=PIPE, stderr=PIPE) as process:
        end = time.monotonic() + 30
        while True:
            assert process.poll() is None, (folder / "error.log").read_text()
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                break
            assert time.monotonic() < end
            time.sleep(0.05)
        yield


@contextmanager
def proxied(tmp_path: Path) -> Iterator[tuple[Served, int]]:
    """A page that is told its public address, and the port of the proxy before it."""
    port, files = free_port(), certificate(tmp_path, NAME)
    public = ["--public-url", f"https://{NAME}:{port}"]
    results = tmp_path / "results"
    results.mkdir()
    with (
        serving(results, tmp_path / "state", *public, port=(behind := free_port())) as page,
        nginx(tmp_path, port, behind, files),
    ):
        yield page, port


def test_a_page_behind_nginx_does_all_that_it_does_alone(
    browser: Browser, write: Write, tmp_path: Path
) -> None:
    with (
        proxied(tmp_path) as (page, port),
        watched_run(write, tmp_path / "results", 60, 0.1) as process,
        closing(browser.new_context(ignore_https_errors=True)) as context,
    ):
        tab = context.new_page()
        tab.set_default_timeout(60_000)
        assert page.origin == f"https://{NAME}:{port}"
        tab.goto(page.address)
        complaints = complaints_of(tab)
        (cookie,) = context.cookies()
        assert str(cookie["name"]).startswith("__Host-arena-")
        assert (cookie["secure"], cookie["httpOnly"]) == (True, True)
        (run,) = RunFolders(tmp_path / "results").runs()
        tab.goto(f"{page.origin}/runs/{run.id}")
        tab.locator(".live-board .stone").first.wait_for()
        tab.get_by_role("button", name="Stop after the games in flight").click()
        assert process.wait(60) in (0, 1, 130)
        assert not complaints


def test_strangers_are_refused_behind_nginx_as_elsewhere(tmp_path: Path) -> None:
    with proxied(tmp_path) as (page, port):
        trusted = ssl.create_default_context(cafile=str(tmp_path / "page.crt"))

        def asked(method: str, headers: dict[str, str]) -> tuple[int, str]:
            plain = socket.create_connection(("127.0.0.1", port), timeout=60)
            with closing(trusted.wrap_socket(plain, server_hostname=NAME)) as encrypted:
                connection = http.client.HTTPConnection(NAME, port)
                connection.sock = encrypted
                connection.request(method, f"/?token={page.token}", headers=headers)
                answer = connection.getresponse()
                answer.read()
                return answer.status, (answer.getheader("set-cookie") or "").split(";")[0]

        host = {"Host": f"{NAME}:{port}"}
        status, cookie = asked("GET", host)
        assert status == 303
        assert asked("GET", {"Host": "evil.example", "X-Forwarded-Host": host["Host"]})[0] == 400
        entry = {**host, "Cookie": cookie}
        for origin, wanted in ((page.origin, 404), (f"http://{NAME}:{port}", 403), ("null", 403)):
            assert asked("POST", {**entry, "Origin": origin})[0] == wanted
