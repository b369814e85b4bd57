"""The guard at the door of the page: secrets, origins, and the browsers that it lets in."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Mapping
from time import time
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode

from arena.queue.submission import MOST_BODY as MOST_SUBMISSION
from arena.server.keys import ENTRY_LASTS, Keys, Origins, Role, host_and_port
from arena.server.pages import (
    UNREADABLE,
    UnreadableError,
    has_queue,
    may_play,
    may_submit,
    plain_page,
    told,
)

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 64 * 1024  # Bytes that a browser may send at once
MOST_QUERY = 2048
SUBMITTING = "/queue/tests"  # The path to which a browser that may submit tests can send more
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


class BodyTooLongError(Exception):
    """More was sent than is ever needed."""


class Guard:
    """Stands before the application: every request, of any path, is looked at here."""

    def __init__(self, app: ASGIApp, keys: Keys, origins: Origins, has_queue: bool = False) -> None:
        self._app = app
        self._keys = keys
        self._origins = origins
        self._has_queue = has_queue

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, _guarded_send(send))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._refusal(scope)
        if answer is None:
            try:
                await self._app(scope, _limited(receive, self._max_bytes(scope)), send)
                return
            except BodyTooLongError:
                answer = _too_long()
        await answer(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        """A refusal, or the redirect that sets the cookie; None if the request may pass.

        The state of one that passes says its role.
        """
        may_play.set(False)
        may_submit.set(False)
        has_queue.set(self._has_queue)
        headers, is_post = _headers_of(scope), scope["method"] == "POST"
        origin = self._origins.of(headers.get("host", ""))
        if origin is None:
            return self._no_entry(headers, None)
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return plain_page(405, "Not allowed", "This page is only read, or sent to by POST.")
        is_long_query = len(scope["query_string"]) > MOST_QUERY
        if is_long_query or _is_too_long(headers, self._max_bytes(scope)):
            return _too_long()
        if _is_asked_from_elsewhere(headers):
            return plain_page(403, "Not allowed", ELSEWHERE)
        if not is_post and (token := _token_in(scope)) is not None:
            return self._welcome(scope, origin, token)
        if not is_post and scope["path"].startswith("/static/"):
            return None  # the page that refuses has a style, too; everybody has these files
        role = self._role(headers, origin)
        if role is None:
            return self._no_entry(headers, origin)
        if is_post and headers.get("origin") != origin:
            return plain_page(403, "Not allowed", ELSEWHERE)
        if role is Role.LOOK and (is_post or not OPEN_TO_LOOKERS.fullmatch(scope["path"])):
            return (
                told(403, LOOKING_ONLY) if is_post else plain_page(403, "Not allowed", LOOKING_ONLY)
            )
        scope.setdefault("state", {})["role"] = role
        may_play.set(role is not Role.LOOK)
        may_submit.set(role is Role.SUBMIT)
        return None

    def _max_bytes(self, scope: Scope) -> int:
        """The longest body: that of a test, for a browser that may submit any."""
        if not self._has_queue or scope["method"] != "POST" or scope["path"] != SUBMITTING:
            return MOST_BODY
        headers = _headers_of(scope)
        origin = self._origins.of(headers.get("host", ""))
        role = self._role(headers, origin) if origin else None
        return MOST_SUBMISSION if role is Role.SUBMIT else MOST_BODY

    def _role(self, headers: Mapping[str, str], origin: str) -> Role | None:
        if self._origins.keeps_cookies(origin):
            for entry in _cookies(headers.get("cookie", ""), self._cookie(origin)):
                if role := self._keys.role_of_entry(entry, time()):
                    return role
        return self._keys.role_of_token(_password(headers))

    def _welcome(self, scope: Scope, origin: str, token: str) -> Response:
        """The way to where the browser is let in: the address without the token, and a cookie."""
        from starlette.responses import RedirectResponse

        role = self._keys.role_of_token(token)
        headers = _headers_of(scope)
        if role is None:
            return self._no_entry(headers, origin, token)
        if self._origins.keeps_cookies(origin):
            answer = RedirectResponse(_place_of(scope, without="token"), status_code=303)
            self._set_cookie(answer, origin, role)
            return answer
        if self._origins.own:
            port = host_and_port(headers["host"])[1]
            own = f"http://{self._origins.own}:{port}{_place_of(scope)}"
            return RedirectResponse(own, status_code=303)
        return self._no_entry(headers, origin)

    def _set_cookie(self, answer: Response, origin: str, role: Role) -> None:
        answer.set_cookie(
            self._cookie(origin),
            self._keys.entry(role, time()),
            max_age=int(ENTRY_LASTS),
            path="/",
            secure=origin.startswith("https:"),
            httponly=True,
            samesite="lax",  # a link in a letter or a chat leads to the page, not to a refusal
        )

    def _no_entry(
        self, headers: Mapping[str, str], origin: str | None, token: str = ""
    ) -> Response:
        """The answer to strangers, which says if anything that they gave was good once; where no
        cookie is kept, browsers then ask for a password."""
        secrets = [token, headers.get("host", "").partition(":")[0], _password(headers)]
        secrets += _cookies(headers.get("cookie", ""), self._cookie(origin or ""))
        is_old = any(map(self._keys.was_good, secrets))
        if origin is None:
            reason = OLD_LINK if is_old else NO_NAME
            return plain_page(400, "No entry", f"{reason} {BY_LINK}", links=False)
        if self._origins.keeps_cookies(origin):
            reason = OLD_LINK if is_old else NO_LINK
            return plain_page(403, "No entry", f"{reason} {BY_LINK}", links=False)
        reason = OLD_LINK if is_old else NO_PASSWORD
        answer = plain_page(401, "No entry", f"{reason} {BY_PASSWORD}", links=False)
        answer.headers["www-authenticate"] = 'Basic realm="gomoku-arena", charset="UTF-8"'
        return answer

    def _cookie(self, origin: str) -> str:
        """The name of the cookie: servers on other ports of the host have other names."""
        prefix = "__Host-" if origin.startswith("https:") else ""
        return f"{prefix}arena-{self._keys.port}"


NO_NAME = "This server does not answer to that name."
ELSEWHERE = "Only a page of this server may ask for that."
OLD_LINK = (
    "What let this browser in is old: 30 days are over, or arena serve --new-links has made new "
    "links since."
)
NO_PASSWORD = "No password was given, or one that never was good on this server."
NO_LINK = "This address has no token, or one that never was good on this server."
BY_LINK = (
    "Open the address that arena serve printed, or ask whoever started it for a link; this browser "
    "is then let in for 30 days."
)
BY_PASSWORD = (
    "Open the address that arena serve printed or, if this browser does not find it, reload this "
    "page and give its token as the password, with any name."
)
LOOKING_ONLY = "This link is for looking on: it can neither play nor stop a run."
OPEN_TO_LOOKERS = re.compile(
    r"/(list|now|runs/.*|compare(/.*)?|ratings|player/.*|queue|queue/list|queue/tests)?"
)
"""Paths of requests that cost no more than a look, and change nothing."""


def _too_long() -> Response:
    answer = plain_page(413, "Too long", "More was sent than this page ever needs.")
    answer.headers["connection"] = "close"  # or else all of it would be taken, and thrown away
    return answer


def _guarded_send(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = dict(message.get("headers", []))
            more = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            if b"cache-control" not in own:
                more.append((b"cache-control", b"no-store"))
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return send_with_headers


def _limited(receive: Receive, max_bytes: int) -> Receive:
    """Receive at most as much as a request may send; raises BodyTooLongError beyond that."""
    taken = 0

    async def receive_some() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > max_bytes:
            raise BodyTooLongError
        return message

    return receive_some


def _headers_of(scope: Scope) -> dict[str, str]:
    """The headers by their names; of two alike the last."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _is_too_long(headers: Mapping[str, str], max_bytes: int) -> bool:
    """True if a request says itself that it is too long, or does not say how long it is."""
    if "transfer-encoding" in headers:
        return True
    length = headers.get("content-length", "0")
    return not length.isdecimal() or len(length) > 9 or int(length) > max_bytes


