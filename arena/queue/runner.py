"""The process that plays the tests of a queue, one at a time, and may die at any moment."""

from __future__ import annotations

import logging
import os
import pickle
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread

from arena.cluster.address import ClusterError
from arena.cluster.places import site_of
from arena.config.reader import read_config
from arena.errors import ConfigError, DiskFullError, refusals_told
from arena.files import regular_opener
from arena.processes.child import Child, ValuePipe, ready_ends
from arena.queue.order import QueuedTest, State, in_turn
from arena.queue.queue_file import CODE, QueueFile
from arena.report.outlook import Progress
from arena.storage.folder import is_at_play, locked, read_store
from arena.tournament.run import Run
from arena.workers.pool import Site

logger = logging.getLogger(__name__)

LOOK_INTERVAL = 0.3  # Seconds between two looks at the queue
CHARGE_INTERVAL = 2.0
LAST_GAMES = 30.0
"""Seconds for the games in flight once the server has ended; games cut off are played again."""
MOST_DEATHS = 3  # Deaths of a test's process, with no game between, after which it is given up
RESTART_PAUSE = 1.0
FULL_PAUSE = 5.0  # Seconds until the queue is looked at again, where it could not be written to
LOG = "log.txt"


@dataclass(frozen=True, slots=True)
class OwnerRules:
    cores: int | None = None  # Processes that play; None with a cluster, whose workers all play
    cluster: str | None = None
    """Address of the dask scheduler on which tests are played; None: on this machine."""


class RunnerProcess:
    """Keeps a runner alive as long as this process is: it ends with it, however that ends."""

    def __init__(self, results: Path, rules: OwnerRules) -> None:
        self._given = results, rules
        self.pid = 0  # The process of the runner, which changes if one dies; 0: none yet
        # A thread that ended would take the runner with it on some systems.
        Thread(target=self._keep, daemon=True).start()

    def _keep(self) -> None:
        while True:
            child = Child.executed(run_queue, *self._given)
            self.pid = child.pid
            with suppress(EOFError, pickle.UnpicklingError):
                child.receive()
            child.end()
            time.sleep(RESTART_PAUSE)


def run_queue(pipe: ValuePipe, results: Path, rules: OwnerRules) -> None:
    """Play the queue until the pipe closes: the process's whole life."""
    queue = QueueFile(results)
    _log_to(queue.folder / LOG)
    with locked(queue.folder, wait=True):
        for each in queue.entries():
            if each.state is State.PLAYING:
                queue.change(each.id, lambda entry: replace(entry, state=State.WAITING))
        player = QueuePlayer(queue, rules)
        while not _is_closed(pipe, LOOK_INTERVAL):
            try:
                with refusals_told():
                    player.look()
            except DiskFullError as error:  # room may come, and what is played goes on
                logger.warning("%s", error)
                time.sleep(FULL_PAUSE)
        player.close()


