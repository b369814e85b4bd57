"""The routes of the board to think with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.errors import ConfigError
from arena.server.analysis.analysis import Analyses, shown_position
from arena.server.pages import data, html, read_body, told

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

NO_ANALYSIS = "There is no such analysis here any more."


def analysis_routes(analyses: Analyses) -> list[Route]:
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import Response
    from starlette.routing import Route

    def page(request: Request) -> Response:
        return html("analysis.html", title="Analysis")

    def state(request: Request) -> Response:
        analysis = analyses.find(request.path_params["id"])
        if analysis is None:
            return told(404, NO_ANALYSIS)
        now = analysis.state
        if request.query_params.get("since") == now["version"]:
            return Response(status_code=204)
        return data(now)

    async def look(request: Request) -> Response:
        return await run_in_threadpool(_looked, analyses, await request.body())

    async def read(request: Request) -> Response:
        return await run_in_threadpool(_position_read, analyses, await request.body())

    async def rest(request: Request) -> Response:
        analysis = analyses.find(request.path_params["id"])
        if analysis is None:
            return told(404, NO_ANALYSIS)
        await run_in_threadpool(analysis.rest)
        return data({})

    return [
        Route("/analysis", page),
        Route("/analysis/positions", read, methods=["POST"]),
        Route("/analysis/boards", look, methods=["POST"]),
        Route("/analysis/boards/{id}", state, methods=["GET"]),
        Route("/analysis/boards/{id}/rest", rest, methods=["POST"]),
    ]


def _looked(analyses: Analyses, body: bytes) -> Response:
    try:
        wish = read_body(body)
        id, rules, p = analyses.look(wish)
    except ConfigError as error:
        return data({"refused": str(error)})
    analysis = analyses.find(id)
    state = analysis.state if analysis else None
    return data({"id": id, "position": shown_position(rules, p), "state": state})


def _position_read(analyses: Analyses, body: bytes) -> Response:
    try:
        return data(shown_position(*analyses.position(read_body(body))))
    except ConfigError as error:
        return data({"refused": str(error)})
