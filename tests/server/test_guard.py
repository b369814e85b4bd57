"""The door of the page: who is let in, and what is sent."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route
from support.page_requests import ENTRY, HOST, KEYS, ORIGIN, Answer, ask, post

from arena.server.access import MOST_BODY, host_and_port, is_known_host, known_hosts

CLIMBS = [
    *("../../../../etc/passwd", "..%2f..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd"),
    *("..%252f..%252fetc%252fpasswd", "/etc/passwd", "%2fetc%2fpasswd", "....//....//etc/passwd"),
    *("..\\..\\etc\\passwd", "%00", "round", "round%00", ".", "..", "~", "-", "C:", "file:///etc"),
    *("page.css/../../assets.py", "..%2fassets.py", "%2e%2e%2fassets.py", "page.css%00.js"),
    *("𝟘" * 40, "a" * 5000, "'; DROP TABLE games; --", "{id}", "%ff%fe", "\u202e"),
]


def routes(app: Any) -> list[Route]:
    return [route for route in app.routes if isinstance(route, Route)]


def addresses(app: Any, value: str) -> list[tuple[str, str]]:
    """Every method and address of the application that takes a value, with this one in it."""
    return [
        (method, re.sub(r"\{\w+(:\w+)?\}", lambda _: value, route.path))
        for route in routes(app)
        for method in route.methods or ()
        if "{" in route.path
    ]


def test_who_has_the_cookie_is_let_in(app: Any) -> None:
    assert ask(app, "/").status == 200


def test_the_token_is_exchanged_for_a_cookie(app: Any) -> None:
    found = ask(app, f"/runs/1?token={KEYS.token}&x=1", headers={"host": HOST})
    assert (found.status, found.headers["location"]) == (303, "/runs/1?x=1")
    cookie = found.headers["set-cookie"]
    assert cookie.startswith("arena-8765=the-cookie;")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))


def test_the_exchange_leads_to_no_other_server(app: Any) -> None:
    for path in ("//evil.example/", "/%5cevil.example", "/\\evil.example", "/%2f/evil.example"):
        found = ask(app, f"{path}?token={KEYS.token}", headers={"host": HOST})
        assert re.match(r"/[^/\\]", found.headers["location"])


REFUSED: list[dict[str, str]] = [
    {"host": HOST},
    {"host": HOST, "cookie": ""},
    {"host": HOST, "cookie": "arena-8765="},
    {"host": HOST, "cookie": "arena-8765=the-cookie2"},
    {"host": HOST, "cookie": "arena-1=the-cookie"},
    {"host": HOST, "cookie": "arena-8765=the-token"},
    {"host": HOST, "cookie": "xarena-8765=the-cookie"},
]


@pytest.mark.parametrize("headers", REFUSED, ids=str)
def test_who_has_no_token_is_let_nowhere(headers: dict[str, str], app: Any) -> None:
    for route in routes(app):
        if route.path.startswith("/static/"):
            continue  # everybody who has this package has those
        for method in route.methods or ():
            found = ask(app, route.path, method, {**headers, "origin": ORIGIN})
            assert found.status == 403, route.path


@pytest.mark.parametrize("token", ["", "the-toke", "the-token2", "the-cookie", "%ff", "é"])
def test_a_wrong_token_is_no_token(token: str, app: Any) -> None:
    assert ask(app, f"/?token={token}", headers={"host": HOST}).status == 403


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8765", "127.0.0.1.evil.example:8765", "", "localhost@evil"),
        *("127.0.0.1:8765@evil.example", "127.0.0.2:8765", "10.0.0.1:8765", "[::2]:8765", "a b"),
        *(
            "127.0.0.1/",
            "localhost.:8765",
            "127.1:8765",
            "2130706433",
            "127.0.0.1:x",
            "[::1",
            "::1",
        ),
    ],
)
def test_a_foreign_host_is_refused_whatever_else_it_has(host: str, app: Any) -> None:
    for method in ("GET", "POST"):
        headers = {**ENTRY, "host": host, "origin": f"http://{host}"}
        assert ask(app, "/", method, headers).status == 400


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"])
def test_our_own_names_are_known(name: str, app: Any) -> None:
    assert ask(app, "/", headers={**ENTRY, "host": f"{name}:8765"}).status == 200


def test_a_request_without_a_host_is_refused(app: Any) -> None:
    assert ask(app, "/", headers={"cookie": ENTRY["cookie"]}).status == 400


@pytest.mark.parametrize(
    "origin",
    [
        *(None, "null", "", "http://evil.example", "https://127.0.0.1:8765", "http://127.0.0.1"),
        *("http://127.0.0.1:8766", "http://localhost:8765", "http://127.0.0.1:8765.evil.example"),
    ],
)
def test_nothing_is_done_for_a_page_of_elsewhere(origin: str | None, app: Any) -> None:
    headers = ENTRY if origin is None else {**ENTRY, "origin": origin}
    for route in routes(app):
        if "POST" in (route.methods or ()):
            assert ask(app, route.path, "POST", headers).status == 403


def test_nothing_is_done_by_a_get(app: Any) -> None:
    posts = [route for route in routes(app) if "POST" in (route.methods or ())]
    assert posts
    for route in posts:
        assert route.methods == {"POST"}


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "X"])
def test_other_methods_are_refused(method: str, app: Any) -> None:
    assert ask(app, "/", method).status == 405


@pytest.mark.parametrize("climb", CLIMBS)
def test_no_address_leads_out_of_its_place(climb: str, app: Any, results: Path) -> None:
    for method, address in addresses(app, climb):
        found = ask(app, address, method, {**ENTRY, "origin": ORIGIN})
        assert 400 <= found.status < 500, address
        assert "root:" not in found.text
        assert "def " not in found.text
        assert str(results) not in found.text


def test_a_body_that_is_too_long_is_refused_before_it_is_read(app: Any) -> None:
    long = str(10 * 2**20)
    for route in routes(app):
        assert post(app, route.path, **{"content-length": long}).status == 413


def test_a_body_that_does_not_say_its_length_is_not_read_to_its_end(app: Any) -> None:
    from starlette.requests import Request
    from starlette.responses import Response

    async def taker(request: Request) -> Response:
        return Response(str(len(await request.body())))

    taken = Taken(b"x" * 2**16, 160)
    app.router.routes.append(Route("/taker", taker, methods=["POST"]))
    try:
        assert post(app, "/taker", [b"x" * MOST_BODY]).text == str(MOST_BODY)
        assert post(app, "/taker", [b"x" * MOST_BODY, b"x"]).status == 413
        assert post(app, "/taker", taken).status == 413
    finally:
        app.router.routes.pop()


class Taken(list[bytes]):
    """A body of many parts."""

    def __init__(self, part: bytes, times: int) -> None:
        super().__init__([part] * times)


@pytest.mark.parametrize("length", ["-1", "1e3", "x", "9" * 30, "", "０"])
def test_a_length_that_is_none_is_refused(length: str, app: Any) -> None:
    assert post(app, "/runs/1/stop", **{"content-length": length}).status == 413


def test_a_body_without_a_length_is_refused(app: Any) -> None:
    assert post(app, "/runs/1/stop", **{"transfer-encoding": "chunked"}).status == 413


def test_a_query_that_is_too_long_is_refused(app: Any) -> None:
    assert ask(app, f"/?{'x' * 5000}").status == 413


def answers(app: Any) -> list[Answer]:
    """Answers of every kind: pages, data, scripts, refusals."""
    places = ["/", "/list", "/nowhere", "/static/page.css", "/static/none.css"]
    found = [ask(app, place) for place in places]
    return [*found, ask(app, "/", headers={"host": "evil"}), ask(app, "/", headers={"host": HOST})]


def test_every_answer_has_the_headers_that_keep_browsers_from_harm(app: Any) -> None:
    for found in answers(app):
        policy = found.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["referrer-policy"] == "no-referrer"
        assert found.headers["cache-control"] == "no-store"


def test_no_page_has_a_script_or_a_style_of_its_own(app: Any) -> None:
    for found in answers(app):
        if found.headers["content-type"].startswith("text/html"):
            assert not re.search(r"<script(?![^>]* src=\"/static/)", found.text)
            assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", found.text)


def test_the_key_is_in_no_answer(app: Any) -> None:
    for found in answers(app):
        assert KEYS.token not in found.text
        assert KEYS.cookie not in found.text


def test_a_server_for_other_machines_knows_addresses_but_no_foreign_names() -> None:
    hosts = known_hosts("0.0.0.0")
    for host in ("192.168.1.7:8765", "[fe80::1]:8765", "127.0.0.1:1", "localhost:1"):
        assert is_known_host(host_and_port(host)[0], hosts)
    assert not is_known_host("evil.example", hosts)
    assert known_hosts("127.0.0.1") == known_hosts("localhost")
