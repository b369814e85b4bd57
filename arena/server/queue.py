"""The queue of tests on the page: shown to all, filled and changed by those who may."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.errors import ConfigError, DiskFullError
from arena.queue.order import PRIORITIES, READY, QueuedTest, State, facts_of, in_turn, seconds_left
from arena.queue.queue_file import Change, QueueFile
from arena.queue.submission import Check, check_apart, read_submission, take_in
from arena.server.pages import data, html, may_submit, read_body, told
from arena.server.watch.run_list import is_kept
from arena.storage.folder import run_id

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

SUBMITTERS_ONLY = "Only the link to submit gives the right to send tests, and code."
NO_TEST = "There is no such test in the queue."
LONGEST_ID = 12
MINUTE, HOUR = 60, 3600


@dataclass(frozen=True, slots=True)
class ServedQueue:
    """A queue that a page shows, with the owner's rules that the page needs."""

    file: QueueFile
    cores: int | None = 1  # Processes that play; None with a cluster
    check: Check = check_apart

    @property
    def workers(self) -> int:
        return self.cores or self.file.workers() or 1


@dataclass(frozen=True, slots=True)
class QueueRow:
    entry: QueuedTest
    run: str  # The id of its run; empty before its first game
    left: str  # The time that it still takes, in words
    came: str
    acts: tuple[str, ...]  # The wishes that would be granted


ACTS: dict[str, tuple[str, tuple[State, ...]]] = {
    "pause": ("Pause", READY),
    "stop": ("Stop", (*READY, State.PAUSED)),
    "go-on": ("Go on", (State.PAUSED, State.STOPPED, State.FAILED)),
}
"""Wishes, each with its word and the states in which it is granted."""

CHANGES: dict[str, Change] = {
    "pause": lambda entry: replace(entry, state=State.PAUSED),
    "stop": lambda entry: replace(entry, state=State.STOPPED),
    "go-on": lambda entry: replace(entry, state=State.WAITING, told="", deaths=0),
}


def queue_routes(queue: ServedQueue) -> list[Route]:
    """The routes of a queue; the guard lets in long bodies on the way to submit only."""
    from starlette.concurrency import run_in_threadpool
    from starlette.routing import Route

    def page(request: Request) -> Response:
        form: dict[str, Any] = {"may_submit": may_submit.get(), "priorities": PRIORITIES}
        return html("queue.html", title="Queue", **form, **listed(queue))

    def part(request: Request) -> Response:
        return html("queue_list.html", **listed(queue))

    def tests(request: Request) -> Response:
        return data({"tests": [facts_of(each) for each in queue.file.entries()]})

    async def submit(request: Request) -> Response:
        if not may_submit.get():
            return told(403, SUBMITTERS_ONLY)
        return await run_in_threadpool(submitted, queue, await request.body())

    async def act(request: Request) -> Response:
        body = await request.body()
        return await run_in_threadpool(_acted, queue, request.path_params["id"], body)

    return [
        Route("/queue", page),
        Route("/queue/list", part),
        Route("/queue/tests", tests, methods=["GET"]),
        Route("/queue/tests", submit, methods=["POST"]),
        Route("/queue/tests/{id}", act, methods=["POST"]),
    ]


def listed(queue: ServedQueue) -> dict[str, Any]:
    """The tests as the page shows them: those to be played in their order, then the others."""
    entries, workers = queue.file.entries(), queue.workers
    ahead = in_turn(entries)
    others = [each for each in reversed(entries) if not each.is_ready]
    return {
        "rows": [row_of(each, queue.file, workers) for each in [*ahead, *others]],
        "words": {name: word for name, (word, _) in ACTS.items()},
    }


def row_of(entry: QueuedTest, file: QueueFile, workers: int) -> QueueRow:
    is_open = entry.is_ready or entry.state is State.PAUSED
    left = seconds_left(entry, workers) if is_open else 0.0
    left_text = "unknown" if left is None else ""
    if left:
        left_text = duration(left)
    has_run = is_kept(str(file.results / entry.name))
    return QueueRow(
        entry,
        run_id(Path(entry.name)) if has_run else "",
        left_text,
        datetime.fromtimestamp(entry.came).strftime("%Y-%m-%d %H:%M"),
        tuple(name for name, (_, states) in ACTS.items() if entry.state in states),
    )


def duration(seconds: float) -> str:
    if seconds >= HOUR:
        return f"{seconds / HOUR:.1f} h"
    return f"{max(1, round(seconds / MINUTE))} min"


def submitted(queue: ServedQueue, body: bytes) -> Response:
    try:
        entry = take_in(queue.file, read_submission(body), queue.check)
    except DiskFullError as error:
        return told(507, error.why)
    except ConfigError as error:
        return told(409, str(error))
    left = seconds_left(entry, queue.workers)
    time = "" if left is None else duration(left)
    return data(facts_of(entry) | {"total": entry.games, "time": time})


def _acted(queue: ServedQueue, id: str, body: bytes) -> Response:
    wish = read_body(body).get("act")
    if not isinstance(wish, str) or wish not in ACTS:
        return told(400, f"act must be one of {', '.join(ACTS)}")
    states = ACTS[wish][1]
    number = int(id) if id.isdecimal() and len(id) <= LONGEST_ID else 0
    entry = queue.file.change(
        number, lambda entry: CHANGES[wish](entry) if entry.state in states else entry
    )
    return data(facts_of(entry)) if entry else told(404, NO_TEST)
