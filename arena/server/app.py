"""The application: its routes, behind the guard."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from arena.errors import ConfigError, DiskFullError, refusal_of
from arena.server.access import Guard, body_error_handlers
from arena.server.analysis.analysis import Analyses
from arena.server.analysis.routes import analysis_routes
from arena.server.keys import Keys, Origins
from arena.server.pages import not_found, plain_page, static_routes
from arena.server.play.games import LiveGames
from arena.server.play.routes import play_routes
from arena.server.queue import ServedQueue, queue_routes
from arena.server.watch.across import MadePages
from arena.server.watch.routes import watch_routes
from arena.server.watch.run_list import RunFolders, RunList

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

logger = logging.getLogger(__name__)


def application(
    run_folders: RunFolders,
    games: LiveGames,
    keys: Keys,
    origins: Origins,
    queue: ServedQueue | None = None,
) -> Starlette:
    """The page of these runs and games, for browsers that have the keys; maybe with a queue.

    Its parts find `run_folders` and `games` in the application's state; both closed at its end.
    """
    from starlette.applications import Starlette
    from starlette.middleware import Middleware

    analyses, run_list, pages = Analyses(games.offer), RunList(run_folders), MadePages()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            analyses.close()
            games.close()
            pages.close()
            run_folders.close()

    app = Starlette(
        routes=[
            *static_routes(),
            *watch_routes(run_list, pages),
            *play_routes(games),
            *analysis_routes(analyses),
            *(queue_routes(queue) if queue else ()),
        ],
        middleware=[Middleware(Guard, keys=keys, origins=origins, has_queue=queue is not None)],
        exception_handlers={404: lost, 405: lost, Exception: failed, **body_error_handlers()},
        lifespan=lifespan,
    )
    app.state.run_folders, app.state.games = run_folders, games
    app.state.run_list = run_list
    return app


async def lost(request: Request, error: Exception) -> Response:
    return not_found()


async def failed(request: Request, error: Exception) -> Response:
    """The answer after a fault of ours, which is in the terminal; the server goes on.

    What the system refuses, such as room on the disk, is told in words at both ends.
    """
    if refusal := error if isinstance(error, ConfigError) else refusal_of(error):
        words = refusal.why if isinstance(refusal, DiskFullError) else "the system refuses it"
        logger.error("%s %s: %s", request.method, request.url.path, refusal)
        return plain_page(503, "Not now", f"The server cannot do this now: {words}.")
    logger.error("%s %s", request.method, request.url.path, exc_info=error)
    return plain_page(500, "A fault", "This page failed; the terminal of arena serve says how.")
