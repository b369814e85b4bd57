"""The list of all runs and studies: searched, filtered, and a hundred of them at a time."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

from arena.config.settings import one_named
from arena.errors import ConfigError
from arena.experiment import open_experiment
from arena.files import in_time
from arena.report.verdict import Conclusion
from arena.server.watch.followed_run import FileFigures, figures_of
from arena.server.watch.pace import MAX_MAKING
from arena.server.watch.run_filter import STATES, RunFilter, has_words
from arena.server.watch.run_folders import RunFolder, RunFolders
from arena.storage.at_play import is_asked_to_stop, is_at_play
from arena.storage.folder import kept_config, kind_module, path_text, player_names, read_store

logger = logging.getLogger(__name__)

ROWS = 100
"""Runs of one page."""
LOOK_SHARE = 0.03
"""The most of all time that looking at all folders may take, however many they are."""
LEAST_WAIT = 0.2
"""Seconds between two such looks, at least."""
AGAIN = 10.0
"""Seconds after which the summary of a run that is being played is made again."""
AT_ONCE = 0.3
"""CPU seconds of reports that are made for the list before other reports have their turn."""
NAMES_AT_ONCE = 0.6
"""CPU seconds of reading players for one look at the list: 2000 runs and more."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """An experiment as the list of all shows it."""

    total: int | None  # Games at most; None where results decide that
    state: str  # As in `Status`
    verdict: Conclusion | None


UNREAD, UNREADABLE = RunSummary(None, "", None), RunSummary(None, "not readable", None)
EVERYTHING = RunFilter()
NOTHING: tuple[FileFigures, RunSummary, float] = (), UNREAD, -math.inf


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run as far as its folder tells without a file being opened, but for its lock."""

    place: RunFolder
    figures: FileFigures
    played: float  # Seconds since 1970 when its files last changed
    play: str  # Empty if it is not being played


@dataclass(frozen=True, slots=True)
class RunListRow:
    """One run in the list."""

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
    """The runs that were asked for: one page of them."""

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
            if since <= each.played < until and has_words(each.place.name, words)
        ]
        named, nameless = self._of_player(named, wanted.player.casefold().split())
        found = [each for each in named if not state or self._state(each) == state]
        pages = max(1, -(-len(found) // ROWS))
        number = min(max(number, 1), pages)
        shown = found[(number - 1) * ROWS : number * ROWS]
        unread = list(self._unread(named)) if state in STATES[1:] else []
        self._learn([*self._unread(shown), *unread])
        rows = tuple(map(self._row, shown))
        left = len(unread) + nameless
        return RunListPage(rows, wanted, number, pages, len(found), len(everything), left)

    def is_at_play(self) -> bool:
        """True if any run is being played, or was just now."""
        found = self.all()
        return bool(found) and bool(found[0].play)

    def all(self) -> Sequence[ListedRun]:
        """All runs, as they were just now."""
        with self._lock:
            if time.monotonic() >= self._due:
                began = time.thread_time()
                found = map(listed, self._run_folders.runs())
                self._listed = sorted(found, key=lambda each: (not each.play, -each.played))
                kept = {each.place.folder for each in self._listed}
                for known in (self._rows, self._summaries, self._players):
                    for folder in [each for each in list(known) if each not in kept]:
                        del known[folder]
                took = time.thread_time() - began
                self._due = time.monotonic() + max(LEAST_WAIT, took / LOOK_SHARE)
            return self._listed

    def _of_player(self, listed: list[ListedRun], words: list[str]) -> tuple[list[ListedRun], int]:
        """The runs with a player in whose name all words are; and how many were not read yet."""
        if not words:
            return listed, 0
        end, found, left = time.thread_time() + NAMES_AT_ONCE, list[ListedRun](), 0
        for each in listed:
            figures, names = self._players.get(each.place.folder, ((), ()))
            if figures != each.figures[0]:
                if time.thread_time() > end:
                    left += 1
                    continue
                names = player_names(each.place.folder)
                self._players[each.place.folder] = each.figures[0], names
            if any(has_words(name, words) for name in names):
                found.append(each)
        return found, left

    def _state(self, each: ListedRun) -> str:
        """The state that a run is found by; empty if it is not known."""
        return STATES[0] if each.play else _filed_under(self._summary(each).state)

    def _summary(self, each: ListedRun) -> RunSummary:
        """The last summary of a run: while it is played, that of a moment ago."""
        return self._summaries.get(each.place.folder, NOTHING)[1]

    def _unread(self, listed: Iterable[ListedRun]) -> Iterator[ListedRun]:
        """The runs that have changed since their summary was made."""
        now = time.monotonic()
        for each in listed:
            figures, _, made = self._summaries.get(each.place.folder, NOTHING)
            if figures != each.figures and not (each.play and now < made + AGAIN):
                yield each

    def _row(self, each: ListedRun) -> RunListRow:
        """The row of a run; its files are read once they have other figures."""
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
    """A run as its folder is now."""
    figures = figures_of(place.folder)
    played = max((each[-1] for each in figures if each), default=0) / 1e9
    return ListedRun(place, figures, played, _play_state_text(place.folder))


def _play_state_text(folder: Path) -> str:
    if not is_at_play(folder):
        return ""
    return "ends after the games in flight" if is_asked_to_stop(folder) else STATES[0]


def _filed_under(state: str) -> str:
    return state if state in ("", "complete") else "not complete"


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
    """A moment to the minute; empty for one that no calendar has."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (OSError, OverflowError, ValueError):
        return ""


def _readable_facts(folder: Path) -> tuple[dict[str, Any], int]:
    """The config in a folder's database, which is quicker to read than its YAML; and the games."""
    try:
        found = read_store(folder, lambda store: (store.facts(), sum(store.meetings().values())))
    except ConfigError:
        return {}, 0
    return found or ({}, 0)


def readable_summary(folder: Path) -> RunSummary:
    """The summary of a folder that others may have written; nothing if it cannot be read."""
    try:
        found = open_experiment(folder)
        status = found.status()
        return RunSummary(status.total, status.state, found.verdict())
    except ConfigError:
        return UNREADABLE
    except Exception:  # of a folder that others wrote, or that is just being made
        logger.warning("%s cannot be read", path_text(folder), exc_info=True)
        return UNREAD
