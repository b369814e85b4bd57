"""The routes of runs and studies that are watched and looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any

from arena.report.page.games import Played, games_data
from arena.server.pages import data, has_queue, html, may_play, not_found, told
from arena.server.watch.across import MadePages, across_views
from arena.server.watch.followed_run import (
    ANSWER_SHARE,
    CpuBudget,
    Ended,
    FollowedRun,
    Latest,
    Snapshot,
    boards_data,
    paced,
    pulse_of,
    stamp_of,
)
from arena.server.watch.run_list import (
    STATES,
    RunFolder,
    RunFolders,
    RunList,
    RunListPage,
    asked_filter,
)
from arena.storage.folder import ask_to_stop, is_at_play, read_boards

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

GAMES_AT_ONCE = 500  # Games of one answer: half a megabyte or so
LONGEST_NUMBER = 12  # Digits of a number in an address
GONE = "No such run is in the folder now. Should it come, this page shows it by itself."

View = Callable[["Request", FollowedRun], "Response"]


def _of_run(view: View) -> Callable[[Request], Response]:
    @wraps(view)
    def found_view(request: Request) -> Response:
        run_folders: RunFolders = request.app.state.run_folders
        followed = run_folders.follow(request.path_params["id"])
        return view(request, followed) if followed else not_found(GONE)

    return found_view


def _runs_page(request: Request) -> Response:
    return list_page(_asked_list(request), may_play.get(), has_queue.get())


@lru_cache(maxsize=32)
def list_page(found: RunListPage, is_for_players: bool, is_with_queue: bool) -> Response:
    return html("runs.html", title="Runs", list=found, states=STATES)


def _runs_list(request: Request) -> Response:
    return list_part(_asked_list(request))


@lru_cache(maxsize=32)
def list_part(found: RunListPage) -> Response:
    return html("run_list.html", list=found)


def _asked_list(request: Request) -> RunListPage:
    """The runs that an address asks for; an address with a mistake asks for all of them."""
    run_list: RunList = request.app.state.run_list
    number = request.query_params.get("page", "")
    is_number = number.isdecimal() and len(number) <= LONGEST_NUMBER
    return run_list.page(asked_filter(request.query_params), int(number) if is_number else 1)


def _now_page(request: Request) -> Response:
    from starlette.responses import RedirectResponse

    run_folders: RunFolders = request.app.state.run_folders
    played = [each.id for each in run_folders.runs() if is_at_play(each.folder)]
    return RedirectResponse(f"/runs/{played[-1]}" if played else "/", status_code=303)


@_of_run
def one_run_page(request: Request, followed: FollowedRun) -> Response:
    latest, id = followed.told(), request.path_params["id"]
    title = latest.snapshot.document.title if latest.snapshot else followed.folder.name
    at_play = is_at_play(followed.folder)
    values = {"title": title, "id": id, "mark": latest.mark, "found": latest, "at_play": at_play}
    return latest.once(
        ("page", may_play.get(), at_play),
        lambda: html("run.html", **values, within=_runs_within(request, followed)),
    )


@_of_run
def run_report(request: Request, followed: FollowedRun) -> Response:
    latest = followed.told()
    return latest.once("report", lambda: _report_part(latest, _runs_within(request, followed)))


def _report_part(found: Latest, within: Sequence[RunFolder]) -> Response:
    answer = html("run_report.html", found=found, within=within)
    answer.headers["x-mark"] = found.mark
    return answer


def _runs_within(request: Request, followed: FollowedRun) -> Sequence[RunFolder]:
    run_folders: RunFolders = request.app.state.run_folders
    return run_folders.within(followed.folder)


@_of_run
def run_pulse(request: Request, followed: FollowedRun) -> Response:
    """The progress; unless the tab is `unseen`, also the report's mark, and the boards if new."""
    if "unseen" in request.query_params:
        return data(asdict(pulse_of(followed, read_boards(followed.folder))))
    answer, stamp = followed.at_moment(lambda: _moment_of(followed))
    return data(answer | ({"boards": None} if request.query_params.get("stamp") == stamp else {}))


def _moment_of(followed: FollowedRun) -> tuple[dict[str, Any], str]:
    mark, seen = followed.look(), read_boards(followed.folder)
    pulse, stamp = pulse_of(followed, seen), stamp_of(seen)
    snapshot = followed.told().snapshot
    boards = None
    if snapshot and seen and pulse.state != "still":
        boards = boards_data(snapshot, seen)
    return asdict(pulse) | {"mark": mark, "stamp": stamp, "boards": boards}, stamp


@_of_run
def run_games(request: Request, followed: FollowedRun) -> Response:
    latest = followed.told()
    ended, snapshot = latest.ended, latest.snapshot
    wanted = request.query_params.get("after", "0")
    if not wanted.isdecimal() or len(wanted) > LONGEST_NUMBER:
        return told(400, "after which game?")
    if not snapshot:
        return data({"generation": "", "is_new": True, "all": 0, **games_data({}, [], [], 0, {})})
    is_new = request.query_params.get("generation", "") != ended.generation
    start = 0 if is_new else int(wanted)
    return latest.once((start, is_new), lambda: _games_part(snapshot, ended, start, is_new))


def _games_part(snapshot: Snapshot, ended: Ended, start: int, is_new: bool) -> Response:
    games = ended.games[start : start + GAMES_AT_ONCE]
    answer = games_data(
        {snapshot.document.title: snapshot.rules},
        snapshot.players,
        [Played(0, number, record, 0) for number, record in games],
        0,
        snapshot.scales,
    )
    for each, (_, record) in zip(answer["games"], games, strict=True):
        each["op"] = record.opening
    return data(
        {"generation": ended.generation, "is_new": is_new, "all": len(ended.games), **answer}
    )


@_of_run
def stop_run(request: Request, followed: FollowedRun) -> Response:
    """Let a run start no further game; of a study also what it plays within."""
    played = [each for each in (followed.folder, *followed.folder.iterdir()) if is_at_play(each)]
    if not played:
        return told(409, "Nobody plays here now.")
    try:
        for folder in played:
            ask_to_stop(folder)
    except OSError as error:
        return told(409, f"The run cannot be told, since its folder is not ours: {error.strerror}")
    return data({"state": "stopping"})


def watch_routes(run_list: RunList, pages: MadePages) -> list[Route]:
    from starlette.routing import Route

    budget = CpuBudget(ANSWER_SHARE)
    views = {
        "/": _runs_page,
        "/list": _runs_list,
        "/now": _now_page,
        "/runs/{id}": one_run_page,
        "/runs/{id}/report": run_report,
        "/runs/{id}/pulse": run_pulse,
        "/runs/{id}/games": run_games,
        **across_views(pages),
    }
    return [
        *(Route(path, paced(view, run_list.is_at_play, budget)) for path, view in views.items()),
        Route("/runs/{id}/stop", stop_run, methods=["POST"]),
    ]
