"""A real browser comes in, also behind nginx, and tells other servers of the machine nothing."""

from __future__ import annotations

import http.client
import re
import shutil
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import PIPE
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from support.browsers import PUBLIC_NAME as NAME, SCHEMES, WIDTHS, complaints_of, faults_by_axe
from support.page_requests import Served, certificate, serving
from support.processes import running
from support.samples import ROOT, Write
from support.watched_run import watched_run

from arena.server.watch.run_list import RunFolders

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", name="page")
def fixture_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("page")
    with serving(folder / "results", folder / "state") as page:
        yield page


class Neighbour(BaseHTTPRequestHandler):
    """Another user's server on this machine, which writes down all that it is sent."""

    heard: list[str]
    page = ""

    def do_GET(self) -> None:
        self.heard.append(f"{self.requestline}\n{self.headers}")
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("set-cookie", "neighbour=was-here")
        self.end_headers()
        self.wfile.write(f"<!doctype html><title>neighbour</title>{self.page}".encode())

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


@contextmanager
def neighbour(page: str = "") -> Iterator[tuple[int, list[str]]]:
    """The port of a neighbour that shows this page, and all that it hears."""
    kind = type("Heard", (Neighbour,), {"heard": [], "page": page})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1], kind.heard
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def context_of(browser: Browser, **options: Any) -> Iterator[BrowserContext]:
    context = browser.new_context(**options)
    context.set_default_timeout(60_000)
    try:
        yield context
    finally:
        context.close()


def probes(page: Served) -> str:
    """A page that has the browser ask arena's server for everything, under each common name."""
    places = [f"http://{host}:{page.port}/" for host in ("127.0.0.1", "localhost", "[::1]")]
    frames = "".join(f"<iframe src={each}></iframe><img src={each}>" for each in places)
    posts = "".join(f"fetch('{each}',{{mode:'no-cors',credentials:'include'}});" for each in places)
    return f"{frames}<script>{posts}</script>"


@pytest.mark.parametrize("way", ["link", "password"])
def test_a_server_on_another_port_is_sent_nothing(way: str, browser: Browser, page: Served) -> None:
    password = {"username": "any", "password": page.token}
    options: Any = {"http_credentials": password} if way == "password" else {}
    with context_of(browser, **options) as context, neighbour(probes(page)) as (port, heard):
        tab = context.new_page()
        own = f"http://127.0.0.1:{page.port}/" if way == "password" else page.address
        for host in ("127.0.0.1", "localhost"):
            tab.goto(own)
            assert tab.locator("h1").inner_text() == "Runs"
            tab.goto(f"http://{host}:{port}/")
            tab.goto(f"http://{host}:{port}/again")
        text = "\n".join(heard).lower()
        assert text.count("cookie: neighbour=was-here") >= 2  # it would have got others, too
        for secret in ("arena-", "authorization", page.token.lower(), page.host.split(".")[0]):
            assert secret not in text


def test_the_address_at_127_0_0_1_leads_to_the_servers_own_name(
    browser: Browser, page: Served
) -> None:
    with context_of(browser) as context:
        tab = context.new_page()
        tab.goto(page.address.replace(page.host, f"127.0.0.1:{page.port}"))
        assert tab.url == f"{page.origin}/"
        (cookie,) = context.cookies()
        assert (cookie["domain"], cookie["httpOnly"]) == (page.host.split(":")[0], True)


def test_a_link_on_another_site_leads_in(browser: Browser, page: Served) -> None:
    with (
        context_of(browser) as context,
        neighbour(f"<a href='{page.address}'>Look</a>") as (port, _),
    ):
        tab = context.new_page()
        tab.goto(f"http://127.0.0.1:{port}/")
        tab.get_by_role("link").click()
        tab.wait_for_url(f"{page.origin}/")
        assert tab.locator("h1").inner_text() == "Runs"


def test_a_password_does_all_that_a_link_does(
    browser: Browser, write: Write, tmp_path: Path
) -> None:
    results = tmp_path / "results"
    with (
        serving(results, tmp_path / "state") as page,
        context_of(
            browser, http_credentials={"username": "any", "password": page.token}
        ) as context,
        watched_run(write, results, 60, 0.1) as process,
    ):
        tab = context.new_page()
        complaints = complaints_of(tab)
        (run,) = RunFolders(results).runs()
        tab.goto(f"http://127.0.0.1:{page.port}/runs/{run.id}")
        tab.locator(".live-board .stone").first.wait_for()
        tab.get_by_role("button", name="Stop after the games in flight").click()
        assert process.wait(60) in (0, 1, 130)
        assert [each for each in complaints if "401" not in each] == []


def test_who_may_look_on_has_no_button_to_stop_and_cannot(
    browser: Browser, write: Write, tmp_path: Path
) -> None:
    results = tmp_path / "results"
    with (
        serving(results, tmp_path / "state") as page,
        context_of(browser) as context,
        watched_run(write, results, 60, 0.1) as process,
    ):
        tab = context.new_page()
        (run,) = RunFolders(results).runs()
        tab.goto(f"{page.origin}/runs/{run.id}?token={page.looking_token}")
        tab.locator(".live-board .stone").first.wait_for()
        assert tab.get_by_role("button", name="Stop").count() == 0
        assert tab.get_by_role("link", name="Play", exact=True).count() == 0
        tab.locator("#viewer .board").wait_for()
        assert tab.get_by_role("link", name="Play on from here").count() == 0
        stop = f"fetch('/runs/{run.id}/stop', {{method: 'POST'}}).then(each => each.status)"
        assert tab.evaluate(stop) == 403
        for place in ("/play", "/play/offer", "/analysis"):
            assert tab.goto(page.origin + place).status == 403  # type: ignore[union-attr]
        assert process.poll() is None


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_for_strangers_is_legible(
    width: int, scheme: Any, browser: Browser, page: Served
) -> None:
    options: Any = {"color_scheme": scheme, "bypass_csp": True}
    with context_of(browser, viewport={"width": width, "height": 900}, **options) as context:
        tab = context.new_page()
        tab.goto(f"{page.origin}/runs/1")
        assert tab.locator("h1").inner_text() == "No entry"
        assert "arena serve printed" in tab.locator("main").inner_text()
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        assert not faults_by_axe(tab)


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
