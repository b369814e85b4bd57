"""The pages over several runs: two of them side by side, and the ratings of all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from arena.server.pages import html, not_found, plain_page
from arena.server.watch.followed_run import SLOW, figures_of
from arena.server.watch.made_pages import Made, MadePages
from arena.server.watch.run_folders import RunFolder, RunFolders
from arena.server.watch.run_list import ListedRun, RunList, listed
from arena.storage.folder import path_text

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from arena.report.answer import Answer

TICK_TWO = "Tick two runs in the list, and they are shown side by side."


def across_views(pages: MadePages) -> dict[str, Callable[[Request], Response]]:
    """The views by their paths; the pages are kept in `pages`."""

    def comparison(request: Request) -> Response:
        """Two runs side by side."""
        both = [found_run(request, name) for name in ("before", "after")]
        before, after = both
        if not before or not after:
            return not_found("One of these runs is not in the folder now.")
        state = tuple(figures_of(each.folder) for each in (before, after))
        made = pages.page((before.id, after.id), state, lambda: compared(before, after))
        title = f"{before.name} and {after.name}"
        return shown(made, title, turned=f"/compare/{after.id}/{before.id}", here="runs")

    def ratings(request: Request) -> Response:
        """The ratings over all runs."""
        run_list: RunList = request.app.state.run_list
        everything = sorted(run_list.all(), key=lambda each: each.place.id)
        state = tuple((each.place.id, each.figures) for each in everything)
        place = path_text(request.app.state.run_folders.results)
        made = pages.page("ratings", state, lambda: rated(everything, place))
        return shown(made, "Ratings over all runs", here="ratings")

    return {"/compare": ticked, "/compare/{before}/{after}": comparison, "/ratings": ratings}


def found_run(request: Request, name: str) -> RunFolder | None:
    """The run whose id the address has under this name."""
    run_folders: RunFolders = request.app.state.run_folders
    return run_folders.find(request.path_params[name])


def ticked(request: Request) -> Response:
    """The way from two ticked runs to their page, on which the earlier one comes first."""
    from starlette.responses import RedirectResponse

    run_folders: RunFolders = request.app.state.run_folders
    ids = dict.fromkeys(request.query_params.getlist("run"))
    found = [each for each in map(run_folders.find, ids) if each] if len(ids) == 2 else []
    if len(found) != 2:
        return plain_page(400, "Not two runs", TICK_TWO)
    first, second = sorted(found, key=lambda each: listed(each).played)
    return RedirectResponse(f"/compare/{first.id}/{second.id}", status_code=303)


def compared(before: RunFolder, after: RunFolder) -> Answer:
    """The page of two runs. Raises ConfigError if they cannot be compared."""
    from arena.comparison.compare import compare
    from arena.comparison.comparison_answer import comparison_answer

    return comparison_answer(compare(before.folder, after.folder))


def rated(everything: list[ListedRun], place: str) -> Answer:
    """The page of the ratings over the runs of a place. Raises ConfigError if none has a game."""
    from arena.ratings.rating_answer import ratings_answer
    from arena.ratings.rating_list import rated_folders

    folders = [each.place.folder for each in everything]
    return ratings_answer(rated_folders(folders, place))


def shown(made: Made | None, title: str, here: str, turned: str = "") -> Response:
    """A page that was made, the reason why there is none, or a page that asks again."""
    if made is None:
        return plain_page(200, title, SLOW, retries=True)
    if isinstance(made, str):
        return plain_page(409, title, made)
    return html("across.html", title=made.title, document=made, turned=turned, here=here)
