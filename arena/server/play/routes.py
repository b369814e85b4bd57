"""The routes of games that people play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.errors import ConfigError
from arena.server.pages import UnreadableError, data, html, read_body, told
from arena.server.play.games import LiveGames

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

ACTS = ("move", "open", "undo", "hint", "resign", "leave")
MOST_STONES = 3  # Stones that are laid at once in an opening
NO_GAME = "There is no such game here any more."


def play_routes(games: LiveGames) -> list[Route]:
    from starlette.concurrency import run_in_threadpool
    from starlette.routing import Route

    def page(request: Request) -> Response:
        return html("play.html", title="Play")

    def offer(request: Request) -> Response:
        return data(games.offer.data() | {"tables": games.listing()})

    def state(request: Request) -> Response:
        return _state_of_game(games, request.path_params["id"], request.query_params.get("since"))

    async def begin(request: Request) -> Response:
        return await run_in_threadpool(_game_begun, games, await request.body())

    async def act(request: Request) -> Response:
        body = await request.body()
        return await run_in_threadpool(_acted, games, request.path_params["id"], body)

    return [
        Route("/play", page),
        Route("/play/offer", offer),
        Route("/play/games", begin, methods=["POST"]),
        Route("/play/games/{id}", state, methods=["GET"]),
        Route("/play/games/{id}", act, methods=["POST"]),
    ]


def _game_begun(games: LiveGames, body: bytes) -> Response:
    try:
        return data({"id": games.open(read_body(body))})
    except ConfigError as error:
        return told(409, str(error))


def _state_of_game(games: LiveGames, id: str, since: str | None) -> Response:
    from starlette.responses import Response

    try:
        game = games.find(id)
    except ConfigError as error:
        return told(409, str(error))
    if game is None:
        return told(404, NO_GAME)
    state = game.state
    if since == str(state["version"]):
        return Response(status_code=204)
    return data(state)


def _acted(games: LiveGames, id: str, body: bytes) -> Response:
    try:
        wish = read_body(body)
        act, ply = wish.get("act"), wish.get("ply")
        if act not in ACTS or not (ply is None or type(ply) is int):
            raise UnreadableError
        if act == "leave":
            games.forget(id)
            return data({"left": True})
        game = games.find(id)
        if game is None:
            return told(404, NO_GAME)
        text = _move_wanted(game.setup.game, wish.get("move")) if act == "move" else ""
        if act == "open":
            text = _stones_wanted(game.setup.game, wish.get("stones"))
        return data({"refused": game.do(act, text, ply), "state": game.state})
    except ConfigError as error:
        return told(409, str(error))


def _stones_wanted(rules: Any, numbers: Any) -> str:
    if not isinstance(numbers, list) or len(numbers) > MOST_STONES:
        raise UnreadableError
    return " ".join(_move_wanted(rules, number) for number in numbers)


def _move_wanted(rules: Any, number: Any) -> str:
    """The text of a move; UnreadableError if the number is none of the game's."""
    area = rules.size**2
    most = area * area if any(rules.start().cells) else area
    if type(number) is not int or not 0 <= number < most:
        raise UnreadableError
    return str(rules.text(number))
