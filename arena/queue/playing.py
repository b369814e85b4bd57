"""The process that plays a test of a queue, or goes on with it, as `arena run` does."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

from arena.errors import ConfigError
from arena.processes.child import ValuePipe
from arena.queue.order import State
from arena.tournament import run as tournament
from arena.tournament.run import Run, RunProgress

TELL_INTERVAL = 1.0
"""Seconds between two words on the games played, at least."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a test is played."""

    results: Path
    workers: int | None = None
    """Processes of this machine; None with a cluster."""
    cluster: str | None = None
    """The address of a dask scheduler."""


def play_test(pipe: ValuePipe, file: Path, place: Place) -> None:
    """Play a test until its end, or until a word comes: the process's whole life.

    Sends the number of games played, again and again, and at last its state and what to say of it.
    """
    wished = Event()
    Thread(target=await_word, args=(pipe, wished), daemon=True).start()
    tell = telling(pipe)
    try:
        answer = played(file, place, tell, wished.is_set)
    except ConfigError as error:
        answer = State.FAILED, str(error)
    with suppress(OSError):
        pipe.send(("end", str(answer[0]), answer[1]))


def await_word(pipe: ValuePipe, wished: Event) -> None:
    """Note that the games are to end: by any word, or since the other process is dead."""
    with suppress(EOFError, OSError):
        pipe.receive()
    wished.set()


def telling(pipe: ValuePipe) -> Callable[[int], None]:
    """A function that sends a number of games, unless one was sent just now."""
    due = 0.0

    def tell(games: int) -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + TELL_INTERVAL
            with suppress(OSError):
                pipe.send(("played", games))

    return tell


def played(
    file: Path, place: Place, tell: Callable[[int], None], stop: Callable[[], bool]
) -> tuple[State, str]:
    """Play; the state of the test then, and its verdict or the reason of a failure."""

    def watch(progress: RunProgress) -> None:
        tell(progress.tally.games)

    run = tournament.run(
        file,
        workers=None if place.cluster else place.workers,
        cluster=place.cluster,
        results=place.results,
        watch=watch,
        stop=stop,
    )
    if stopped := run.stopped():
        return State.FAILED, stopped
    return end_of(run)


def end_of(run: Run) -> tuple[State, str]:
    """The state of a run after its process has ended, and its verdict if it is over."""
    from arena.report.contents import run_contents
    from arena.report.export import save
    from arena.storage.folder import REPORT_PAGE

    report = run.report()
    if not report.runs[0].is_over:
        return State.WAITING, ""
    save(run_contents(report), "html", None, run.folder / REPORT_PAGE)
    return State.DONE, report.verdict.sentence
