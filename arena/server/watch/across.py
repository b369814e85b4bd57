"""The pages over several runs: two side by side, the ratings of all, and a player in all."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from re import fullmatch
from typing import TYPE_CHECKING

from arena.errors import ConfigError
from arena.report.answer import Answer
from arena.server.pages import html, not_found, plain_page
from arena.server.watch.followed_run import SLOW, FileFigures, Made, MadePages, figures_of
from arena.server.watch.run_list import RunFolder, RunFolders, RunList, listed
from arena.storage.folder import path_text

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from arena.ratings.rating_list import RatingList

KnownRuns = tuple[tuple[RunFolder, FileFigures], ...]
PLAYER = "/player/"
GONE = "No such player is in the ratings now."
TICK_TWO = "Tick two runs in the list, and they are shown side by side."


def across_views(pages: MadePages) -> dict[str, Callable[[Request], Response]]:
    def comparison(request: Request) -> Response:
        run_folders: RunFolders = request.app.state.run_folders
        ids = request.path_params
        before, after = run_folders.find(ids["before"]), run_folders.find(ids["after"])
        if not before or not after:
            return not_found("One of these runs is not in the folder now.")
        state = tuple(figures_of(each.folder) for each in (before, after))
        made = pages.page((before.id, after.id), state, lambda: _compared(before, after))
        title = f"{before.name} and {after.name}"
        return shown(made, title, turned=f"/compare/{after.id}/{before.id}", here="runs")

    def ratings(request: Request) -> Response:
        state, place = _everything(request)
        made = pages.page("ratings", state, lambda: _ratings_page(state, place))
        return shown(made, "Ratings over all runs", here="ratings")

    def player(request: Request) -> Response:
        id = request.path_params["id"]
        if not fullmatch("[0-9a-f]{12}", id):
            return not_found()
        state, place = _everything(request)
        made = pages.page(("player", id), state, lambda: _player_page(state, place, id))
        if made == GONE:
            return not_found(GONE)
        return shown(made, "A player", here="ratings")

    return {
        "/compare": _ticked,
        "/compare/{before}/{after}": comparison,
        "/ratings": ratings,
        "/player/{id}": player,
    }


def _everything(request: Request) -> tuple[KnownRuns, str]:
    run_list: RunList = request.app.state.run_list
    known = sorted(run_list.all(), key=lambda each: each.place.folder)
    place = path_text(request.app.state.run_folders.results)
    return tuple((each.place, each.figures) for each in known), place


def _ticked(request: Request) -> Response:
    """The way from two ticked runs to their page, on which the earlier one comes first."""
    from starlette.responses import RedirectResponse

    run_folders: RunFolders = request.app.state.run_folders
    ids = dict.fromkeys(request.query_params.getlist("run"))
    runs = [each for each in map(run_folders.find, ids) if each] if len(ids) == 2 else []
    if len(runs) != 2:
        return plain_page(400, "Not two runs", TICK_TWO)
    first, second = sorted(runs, key=lambda each: listed(each).played)
    return RedirectResponse(f"/compare/{first.id}/{second.id}", status_code=303)


def _compared(before: RunFolder, after: RunFolder) -> Answer:
    from arena.comparison.compare import compare
    from arena.comparison.comparison_answer import comparison_answer

    return comparison_answer(compare(before.folder, after.folder))


@lru_cache(maxsize=1)
def _rated(known: KnownRuns, place: str) -> RatingList:
    """The ratings over the runs of a place. Raises ConfigError if none has a game."""
    from arena.ratings.rating_list import rated_folders

    return rated_folders([run.folder for run, _ in known], place)


def _ratings_page(known: KnownRuns, place: str) -> Answer:
    from arena.ratings.rating_answer import ratings_answer

    return ratings_answer(_rated(known, place), PLAYER)


def _player_page(known: KnownRuns, place: str, id: str) -> Answer:
    """The page of a player. Raises ConfigError if none in the ratings has this id."""
    from arena.ratings.rating_answer import player_answer

    ratings = _rated(known, place)
    if id not in {row.id for row in ratings.players}:
        raise ConfigError(GONE)
    runs = {path_text(run.folder): (run.name, f"/runs/{run.id}") for run, _ in known}
    return player_answer(ratings, id, runs, PLAYER)


def shown(made: Made | None, title: str, here: str, turned: str = "") -> Response:
    if made is None:
        return plain_page(200, title, SLOW, retries=True)
    if isinstance(made, str):
        return plain_page(409, title, made)
    return html("across.html", title=made.title, document=made, turned=turned, here=here)
