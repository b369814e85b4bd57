"""Pages over several runs, which take long to make: made beside all else, and kept."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import lru_cache
from re import fullmatch
from threading import Lock
from typing import TYPE_CHECKING

from arena.errors import ConfigError
from arena.files import in_time
from arena.report.answer import Answer
from arena.server.pages import html, not_found, plain_page
from arena.server.watch.followed_run import MAX_MAKING, SLOW, CpuBudget, FileFigures, figures_of
from arena.server.watch.run_list import RunFolder, RunFolders, RunList, listed
from arena.storage.folder import path_text

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from arena.ratings.rating_list import RatingList

logger = logging.getLogger(__name__)

LONGEST_WAIT = 5.0  # Seconds for which a request waits for a page; then it is told to ask again
SHARE = 0.05  # Of a core, that pages over several runs take in the long run, beside all others
MOST_WAITING = 16  # Pages that are being made, or are to be; more are not begun
MOST_PAGES = 16  # Pages that are kept; of more, those that were longest unused are made again
Made = Answer | str  # A page, or the reason why there is none

KnownRuns = tuple[tuple[RunFolder, FileFigures], ...]
PLAYER = "/player/"
GONE = "No such player is in the ratings now."
TICK_TWO = "Tick two runs in the list, and they are shown side by side."


class MadePages:
    """Holds the pages that were made last, with the state of the files that they were made of."""

    def __init__(self) -> None:
        # Of its own, so that no reader of these pages holds up the reports of runs.
        self._builder = ThreadPoolExecutor(1, "pages over runs")
        self._budget = CpuBudget(SHARE)
        self._lock = Lock()
        self._kept: dict[Hashable, tuple[Hashable, Made]] = {}
        self._making: dict[Hashable, tuple[Future[None], float]] = {}
        """The pages that are being made, and the moments at which each was begun."""

    def page(self, key: Hashable, state: Hashable, make: Callable[[], Answer]) -> Made | None:
        """The page of a key; None if it is still being made.

        It is made anew once the `state` of its files is another. Until then the last one stands in,
        and if there is none, it is waited for.
        """
        with self._lock:
            kept = self._kept.pop(key, None)
            if kept:
                self._kept[key] = kept  # now the last that was used
            is_due = (kept is None or kept[0] != state) and not self._budget.wait()
            if is_due and key not in self._making and len(self._making) < MOST_WAITING:
                making = self._builder.submit(self._make, key, state, make)
                self._making[key] = making, time.monotonic()
            being_made = self._making.get(key)
        if kept is None and being_made:
            making, began = being_made
            wait([making], max(0, began + LONGEST_WAIT - time.monotonic()))
            kept = self._kept.get(key)
        return kept[1] if kept else None

    def close(self) -> None:
        """Begin nothing more; pages that are being made are let go."""
        self._builder.shutdown(wait=False, cancel_futures=True)

    def _make(self, key: Hashable, state: Hashable, make: Callable[[], Answer]) -> None:
        """Make a page and keep it, or give it up, so that it does not hold up all others."""
        try:
            page = in_time(MAX_MAKING, self._page_or_reason, make)
            with self._lock:
                self._kept[key] = state, page
                while len(self._kept) > MOST_PAGES:
                    del self._kept[next(iter(self._kept))]
        finally:
            with self._lock:
                self._making.pop(key, None)

    def _page_or_reason(self, make: Callable[[], Answer]) -> Made:
        began = time.thread_time()
        try:
            return make().prepared()
        except ConfigError as error:
            return str(error)
        except Exception as error:  # of folders that others wrote, or that are just being made
            logger.warning("no page can be made of these runs", exc_info=True)
            return f"This cannot be read: {type(error).__name__}: {error}"
        finally:
            self._budget.spend(time.thread_time() - began)


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
