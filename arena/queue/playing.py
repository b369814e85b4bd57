"""The process that plays a test of a queue, or goes on with it, as `arena run` does."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

from arena.cluster.address import ClusterError
from arena.cluster.places import site_of
from arena.config.tournament import read_config
from arena.errors import ConfigError
from arena.processes.child import ValuePipe
from arena.queue.order import State
from arena.refusals import DiskFullError, refusals_told
from arena.report.progress import Progress
from arena.tournament.run import Run
from arena.workers.site import Site

TELL_INTERVAL = 1.0
"""Seconds between two words on the games played, at least."""
CLUSTER_PAUSE = 5.0
"""Seconds between two tries to play on a cluster that is not there, or on a disk that is full."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place at which a test is played."""

    results: Path
    workers: int | None = None  # Processes of this machine; None with a cluster
    cluster: str | None = None  # The address of a dask scheduler

    def told(self, error: ConfigError) -> str:
        """The words of an error, with paths as they are below the results: others read them."""
        return str(error).replace(f"{self.results.absolute()}{os.sep}", "")


def play_test(pipe: ValuePipe, file: Path, place: Place) -> None:
    """Play a test until its end, or until a word comes: the process's whole life.

    Sends `("plays", games, slots)` again and again, with the numbers of games played, or None, and
    of games at a time; `("waits", reason)` as soon as a cluster cannot play; and at last `("end",
    state, words)`.
    """
    wished = Event()
    Thread(target=_await_word, args=(pipe, wished), daemon=True).start()
    answer: tuple[State, str] | None = None
    while answer is None:
        try:
            with refusals_told():
                answer = played(file, place, pipe, wished.is_set)
        except (ClusterError, DiskFullError) as error:
            answer = _awaited(pipe, wished, place.told(error))
        except ConfigError as error:
            answer = State.FAILED, place.told(error)
    send(pipe, "end", str(answer[0]), answer[1])


def send(pipe: ValuePipe, *message: object) -> None:
    """Send a message, unless the process that hears it is dead."""
    with suppress(OSError):
        pipe.send(message)


def _awaited(pipe: ValuePipe, wished: Event, reason: str) -> tuple[State, str] | None:
    """Say why the cluster, or the disk, is not ready; the answer if the wait is to end.

    That is no fault of the test: all others of the queue would fail by it, too.
    """
    send(pipe, "waits", reason)
    return (State.WAITING, "") if wished.wait(CLUSTER_PAUSE) else None


def _await_word(pipe: ValuePipe, wished: Event) -> None:
    """Note that the games are to end: by any word, or since the other process is dead."""
    with suppress(EOFError, OSError):
        pipe.receive()
    wished.set()


@dataclass(slots=True)
class Teller:
    """Sends the state of a test's play through a pipe."""

    pipe: ValuePipe
    site: Site
    due: float = 0.0  # The moment from which on games are told again

    def tell_games(self, progress: Progress) -> None:
        """Tell the number of games, unless that was done just now."""
        if time.monotonic() >= self.due:
            self.due = time.monotonic() + TELL_INTERVAL
            send(self.pipe, "plays", progress.games, self.site.slots, progress.view().test)

    def tell_slots(self, words: str) -> None:
        """Tell whether anything can be played, now that a cluster has changed as the words say."""
        if slots := self.site.slots:
            send(self.pipe, "plays", None, slots, None)
        else:
            send(self.pipe, "waits", words)


def played(
    file: Path, place: Place, pipe: ValuePipe, stop: Callable[[], bool]
) -> tuple[State, str]:
    """Play; the state of the test then, and its verdict or the reason of a failure."""
    config = read_config(file)
    run = Run(place.results / config.name, config)
    teller: Teller | None = None

    def say(words: str) -> None:
        if teller:
            teller.tell_slots(words)

    with site_of(place.workers, place.cluster, say) as site:
        teller = Teller(pipe, site)
        run.play(site, watch=teller.tell_games, stop=stop)
    if stopped := run.stopped():
        return State.FAILED, stopped
    return _end_of(run)


def _end_of(run: Run) -> tuple[State, str]:
    """The state of a run after its process has ended, and its verdict if it is over."""
    from arena.report.export import keep_page
    from arena.report.run_answer import run_answer

    report = run.report()
    if not report.runs[0].is_over:
        return State.WAITING, ""
    keep_page(run_answer(report), run.folder)
    return State.DONE, report.verdict.sentence
