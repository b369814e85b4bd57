"""The list of all runs and studies of a folder: searched, filtered, a hundred at a time."""

from __future__ import annotations

import logging
import math
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from math import inf
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from arena.config.settings import one_named
from arena.errors import ConfigError
from arena.experiment import open_experiment
from arena.files import in_time
from arena.report.verdict import Conclusion
from arena.server.watch.followed_run import (
    MAX_MAKING,
    REPORT_SHARE,
    CpuBudget,
    FileFigures,
    FollowedRun,
    figures_of,
    warm_up,
)
from arena.storage.folder import (
    CONFIG,
    is_asked_to_stop,
    is_at_play,
    kept_config,
    kind_module,
    path_text,
    player_names,
    read_store,
    run_id,
)

logger = logging.getLogger(__name__)

LONGEST_WORDS = 100  # Characters of a search that are read
STATES = ("being played", "complete", "not complete")  # States that the list can be filtered by


@dataclass(frozen=True, slots=True)
class RunFilter:
    """The runs that are asked for; an empty field asks for all."""

    search: str = ""  # Words that are all in a run's name
    player: str = ""  # Words that are all in the name of one of its players
    state: str = ""
    since: str = ""  # The first day, such as 2026-11-25, in this machine's time
    until: str = ""  # The last day

    @property
    def span(self) -> tuple[float, float]:
        """The seconds since 1970 from which, and before which, a run was last played."""
        start = _day_start(self.since) if self.since else -inf
        return start, _day_start(self.until, 1) if self.until else inf

    @property
    def told(self) -> str:
        """The filter as the end of a sentence on runs: `is complete and was played with x`."""
        words = {
            "is": self.state,
            "is named": self.search,
            "was played with": self.player,
            "was played from": self.since,
            "was played until": self.until,
        }
        return " and ".join(f"{verb} {word}" for verb, word in words.items() if word) or "is shown"

    def query(self, page: int = 1) -> str:
        words = {
            "search": self.search,
            "player": self.player,
            "state": self.state,
            "from": self.since,
            "to": self.until,
            "page": str(page) if page > 1 else "",
        }
        return urlencode({name: word for name, word in words.items() if word})


def asked_filter(words: Mapping[str, str]) -> RunFilter:
    search, player = (words.get(name, "")[:LONGEST_WORDS] for name in ("search", "player"))
    state = words.get("state", "")
    days = [_day_of(words.get(name, "")) for name in ("from", "to")]
    return RunFilter(search, player, state if state in STATES else "", *days)


def _day_of(text: str) -> str:
    """A day as browsers write it; empty for anything else."""
    try:
        return text if date.fromisoformat(text).isoformat() == text else ""
    except ValueError:
        return ""


def _day_start(day: str, later: int = 0) -> float:
    """The moment at which a day begins, `later` days after this one; infinite beyond time."""
    try:
        start = date.fromisoformat(day) + timedelta(days=later)
        return datetime.combine(start, datetime.min.time()).timestamp()
    except (OverflowError, OSError, ValueError):
        return inf if later else -inf


def _has_words(name: str, words: list[str]) -> bool:
    """True if all words, which are in lower case, are in the name, in upper or lower case."""
    folded = name.casefold()
    return all(word in folded for word in words)


ROWS = 100  # Runs of one page
LOOK_SHARE = 0.03
"""The most of all time that looking at all folders may take, however many they are."""
LEAST_WAIT = 0.2  # Seconds between two such looks, at least
AGAIN = 10.0  # Seconds after which the summary of a run that is being played is made again
AT_ONCE = 0.3
"""CPU seconds of reports that are made for the list before other reports have their turn."""
NAMES_AT_ONCE = 0.6  # CPU seconds of reading players for one look at the list: 2000 runs and more


@dataclass(frozen=True, slots=True)
class RunSummary:
    total: int | None  # Games at most; None where results decide that
    state: str  # As in `Status`
    verdict: Conclusion | None


UNREAD, UNREADABLE = RunSummary(None, "", None), RunSummary(None, "not readable", None)
EVERYTHING = RunFilter()
NOTHING: tuple[FileFigures, RunSummary, float] = (), UNREAD, -math.inf


@dataclass(frozen=True, slots=True)
class ListedRun:
    """What can be told of a run without opening a file of its folder other than its lock."""

    place: RunFolder
    figures: FileFigures
    played: float  # Seconds since 1970 when its files last changed
    play: str  # Empty if it is not being played


@dataclass(frozen=True, slots=True)
class RunListRow:
    id: str
    name: str
    kind: str
    game: str
    played: str  # The time at which its files last changed, by this machine's clock
    games: int
    total: int | None  # Games at most; None where that is not known
    state: str
    verdict: Conclusion | None


@dataclass(frozen=True, slots=True)
class RunListPage:
    rows: tuple[RunListRow, ...]
    wanted: RunFilter
    number: int  # The number of this page, from 1
    pages: int
    found: int  # Runs on all pages
    kept: int  # Runs in the folder
    unread: int
    """Runs of which it is not yet known if they are over or, where that is asked for, which players
    are in them."""


