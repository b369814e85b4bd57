"""The guard at the door of the page: it lets in only the browser that was given the address.

Everybody on this machine can reach its ports, and every web page can send requests to them.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection, Mapping
from hmac import compare_digest
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from arena.server.keys import Keys
from arena.server.pages import plain_page

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 64 * 1024
"""Bytes that a browser may send at once."""
MOST_QUERY = 2048
LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
NO_STORE = ("cache-control", "no-store")


class BodyTooLongError(Exception):
    """More was sent than is ever needed."""


class Guard:
    """Stands before the application: every request, whatever its path, is looked at here."""

    def __init__(self, app: ASGIApp, keys: Keys, hosts: Collection[str]) -> None:
        """`hosts`: names and addresses of this machine that a browser may have typed."""
        self._app = app
        self._keys = keys
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, guarded_send(send))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of a browser."""
        answer = self._refusal(scope)
        if answer is None:
            try:
                await self._app(scope, limited(receive), send)
                return
            except BodyTooLongError:
                answer = too_long()
        await answer(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        """A refusal, or the redirect that sets the cookie; None if the request may pass."""
        headers = headers_of(scope)
        host, port = host_and_port(headers.get("host", ""))
        if not is_known_host(host, self._hosts):
            return plain_page(400, "Unknown address", UNKNOWN_ADDRESS)
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return plain_page(405, "Not allowed", "This page is only read, or sent to by POST.")
        if len(scope["query_string"]) > MOST_QUERY or is_too_long(headers):
            return too_long()
        cookie = f"arena-{port}"
        if scope["method"] != "POST" and (given := token_in(scope)) is not None:
            if not compare_digest(given.encode(), self._keys.token.encode()):
                return plain_page(403, "No entry", NO_ENTRY)
            return self._welcome(scope, cookie)
        if scope["method"] != "POST" and scope["path"].startswith("/static/"):
            return None  # the page that refuses has a style, too; everybody has these files
        if not is_allowed(headers.get("cookie", ""), cookie, self._keys.cookie):
            return plain_page(403, "No entry", NO_ENTRY)
        if scope["method"] == "POST" and headers.get("origin") != f"http://{headers['host']}":
            return plain_page(403, "Not allowed", "Only a page of this server may ask for that.")
        return None

    def _welcome(self, scope: Scope, cookie: str) -> Response:
        """Give the browser its cookie, and the address without the token."""
        from starlette.responses import RedirectResponse

        query = [(key, value) for key, value in query_of(scope) if key != "token"]
        # Two slashes at the start would name another server.
        path = "/" + quote(scope["path"].lstrip("/\\"), safe="/")
        place = f"{path}?{urlencode(query)}" if query else path
        answer = RedirectResponse(place, status_code=303)
        answer.set_cookie(cookie, self._keys.cookie, path="/", httponly=True, samesite="strict")
        return answer


UNKNOWN_ADDRESS = "This server does not answer to that name. Open the address that it printed."
NO_ENTRY = (
    "This page belongs to who started it. Open the address that arena serve printed, with its "
    "token; this browser is then let in from now on."
)


def too_long() -> Response:
    """The answer to a request that is longer than any of the page's."""
    answer = plain_page(413, "Too long", "More was sent than this page ever needs.")
    answer.headers["connection"] = "close"  # or else all of it would be taken, and thrown away
    return answer


def guarded_send(send: Send) -> Send:
    """Send with the headers that every answer has."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = dict(message.get("headers", []))
            more = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            if b"cache-control" not in own:
                more.append((NO_STORE[0].encode(), NO_STORE[1].encode()))
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return send_with_headers


def limited(receive: Receive) -> Receive:
    """Receive at most as much as a request may send; raises BodyTooLongError beyond that."""
    taken = 0

    async def receive_some() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > MOST_BODY:
            raise BodyTooLongError
        return message

    return receive_some


def headers_of(scope: Scope) -> dict[str, str]:
    """The headers by their names; of two alike the last."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def is_too_long(headers: Mapping[str, str]) -> bool:
    """True if a request says itself that it is too long, or does not say how long it is."""
    if "transfer-encoding" in headers:
        return True
    length = headers.get("content-length", "0")
    return not length.isdecimal() or len(length) > 9 or int(length) > MOST_BODY


def host_and_port(text: str) -> tuple[str, str]:
    """The two parts of a Host header; an empty host for what is none."""
    try:
        parts = urlsplit(f"//{text}")
        if parts.username is not None or parts.path or parts.query or parts.fragment:
            return "", ""
        return parts.hostname or "", str(parts.port or 80)
    except ValueError:
        return "", ""


def is_known_host(host: str, hosts: Collection[str]) -> bool:
    """True for a name of ours; for any address, where `hosts` has `*`: names alone can be bent."""
    if host in hosts:
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return "*" in hosts


def is_loopback(host: str) -> bool:
    """True for an address that only this machine reaches."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in LOCAL_HOSTS


def known_hosts(host: str) -> frozenset[str]:
    """The hosts that a server at this address answers to."""
    if host in LOCAL_HOSTS:
        return LOCAL_HOSTS
    return LOCAL_HOSTS | {host.lower(), socket.gethostname().lower(), "*"}


def query_of(scope: Scope) -> list[tuple[str, str]]:
    """The names and values after the path."""
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)


def token_in(scope: Scope) -> str | None:
    """The token of an address; None if it has none."""
    return next((value for key, value in query_of(scope) if key == "token"), None)


def is_allowed(header: str, name: str, value: str) -> bool:
    """True if a browser's cookies have the one that lets it in."""
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    given = [text for key, _, text in pairs if key == name]
    return any(compare_digest(each.encode(), value.encode()) for each in given)


def body_error_handlers() -> dict[Any, Any]:
    """Handlers that leave a body too long to the guard, and say nothing of one that broke off."""
    from starlette.requests import ClientDisconnect
    from starlette.responses import Response

    async def pass_on(request: object, error: Exception) -> Response:
        raise error

    async def take_leave(request: object, error: Exception) -> Response:
        return Response(status_code=400)  # nobody reads it any more

    return {BodyTooLongError: pass_on, ClientDisconnect: take_leave}