def _log_to(file: Path) -> None:
    descriptor = regular_opener(str(file), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for standard in (1, 2):
        os.dup2(descriptor, standard)


def _is_closed(pipe: ValuePipe, seconds: float) -> bool:
    """Wait a while; True as soon as the other end of the pipe is closed."""
    if not ready_ends([pipe.fileno()], seconds):
        return False
    try:
        pipe.read()
    except EOFError:
        return True
    return False


@dataclass(slots=True)
class AtPlay:
    id: int
    child: Child
    charged_to: float  # The moment up to which its time was counted
    played_before: int  # Games at its start
    workers: int = 1
    """Processes that play, 0 while a cluster cannot: each second counts once for each of them."""
    is_told: bool = False  # True once its process was told to end


class QueuePlayer:
    """Holds the test that is being played, in a process of its own."""

    def __init__(self, queue: QueueFile, rules: OwnerRules) -> None:
        self._queue = queue
        self._rules = rules
        self._now: AtPlay | None = None

    def look(self) -> None:
        if self._now:
            self._hear(self._now)
        entries = self._queue.entries()
        wanted = next(iter(in_turn(entries)), None)
        if self._now is None:
            if wanted:
                self._start(wanted, entries)
        elif self._now.is_told:
            return
        elif wanted is None or wanted.id != self._now.id:
            self._let_end(self._now)
        elif wanted.state is State.WAITING:  # paused and gone on with between two looks
            self._note_start(wanted.id)

    def close(self) -> None:
        """Let the games in flight end, for a while."""
        if now := self._now:
            self._let_end(now)
            deadline = time.monotonic() + LAST_GAMES
            while self._now is now and time.monotonic() < deadline:
                time.sleep(LOOK_INTERVAL / 3)
                self._hear(now)
            now.child.end()

    def _let_end(self, now: AtPlay) -> None:
        now.is_told = True
        now.child.send("stop")

    def _start(self, entry: QueuedTest, entries: list[QueuedTest]) -> None:
        """Start a test, unless any is still played by the process of a runner that has died."""
        results = self._queue.results
        if any(is_at_play(results / each.name) for each in entries if each.state != State.DONE):
            return
        file = (self._queue.folder / CODE / entry.code / entry.place).absolute()
        place = Place(results, self._rules.cores, self._rules.cluster)
        child = Child.executed(_play_test, file, place)
        workers = self._rules.cores or 0  # of a cluster it is told before the first game
        self._now = AtPlay(entry.id, child, time.monotonic(), entry.played, workers)
        self._note_start(entry.id)

    def _note_start(self, id: int) -> None:
        self._queue.change(
            id, lambda each: replace(each, state=State.PLAYING, told="") if each.is_ready else each
        )

    def _hear(self, now: AtPlay) -> None:
        games: int | None = None
        expected: int | None = None
        told: str | None = None
        end: tuple[State, str] | None = None
        try:
            while end is None:
                word, *rest = now.child.receive(0)
                if word == "plays":
                    games, told = games if rest[0] is None else rest[0], ""
                    self._note_workers(now, rest[1])
                    if test := rest[2]:
                        expected, told = test.expected, f"{test}"
                elif word == "waits":
                    told = rest[0]
                    self._note_workers(now, 0)
                else:
                    end = State(rest[0]), str(rest[1])
        except TimeoutError:
            pass
        except (EOFError, pickle.UnpicklingError):
            end = State.PLAYING, ""  # it has died
        if end or told is not None or time.monotonic() - now.charged_to >= CHARGE_INTERVAL:
            self._note(now, games, expected, told)
        if end:
            self._ended(now, *end)

    def _note_workers(self, now: AtPlay, workers: int) -> None:
        if self._rules.cluster and workers != now.workers:
            now.workers = workers
            if workers:
                self._queue.keep_workers(workers)

    def _note(self, now: AtPlay, games: int | None, expected: int | None, told: str | None) -> None:
        """Note the time of the test that is being played, and its games and words if they came."""
        moment = time.monotonic()
        seconds = (moment - now.charged_to) * now.workers
        now.charged_to = moment

        def change(entry: QueuedTest) -> QueuedTest:
            words = entry.told if told is None or not entry.is_ready else told
            played = entry.played if games is None else games
            to_come = entry.expected if expected is None else expected
            spent = entry.spent + seconds
            return replace(entry, spent=spent, played=played, expected=to_come, told=words)

        self._queue.change(now.id, change)

    def _ended(self, now: AtPlay, state: State, told: str) -> None:
        now.child.end(1.0)
        self._now = None
        results = self._queue.results
        self._queue.change(
            now.id,
            lambda entry: after_end(
                _counted(entry, results), state, told, now.is_told, now.played_before
            ),
        )


def _counted(entry: QueuedTest, results: Path) -> QueuedTest:
    from arena.storage.database import Store

    with suppress(ConfigError):
        meetings = read_store(results / entry.name, Store.meetings) or {}
        return replace(entry, played=sum(meetings.values()))
    return entry


def after_end(
    entry: QueuedTest, state: State, told: str, is_told: bool, played_before: int
) -> QueuedTest:
    """The test after its process has ended with this state, or died (as if still playing).

    It `is_told` to end if the queue wanted so; if not, a person stopped it on the run's page.
    """
    if state in (State.DONE, State.FAILED):
        return replace(entry, state=state, told=told, deaths=0)
    if state is State.PLAYING:
        deaths = entry.deaths + 1 if entry.played <= played_before else 1
        if deaths >= MOST_DEATHS:
            told = f"its process has died {deaths} times; see {LOG} in the queue's folder"
            return replace(entry, state=State.FAILED, told=told, deaths=0)
        entry = replace(entry, deaths=deaths)
    else:
        entry = replace(entry, deaths=0, told="")  # what it may have waited for
    if entry.state is not State.PLAYING:
        return entry
    is_left = state is State.WAITING and not is_told
    return replace(entry, state=State.PAUSED if is_left else State.WAITING)


TELL_INTERVAL = 1.0  # Seconds between two words on the games played, at least
CLUSTER_PAUSE = 5.0
"""Seconds between two tries to play on a cluster that is not there, or on a disk that is full."""


@dataclass(frozen=True, slots=True)
class Place:
    results: Path
    workers: int | None = None  # Processes of this machine; None with a cluster
    cluster: str | None = None  # The address of a dask scheduler

    def told(self, error: ConfigError) -> str:
        """The words of an error, with paths as they are below the results: others read them."""
        return str(error).replace(f"{self.results.absolute()}{os.sep}", "")


def _play_test(pipe: ValuePipe, file: Path, place: Place) -> None:
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
            # No fault of the test: all others of the queue would fail by it, too.
            _send(pipe, "waits", place.told(error))
            if wished.wait(CLUSTER_PAUSE):
                answer = State.WAITING, ""
        except ConfigError as error:
            answer = State.FAILED, place.told(error)
    _send(pipe, "end", str(answer[0]), answer[1])


def _send(pipe: ValuePipe, *message: object) -> None:
    with suppress(OSError):
        pipe.send(message)


def _await_word(pipe: ValuePipe, wished: Event) -> None:
    """Note that the games are to end: by any word, or since the other process is dead."""
    with suppress(EOFError, OSError):
        pipe.receive()
    wished.set()


@dataclass(slots=True)
class Teller:
    pipe: ValuePipe
    site: Site
    due: float = 0.0  # The moment from which on games are told again

    def tell_games(self, progress: Progress) -> None:
        if time.monotonic() >= self.due:
            self.due = time.monotonic() + TELL_INTERVAL
            _send(self.pipe, "plays", progress.games, self.site.slots, progress.view().test)

    def tell_slots(self, words: str) -> None:
        if slots := self.site.slots:
            _send(self.pipe, "plays", None, slots, None)
        else:
            _send(self.pipe, "waits", words)


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
    from arena.report.answer import keep_page
    from arena.report.run_answer import run_answer

    report = run.report()
    if not report.runs[0].is_over:
        return State.WAITING, ""
    keep_page(run_answer(report), run.folder)
    return State.DONE, report.verdict.sentence
