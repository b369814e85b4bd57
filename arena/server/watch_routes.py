"""The routes of runs and studies that are watched and looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.server.library import Library
from arena.server.pages import html

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route


def runs_page(request: Request) -> Response:
    """The list of all runs."""
    library: Library = request.app.state.library
    return html("runs.html", title="Runs", runs=library.runs())


def watch_routes() -> list[Route]:
    """All of them."""
    from starlette.routing import Route

    return [Route("/", runs_page)]