class RunList:
    """Holds the facts about the runs of a folder; any thread may ask."""

    def __init__(self, run_folders: RunFolders) -> None:
        self._run_folders = run_folders
        self._lock = Lock()
        self._listed: Sequence[ListedRun] = ()
        self._due = 0.0
        self._learning: Future[None] | None = None
        self._rows: dict[Path, tuple[FileFigures, RunListRow]] = {}
        self._summaries: dict[Path, tuple[FileFigures, RunSummary, float]] = {}
        """Each with the moment when it was made."""
        self._players: dict[Path, tuple[tuple[int, ...], tuple[str, ...]]] = {}
        """The names of each run's players, with the figures of its config."""

    def page(self, wanted: RunFilter = EVERYTHING, number: int = 1) -> RunListPage:
        """The runs that are asked for, those at play first.

        Of these a page, the newest first. Their verdicts come once there was time to make them.
        """
        everything, state = self.all(), wanted.state
        words, (since, until) = wanted.search.casefold().split(), wanted.span
        named = [
            each
            for each in everything
            if since <= each.played < until and _has_words(each.place.name, words)
        ]
        named, nameless = self._of_player(named, wanted.player.casefold().split())
        matching = [each for each in named if not state or self._state(each) == state]
        pages = max(1, -(-len(matching) // ROWS))
        number = min(max(number, 1), pages)
        shown = matching[(number - 1) * ROWS : number * ROWS]
        unread = list(self._unread(named)) if state in STATES[1:] else []
        self._learn([*self._unread(shown), *unread])
        rows = tuple(map(self._row, shown))
        left = len(unread) + nameless
        return RunListPage(rows, wanted, number, pages, len(matching), len(everything), left)

    def is_at_play(self) -> bool:
        runs = self.all()
        return bool(runs) and bool(runs[0].play)

    def all(self) -> Sequence[ListedRun]:
        with self._lock:
            if time.monotonic() >= self._due:
                began = time.thread_time()
                runs = map(listed, self._run_folders.runs())
                self._listed = sorted(runs, key=lambda each: (not each.play, -each.played))
                kept = {each.place.folder for each in self._listed}
                for cache in (self._rows, self._summaries, self._players):
                    for folder in [each for each in list(cache) if each not in kept]:
                        del cache[folder]
                took = time.thread_time() - began
                self._due = time.monotonic() + max(LEAST_WAIT, took / LOOK_SHARE)
            return self._listed

    def _of_player(self, listed: list[ListedRun], words: list[str]) -> tuple[list[ListedRun], int]:
        """The runs with a player in whose name all words are; and how many were not read yet."""
        if not words:
            return listed, 0
        end, matching, unread = time.thread_time() + NAMES_AT_ONCE, list[ListedRun](), 0
        for each in listed:
            figures, names = self._players.get(each.place.folder, ((), ()))
            if figures != each.figures[0]:
                if time.thread_time() > end:
                    unread += 1
                    continue
                names = player_names(each.place.folder)
                self._players[each.place.folder] = each.figures[0], names
            if any(_has_words(name, words) for name in names):
                matching.append(each)
        return matching, unread

    def _state(self, each: ListedRun) -> str:
        if each.play:
            return STATES[0]
        state = self._summary(each).state
        return state if state in ("", "complete") else "not complete"

    def _summary(self, each: ListedRun) -> RunSummary:
        return self._summaries.get(each.place.folder, NOTHING)[1]

    def _unread(self, listed: Iterable[ListedRun]) -> Iterator[ListedRun]:
        now = time.monotonic()
        for each in listed:
            figures, _, made = self._summaries.get(each.place.folder, NOTHING)
            if figures != each.figures and not (each.play and now < made + AGAIN):
                yield each

    def _row(self, each: ListedRun) -> RunListRow:
        folder = each.place.folder
        figures, row = self._rows.get(folder, ((), None))
        if row is None or figures != each.figures:
            row = row_of(each)
            self._rows[folder] = each.figures, row
        summary = self._summary(each)
        state = each.play or summary.state
        total = summary.total if row.games else None  # a fit keeps its games in another folder
        return replace(row, state=state, total=total, verdict=summary.verdict)

    def _learn(self, listed: Sequence[ListedRun]) -> None:
        """Make summaries beside all else, unless that is being done, or was just now."""
        with self._lock:
            is_busy = self._learning and not self._learning.done()
            if listed and not is_busy and not self._run_folders.budget.wait():
                self._learning = self._run_folders.builder.submit(
                    in_time, MAX_MAKING, self._make_summaries, listed
                )

    def _make_summaries(self, listed: Sequence[ListedRun]) -> None:
        began = time.thread_time()
        for each in listed:
            summary = readable_summary(each.place.folder)
            self._summaries[each.place.folder] = each.figures, summary, time.monotonic()
            if time.thread_time() - began > AT_ONCE:
                break
        self._run_folders.budget.spend(time.thread_time() - began)


def listed(place: RunFolder) -> ListedRun:
    figures = figures_of(place.folder)
    played = max((each[-1] for each in figures if each), default=0) / 1e9
    play = STATES[0] if is_at_play(place.folder) else ""
    if play and is_asked_to_stop(place.folder):
        play = "ends after the games in flight"
    return ListedRun(place, figures, played, play)


def row_of(each: ListedRun) -> RunListRow:
    """The row of a run without its summary; a folder that cannot be read has one, too."""
    folder, (kind, game) = each.place.folder, ("cannot be read", "")
    facts, games = _readable_facts(folder)
    try:
        data = facts or kept_config(folder)
        kind, game = kind_module(data).NAME, str(one_named(data["game"]))
    except (ConfigError, AttributeError, KeyError, TypeError, ValueError, OSError):
        pass
    place, played = each.place, _moment_text(each.played)
    return RunListRow(place.id, place.name, kind, game, played, games, None, "", None)


def _moment_text(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (OSError, OverflowError, ValueError):
        return ""


def _readable_facts(folder: Path) -> tuple[dict[str, Any], int]:
    """The config in a folder's database, which is quicker to read than its YAML; and the games."""
    try:
        kept = read_store(folder, lambda store: (store.facts(), sum(store.meetings().values())))
    except ConfigError:
        return {}, 0
    return kept or ({}, 0)


def readable_summary(folder: Path) -> RunSummary:
    """The summary of a folder that others may have written; nothing if it cannot be read."""
    try:
        experiment = open_experiment(folder)
        status = experiment.status()
        return RunSummary(status.total, status.state, experiment.verdict())
    except ConfigError:
        return UNREADABLE
    except Exception:  # of a folder that others wrote, or that is just being made
        logger.warning("%s cannot be read", path_text(folder), exc_info=True)
        return UNREAD


IDLE = 300.0  # Seconds without a request after which a run is forgotten
MOST_FOLLOWED = 20
AT_REST = 2 * 10**9
"""Nanoseconds since a folder's last change after which it is not read again: file systems count
time in steps, and within one step it may change once more."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    id: str
    name: str  # Its path below the results folder
    folder: Path


class RunFolders:
    """Holds the results folder, and what is known of its runs."""

    def __init__(self, results: Path) -> None:
        """`results`: a folder of runs, or the folder of one."""
        self.results = results
        self._followed: dict[str, FollowedRun] = {}
        self._lock = Lock()
        self._within: dict[str, tuple[int, list[str]]] = {}
        """The folders within a folder that was last changed at that moment."""
        self._known: dict[str, RunFolder] = {}
        # One at a time: the report of a long run takes a core.
        self.builder = ThreadPoolExecutor(1, "snapshots")
        self.builder.submit(warm_up)
        self.budget = CpuBudget(REPORT_SHARE)

    def runs(self) -> list[RunFolder]:
        return sorted(self._found(), key=lambda each: each.folder.parts)

    def within(self, folder: Path) -> list[RunFolder]:
        """The runs that a study keeps in its folder: those of its proof."""
        return [each for each in self.runs() if each.folder.parent == folder]

    def find(self, id: str) -> RunFolder | None:
        return next((each for each in self._found() if each.id == id), None)

    def follow(self, id: str) -> FollowedRun | None:
        followed = self._followed.get(id)
        if followed and is_kept(os.fspath(followed.folder)):
            return followed  # pages ask twice a second: the folder is not looked through each time
        run = self.find(id)
        if run is None:
            return None
        with self._lock:
            self._forget_some()
            return self._followed.setdefault(id, FollowedRun(run.folder, self.builder, self.budget))

    def _forget_some(self) -> None:
        """Forget runs without requests, and of too many the one that was longest unused."""
        used = sorted(self._followed, key=lambda id: self._followed[id].used)
        now, spare = time.monotonic(), max(0, len(used) + 1 - MOST_FOLLOWED)
        for place, id in enumerate(used):
            if place < spare or now - self._followed[id].used > IDLE:
                del self._followed[id]

    def _found(self) -> Iterator[RunFolder]:
        results = os.fspath(self.results)
        is_one = is_kept(results)
        start = self.results.parent if is_one else self.results
        folders = [results] if is_one else self._folders_in(results)
        for folder in folders:
            for each in (folder, *self._folders_in(folder)):
                if is_kept(each):
                    if each not in self._known:
                        name = Path(each).relative_to(start)
                        self._known[each] = RunFolder(run_id(name), path_text(name), Path(each))
                    yield self._known[each]

    def _folders_in(self, folder: str) -> list[str]:
        with suppress(OSError):
            changed = os.stat(folder).st_mtime_ns
            moment, found = self._within.get(folder, (0, []))
            if moment != changed:
                with os.scandir(folder) as entries:
                    found = [entry.path for entry in entries if os.path.isdir(entry)]
                if time.time_ns() - changed > AT_REST:
                    self._within[folder] = changed, found
            return found
        return []

    def close(self) -> None:
        """Begin nothing more; pages that are being made are let go."""
        self.builder.shutdown(wait=False, cancel_futures=True)


def is_kept(folder: str) -> bool:
    return os.path.isfile(f"{folder}/{CONFIG}")