def _query_of(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)


def _place_of(scope: Scope, without: str = "") -> str:
    """The path and the query of a request, without one of the query's names."""
    # Two slashes at the start would name another server.
    path = "/" + quote(scope["path"].lstrip("/\\"), safe="/")
    query = urlencode([pair for pair in _query_of(scope) if pair[0] != without])
    return f"{path}?{query}" if query else path


def _token_in(scope: Scope) -> str | None:
    return next((value for key, value in _query_of(scope) if key == "token"), None)


def _cookies(header: str, name: str) -> list[str]:
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    return [value for key, _, value in pairs if key == name]


def _password(headers: Mapping[str, str]) -> str:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return ""
    try:
        return b64decode(given.strip(), validate=True).decode().partition(":")[2]
    except ValueError:
        return ""


def _is_asked_from_elsewhere(headers: Mapping[str, str]) -> bool:
    """True for requests of a page of another origin; not for the step of a person from it to us."""
    is_from_there = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    return is_from_there and headers.get("sec-fetch-dest") != "document"


def body_error_handlers() -> dict[Any, Any]:
    """Handlers of bodies: one too long is left to the guard; nothing is said if one broke off."""
    from starlette.requests import ClientDisconnect
    from starlette.responses import Response

    async def pass_on(request: object, error: Exception) -> Response:
        raise error

    async def take_leave(request: object, error: Exception) -> Response:
        return Response(status_code=400)  # nobody reads it any more

    async def refuse(request: object, error: Exception) -> Response:
        return told(400, UNREADABLE)

    return {BodyTooLongError: pass_on, ClientDisconnect: take_leave, UnreadableError: refuse}
