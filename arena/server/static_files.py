"""The scripts and styles of pages, by a list of names that is made once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from arena.report.page.assets import STATIC, read_lines
from arena.server.pages import bytes_of, not_found

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

STATIC_KINDS = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}


@cache
def static_files() -> dict[str, tuple[str, str]]:
    """The texts that may be asked for, each with its kind, by their names."""
    return {
        file.name: (read_lines(file), STATIC_KINDS[file.suffix])
        for file in STATIC.iterdir()
        if file.suffix in STATIC_KINDS
    }


async def static_file(request: Request) -> Response:
    """The answer with one of the files."""
    found = static_files().get(request.path_params["name"])
    return bytes_of(*found) if found else not_found()


def static_routes() -> list[Route]:
    """The route to all of them."""
    from starlette.routing import Route

    return [Route("/static/{name}", static_file)]
