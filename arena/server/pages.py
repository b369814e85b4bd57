"""The answers of the server, and the bodies that it reads: pages, their files, and JSON."""

from __future__ import annotations

import json
from contextvars import ContextVar
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from arena.report.numbers import json_text
from arena.report.page.assets import STATIC, read_lines
from arena.report.page.render import environment

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

HTML = "text/html; charset=utf-8"
STATIC_KINDS = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
may_play: ContextVar[bool] = ContextVar("may_play", default=True)
"""True for a request that may do more than look on; pages show no buttons to others."""
may_submit: ContextVar[bool] = ContextVar("may_submit", default=False)
"""True for a request that may bring tests into the queue, and code with them."""
has_queue: ContextVar[bool] = ContextVar("has_queue", default=False)
"""True for a request to a server with a queue, to which all pages then lead."""
UNREADABLE = "That is nothing this page asks for."


class UnreadableError(Exception):
    """A body that is no JSON of ours."""


def html(template: str, status: int = 200, **values: Any) -> Response:
    values |= {"may_play": may_play.get(), "has_queue": has_queue.get()}
    return _bytes_of(environment().get_template(template).render(**values), HTML, status)


def plain_page(
    status: int, title: str, text: str, retries: bool = False, links: bool = True
) -> Response:
    """A page of a sentence or two, maybe without `links` to others; if it `retries`, it gives way
    to what comes up in its place."""
    return html("told.html", status, title=title, text=text, retries=retries, links=links)


def not_found(text: str = "There is no such page here.") -> Response:
    return plain_page(HTTPStatus.NOT_FOUND, "Not here", text, retries=True)


def data(value: Any, status: int = 200) -> Response:
    return _bytes_of(json_text(value), "application/json", status)


def read_body(body: bytes) -> dict[str, Any]:
    """The object that a body holds; UnreadableError if it holds none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise UnreadableError from None
    if not isinstance(value, dict):
        raise UnreadableError
    return value


def told(status: int, text: str) -> Response:
    return data({"error": text}, status)


def _bytes_of(text: str, kind: str, status: int = 200) -> Response:
    """A text as an answer; characters that UTF-8 lacks, as from foreign files, become `?`."""
    from starlette.responses import Response

    return Response(text.encode("utf-8", "replace"), status, media_type=kind)


@cache
def static_files() -> dict[str, tuple[str, str]]:
    """The texts that may be asked for, each with its kind, by their names."""
    return {
        file.name: (read_lines(file), STATIC_KINDS[file.suffix])
        for file in STATIC.iterdir()
        if file.suffix in STATIC_KINDS
    }


async def static_file(request: Request) -> Response:
    file = static_files().get(request.path_params["name"])
    return _bytes_of(*file) if file else not_found()


def static_routes() -> list[Route]:
    from starlette.routing import Route

    return [Route("/static/{name}", static_file)]
