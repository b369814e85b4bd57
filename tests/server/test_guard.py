"""The door of the page: the secret of its links, the requests that are let in, and the headers."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route
from support.page_requests import (
    ENTRY,
    HOST,
    KEYS,
    ORIGIN,
    Answer,
    ask,
    basic,
    entry,
    page_of,
    post,
)

from arena.errors import ConfigError
from arena.server.access import MOST_BODY
from arena.server.keys import (
    ENTRY_LASTS,
    LOCAL_HOSTS,
    Keys,
    Origins,
    Role,
    forget_secret,
    host_and_port,
    is_known_host,
    keys_for,
    known_hosts,
    public_origin,
    secret_file,
)

CLIMBS = [
    *("../../../../etc/passwd", "..%2f..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd"),
    *("..%252f..%252fetc%252fpasswd", "/etc/passwd", "%2fetc%2fpasswd", "....//....//etc/passwd"),
    *("..\\..\\etc\\passwd", "%00", "round", "round%00", ".", "..", "~", "-", "C:", "file:///etc"),
    *("page.css/../../assets.py", "..%2fassets.py", "%2e%2e%2fassets.py", "page.css%00.js"),
    *("𝟘" * 40, "a" * 5000, "'; DROP TABLE games; --", "{id}", "%ff%fe", "\u202e"),
]

TOKEN = KEYS.token(Role.PLAY)
LOOKER = entry(Role.LOOK)


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


def test_the_token_is_exchanged_for_a_cookie(app: Any) -> None:
    found = ask(app, f"/runs/1?token={TOKEN}&x=1", headers={"host": HOST})
    assert (found.status, found.headers["location"]) == (303, "/runs/1?x=1")
    cookie = found.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    assert ask(app, "/", headers={"host": HOST, "cookie": cookie.split(";")[0]}).status == 200


def test_the_exchange_leads_to_no_other_server(app: Any) -> None:
    for path in ("//evil.example/", "/%5cevil.example", "/\\evil.example", "/%2f/evil.example"):
        found = ask(app, f"{path}?token={TOKEN}", headers={"host": HOST})
        assert re.match(r"/[^/\\]", found.headers["location"])


REFUSED: list[dict[str, str]] = [
    {"host": HOST},
    {"host": HOST, "cookie": ""},
    {"host": HOST, "cookie": "arena-8765="},
    {"host": HOST, "cookie": f"{ENTRY['cookie']}2"},
    {"host": HOST, "cookie": f"x{ENTRY['cookie']}"},
    {"host": HOST, "cookie": ENTRY["cookie"].replace("8765", "1")},
    {"host": HOST, "cookie": entry(Role.LOOK)["cookie"].replace("look", "play")},
    {"host": HOST, "cookie": f"arena-8765={TOKEN}"},
    {"host": HOST, "cookie": f"arena-8765={KEYS.entry(Role.PLAY, 1e9)}"},
    {"host": HOST, "authorization": TOKEN},
    {"host": HOST, "authorization": f"Bearer {TOKEN}"},
    {"host": HOST, "authorization": basic("")},
    {"host": HOST, "authorization": basic(TOKEN[:-1])},
    {"host": HOST, "authorization": "Basic \u00ff"},
]


@pytest.mark.parametrize("headers", REFUSED)
def test_who_has_no_token_is_let_nowhere(headers: dict[str, str], app: Any) -> None:
    for route in routes(app):
        if route.path.startswith("/static/"):
            continue  # everybody who has this package has those
        for method in route.methods or ():
            found = ask(app, route.path, method, {**headers, "origin": ORIGIN})
            assert found.status == 403, route.path


@pytest.mark.parametrize("token", ["", TOKEN[:-1], f"{TOKEN}2", KEYS.host, "%ff", "é"])
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
            "127.0.0.1:99999",
            f"{KEYS.host}.evil.example:8765",
            f"x.{KEYS.host}:8765",
        ),
    ],
)
def test_a_foreign_host_is_refused_whatever_else_it_has(host: str, app: Any) -> None:
    for method in ("GET", "POST"):
        headers = {**ENTRY, "host": host, "origin": f"http://{host}"}
        assert ask(app, "/", method, headers).status == 400


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"])
def test_a_name_that_other_servers_share_wants_a_password_and_keeps_no_cookie(
    name: str, app: Any
) -> None:
    host = f"{name}:8765"
    found = ask(app, "/", headers=entry(host=host))
    assert (found.status, found.headers["www-authenticate"][:5]) == (401, "Basic")
    assert ask(app, "/", headers={"host": host, "authorization": basic(TOKEN)}).status == 200
    found = ask(app, f"/runs/1?token={TOKEN}&x=1", headers={"host": host})
    own = f"http://{HOST}/runs/1?token={TOKEN}&x=1"
    assert (found.status, found.headers["location"]) == (303, own)
    assert "set-cookie" not in found.headers


def test_the_name_of_the_server_is_kept_where_ssh_leads_another_port_to_it(app: Any) -> None:
    found = ask(app, f"/?token={TOKEN}", headers={"host": "127.0.0.1:9000"})
    assert found.headers["location"] == f"http://{KEYS.host}:9000/?token={TOKEN}"
    assert ask(app, "/", headers=entry(host=f"{KEYS.host}:9000")).status == 200


def test_a_server_for_other_machines_that_does_not_encrypt_keeps_no_cookie(results: Path) -> None:
    with page_of(results, Origins(known_hosts("0.0.0.0"))) as app:
        for host in ("192.168.1.7:8765", "127.0.0.1:8765"):
            found = ask(app, f"/?token={TOKEN}", headers={"host": host})
            assert (found.status, "set-cookie" in found.headers) == (401, False)
            headers = {"host": host, "authorization": basic(TOKEN)}
            assert ask(app, "/", headers=headers).status == 200
            allowed = {**headers, "origin": f"http://{host}"}
            assert ask(app, "/runs/1/stop", "POST", headers).status == 403
            assert ask(app, "/runs/1/stop", "POST", allowed).status == 404


ENCRYPTED = {
    "by a proxy": (Origins(LOCAL_HOSTS, KEYS.host, public="https://a.example"), "a.example"),
    "here": (Origins(known_hosts("0.0.0.0"), scheme="https"), "192.168.1.7:8765"),
}


@pytest.mark.parametrize("kind", ENCRYPTED)
def test_where_it_is_encrypted_the_cookie_stays_with_the_name(kind: str, results: Path) -> None:
    origins, host = ENCRYPTED[kind]
    with page_of(results, origins) as app:
        found = ask(app, f"/?token={TOKEN}", headers={"host": host})
        cookie = found.headers["set-cookie"]
        assert cookie.startswith("__Host-arena-8765=play.")
        assert {"Secure", "HttpOnly", "Path=/"} <= set(cookie.split("; "))
        headers = {"host": host, "cookie": cookie.split(";")[0]}
        assert ask(app, "/", headers=headers).status == 200
        assert ask(app, "/", headers={"host": host, **entry(host=host)}).status == 403
        for origin, status in ((f"https://{host}", 404), (f"http://{host}", 403)):
            headers["origin"] = origin
            assert ask(app, "/runs/1/stop", "POST", headers).status == status


def test_what_a_proxy_forwards_is_not_believed_about_the_name(results: Path) -> None:
    with page_of(results, ENCRYPTED["by a proxy"][0]) as app:
        for name in ("x-forwarded-host", "forwarded", "x-forwarded-proto", "x-forwarded-for"):
            headers = {**ENTRY, "host": "evil.example", name: "a.example"}
            assert ask(app, "/", headers=headers).status == 400


@pytest.mark.parametrize(
    "address",
    [
        *("", "arena.example.org", "http://arena.example.org", "https://", "https://a/path"),
        *("https://a?x", "https://a#x", "https://user@a", "https://a:port", "https://[::1"),
    ],
)
def test_the_address_of_a_proxy_is_a_name_of_its_own_and_encrypted(address: str) -> None:
    with pytest.raises(ConfigError, match="--public-url: must be https://NAME"):
        public_origin(address)


def test_the_address_of_a_proxy_is_what_browsers_call_its_origin() -> None:
    for address in ("https://a.example", "https://A.example:443/", " https://a.example/ "):
        assert public_origin(address) == "https://a.example"
    assert public_origin("https://a.example:8443") == "https://a.example:8443"


def test_a_looker_sees_runs_and_does_nothing(app: Any, results: Path) -> None:
    for path in ("/", "/list", "/now", "/runs/1", "/runs/1/pulse"):
        assert ask(app, path, headers=LOOKER).status in (200, 303, 404)
    for route in routes(app):
        for method in route.methods or ():
            found = ask(app, route.path, method, {**LOOKER, "origin": ORIGIN})
            open_paths = r"/(|list|now|runs/.*|compare(/.*)?|ratings|player/.*|static/.*)$"
            is_open = method != "POST" and re.match(open_paths, route.path)
            # 400: no two runs are ticked.
            assert found.status in ((200, 303, 400, 404) if is_open else (403,)), route.path


def test_a_looker_is_shown_no_way_to_play(app: Any) -> None:
    for path in ("/", f"/runs/{app.state.run_folders.runs()[0].id}"):
        for _ in range(2):  # pages are kept, for each role its own
            assert ">Play</a>" in ask(app, path).text
            found = ask(app, path, headers=LOOKER).text
            assert ">Play</a>" not in found
            assert '<body class="looking">' in found
    assert 'href="/play"' not in ask(app, "/play", headers=LOOKER).text
    assert 'href="/play"' not in ask(app, "/", headers={"host": HOST}).text
    answer = ask(app, f"/?token={KEYS.token(Role.LOOK)}", headers={"host": HOST})
    assert answer.headers["set-cookie"].startswith("arena-8765=look.")


def test_an_entry_ends_after_thirty_days(app: Any) -> None:
    now = time.time()
    for age, status in ((ENTRY_LASTS - 60, 200), (ENTRY_LASTS + 1, 403)):
        cookie = f"arena-8765={KEYS.entry(Role.PLAY, now - age)}"
        assert ask(app, "/", headers={"host": HOST, "cookie": cookie}).status == status
    found = ask(app, f"/?token={TOKEN}", headers={"host": HOST})
    assert f"Max-Age={int(ENTRY_LASTS)}" in found.headers["set-cookie"]


OLDER = Keys(b"a secret of before", KEYS.port)


@pytest.mark.parametrize(
    ("address", "headers", "is_old"),
    [
        ("/", {"host": HOST, "cookie": f"arena-8765={KEYS.entry(Role.LOOK, 0)}"}, True),
        ("/", {"host": HOST, "cookie": f"arena-8765={OLDER.entry(Role.PLAY, time.time())}"}, True),
        (f"/?token={OLDER.token(Role.PLAY)}", {"host": HOST}, True),
        (f"/?token={OLDER.token(Role.PLAY)}", {"host": f"{OLDER.host}:8765"}, True),
        ("/", {"host": "127.0.0.1:8765", "authorization": basic(OLDER.token(Role.LOOK))}, True),
        ("/", {"host": HOST}, False),
        ("/?token=", {"host": HOST}, False),
        (f"/?token={TOKEN[:-1]}", {"host": HOST}, False),
        (f"/?token={Keys(b'of another', 1).token(Role.PLAY)}", {"host": HOST}, False),
        ("/", {"host": HOST, "cookie": "arena-8765=play.5.x"}, False),
        ("/", {"host": "evil.example"}, False),
        ("/", {"host": "127.0.0.1:8765", "authorization": basic("x")}, False),
    ],
)
def test_the_page_for_strangers_tells_old_links_from_those_that_never_were_good(
    address: str, headers: dict[str, str], is_old: bool, results: Path
) -> None:
    keys = replace(KEYS, before=OLDER.secret)
    with page_of(results, keys=keys) as app:
        found = ask(app, address, headers=headers)
        assert found.status in (400, 401, 403)
        assert ("is old" in found.text) is is_old
        assert "<nav" not in found.text
    assert "<nav" in ask(app, "/play", headers=LOOKER).text


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_pages_of_elsewhere_can_lead_here_but_load_nothing(site: str, app: Any) -> None:
    for headers in (ENTRY, {"host": "127.0.0.1:8765", "authorization": basic(TOKEN)}):
        for kind, status in (("document", 200), ("image", 403), ("iframe", 403), ("empty", 403)):
            told = {**headers, "sec-fetch-site": site, "sec-fetch-dest": kind}
            assert ask(app, "/", headers=told).status == status
        told = {**headers, "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty"}
        assert ask(app, "/", headers=told).status == 200


def test_a_request_without_a_host_is_refused(app: Any) -> None:
    assert ask(app, "/", headers={"cookie": ENTRY["cookie"]}).status == 400


@pytest.mark.parametrize(
    "origin",
    [
        *(None, "null", "", "http://evil.example", f"https://{HOST}", f"http://{KEYS.host}"),
        *(f"http://{KEYS.host}:8766", "http://localhost:8765", f"http://{HOST}.evil.example"),
        "http://127.0.0.1:8765",
    ],
)
def test_nothing_is_done_for_a_page_of_elsewhere(origin: str | None, app: Any) -> None:
    headers = ENTRY if origin is None else {**ENTRY, "origin": origin}
    for route in routes(app):
        if "POST" in (route.methods or ()):
            assert ask(app, route.path, "POST", headers).status == 403


def test_a_token_in_a_post_is_none(app: Any) -> None:
    headers = {"host": HOST, "origin": ORIGIN}
    assert ask(app, f"/runs/1/stop?token={TOKEN}", "POST", headers).status == 403


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

    app.router.routes.append(Route("/taker", taker, methods=["POST"]))
    try:
        assert post(app, "/taker", [b"x" * MOST_BODY]).text == str(MOST_BODY)
        assert post(app, "/taker", [b"x" * MOST_BODY, b"x"]).status == 413
        assert post(app, "/taker", [b"x" * 2**16] * 160).status == 413
    finally:
        app.router.routes.pop()


@pytest.mark.parametrize("length", ["-1", "1e3", "x", "9" * 30, "", "０"])
def test_a_length_that_is_none_is_refused(length: str, app: Any) -> None:
    assert post(app, "/runs/1/stop", **{"content-length": length}).status == 413


def test_a_body_without_a_length_is_refused(app: Any) -> None:
    assert post(app, "/runs/1/stop", **{"transfer-encoding": "chunked"}).status == 413


def test_a_query_that_is_too_long_is_refused(app: Any) -> None:
    assert ask(app, f"/?{'x' * 5000}").status == 413


def answers(app: Any) -> list[Answer]:
    places = ["/", "/list", "/play", "/nowhere", "/static/page.css", "/static/none.css"]
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


def test_no_page_has_a_script_or_a_style_of_its_own_and_no_answer_the_key(app: Any) -> None:
    for found in answers(app):
        assert TOKEN not in found.text
        assert KEYS.host not in found.text
        if found.headers["content-type"].startswith("text/html"):
            assert not re.search(r"<script(?![^>]* src=\"/static/)", found.text)
            assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", found.text)


def test_a_server_for_other_machines_knows_addresses_but_no_foreign_names() -> None:
    hosts = known_hosts("0.0.0.0")
    for host in ("192.168.1.7:8765", "[fe80::1]:8765", "127.0.0.1:1", "localhost:1"):
        assert is_known_host(host_and_port(host)[0], hosts)
    assert not is_known_host("evil.example", hosts)
    assert known_hosts("127.0.0.1") == known_hosts("localhost")


def test_the_words_of_a_port_stay_the_same(tmp_path: Path) -> None:
    file = tmp_path / "state" / "page.key"
    assert keys_for(1, file) == keys_for(1, file)
    assert keys_for(1, file) != keys_for(2, file)
    assert keys_for(1, file) != keys_for(1, tmp_path / "other")


def test_no_word_is_good_for_another_port_role_or_purpose() -> None:
    one, other = Keys(b"secret", 1), Keys(b"secret", 2)
    words = [each.token(role) for each in (one, other) for role in Role]
    words += [each.entry(role, 0) for each in (one, other) for role in Role]
    assert len({*words, one.host, other.host}) == len(words) + 2
    assert one.role_of_token(one.token(Role.LOOK)) is Role.LOOK
    assert one.role_of_entry(one.entry(Role.LOOK, 5), 6) is Role.LOOK
    for word in (other.token(Role.PLAY), one.entry(Role.PLAY, 0), one.host, "", "play.0.", "é"):
        assert one.role_of_token(word) is None
    for word in (other.entry(Role.PLAY, 0), one.token(Role.PLAY), "", "play.0.x", "..", "a.0.b"):
        assert one.role_of_entry(word, 0) is None


def test_the_name_of_a_server_is_a_label_that_browsers_take_for_this_machine() -> None:
    assert re.fullmatch(r"[a-z2-7]{16}\.localhost", Keys(b"secret", 1).host)


def test_new_links_leave_nothing_of_the_old_ones(tmp_path: Path) -> None:
    file = tmp_path / "page.key"
    forget_secret(file)
    before = keys_for(1, file)
    forget_secret(file)
    now = keys_for(1, file)
    for role in Role:
        assert now.role_of_token(before.token(role)) is None
        assert now.role_of_entry(before.entry(role, 5), 6) is None
        assert now.was_good(before.token(role))
        assert now.was_good(before.entry(role, 5))
        assert not before.was_good(now.token(role))
    assert now.was_good(before.host)
    assert not before.was_good(before.host)  # which tells nothing of who asks for it
    assert all(each.stat().st_mode & 0o077 == 0 for each in file.parent.iterdir())


def test_nobody_else_can_read_the_secret(tmp_path: Path) -> None:
    file = tmp_path / "state" / "page.key"
    keys_for(1, file)
    assert file.stat().st_mode & 0o077 == 0
    assert [each.name for each in file.parent.iterdir()] == ["page.key"]


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o606])
def test_a_secret_that_others_could_read_or_write_is_thrown_away(mode: int, tmp_path: Path) -> None:
    file = tmp_path / "page.key"
    before = keys_for(1, file)
    file.chmod(mode)
    assert keys_for(1, file) != before
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 33])
def test_what_is_no_secret_is_replaced(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "page.key"
    file.write_bytes(content)
    file.chmod(0o600)
    assert keys_for(1, file) == keys_for(1, file)
    assert len(file.read_bytes()) == 32


def test_where_nothing_can_be_kept_the_secret_lasts_as_long_as_the_process(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    one, other = keys_for(1, tmp_path / "file" / "key"), keys_for(1, tmp_path / "file" / "key")
    assert one != other


def test_the_secret_is_among_what_programs_keep_of_a_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert secret_file() == tmp_path / "gomoku-arena" / "page.key"
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert secret_file() == tmp_path / ".local" / "state" / "gomoku-arena" / "page.key"
