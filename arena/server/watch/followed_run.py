"""One run while pages show it: its snapshot is made anew as games come."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar, cast

from arena.errors import ConfigError
from arena.files import in_time
from arena.match.record import GameKey, Numbered, key
from arena.server.watch.pace import MAX_MAKING, CpuBudget
from arena.server.watch.snapshot import Snapshot, snapshot_of
from arena.storage.connection import Figures, file_figures
from arena.storage.database import Store
from arena.storage.folder import CONFIG, DATABASE, path_text, read_store
from arena.tuning.fit.config import MADE
from arena.tuning.proof.verification import NAME as PROOF

logger = logging.getLogger(__name__)

LEAST_WAIT = 1.0
"""Seconds between two snapshots, at least."""
FIRST_WAIT = 15.0
"""Seconds for which requests wait for a run's first snapshot; many that wait would block all."""
SLOW = "It takes long to read. Once that is done, it stands here."
MOMENT = 0.2
"""Seconds for which a look at the games at play holds for all requests."""
MOST_KEPT = 8
"""Answers that are kept of one snapshot: of games each may have half a megabyte."""
CHANGING = (
    CONFIG,
    *(
        f"{within}{DATABASE}{log}"
        for within in ("", f"{PROOF}/", f"{MADE}/")
        for log in ("", "-wal")
    ),
)
"""Files that differ once a game is kept, of a study or a fit also one of its proof, or made."""
A = TypeVar("A")
FileFigures = tuple[Figures, ...]


@dataclass(frozen=True)
class Ended:
    """The games in the order in which they came here, so that a page can ask for the next ones."""

    generation: str
    games: Numbered


@dataclass(frozen=True)
class Latest:
    """A snapshot, or the reason why there is none, under a mark of its own."""

    mark: str
    snapshot: Snapshot | None
    fault: str
    ended: Ended
    kept: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, key: Hashable, make: Callable[[], A]) -> A:
        """An answer that is made of this, once for all that ask; of too many, the first few."""
        answer: A = self.kept[key] if key in self.kept else make()
        if len(self.kept) < MOST_KEPT:
            self.kept[key] = answer
        return answer


class FollowedRun:
    """Holds the facts about one run; any thread may ask."""

    def __init__(self, folder: Path, builder: Executor, budget: CpuBudget) -> None:
        """The snapshots are made by the `builder`, within the `budget` of all runs."""
        self.folder = folder
        self.used = time.monotonic()
        self.began = time.monotonic()
        self._builder, self._budget = builder, budget
        self._lock = Lock()
        self._building: Future[None] | None = None
        self._told: Latest | None = None
        self._built_of: FileFigures = ()
        self._due = 0.0
        self._seen: tuple[float, object] = 0.0, None
        self.first_count = self.count()

    def told(self) -> Latest:
        """The last snapshot; the first one is waited for, but not so long that others must wait."""
        self.used = time.monotonic()
        if not self._told:
            left = self.began + FIRST_WAIT - time.monotonic()
            wait([self.renew()], max(left, 0.0))
        return self._told or Latest("", None, SLOW, Ended("", []))

    def look(self) -> str:
        """The mark of the last snapshot; if the folder has changed, begin to make the next."""
        is_due = time.monotonic() >= self._due and not self._budget.wait()
        if is_due and figures_of(self.folder) != self._built_of:
            self.renew()
        return self._told.mark if self._told else ""

    def at_moment(self, look: Callable[[], A]) -> A:
        """The answer of a look at the folder, made anew only if the last one is a moment old."""
        due, found = self._seen
        if time.monotonic() >= due:
            found = look()
            self._seen = time.monotonic() + MOMENT, found
        return cast(A, found)

    def renew(self) -> Future[None]:
        """Make a snapshot beside all else, unless that is being done."""
        with self._lock:
            if self._building is None or self._building.done():
                self._building = self._builder.submit(self._build)
            return self._building

    def _build(self) -> None:
        """Make a snapshot and show it, or give it up."""
        seen, found, fault = in_time(MAX_MAKING, self._look)
        before = self._told.ended if self._told else Ended(secrets.token_hex(6), [])
        ended = _continued(before, found.games if found else [])
        self._built_of = seen
        self._told = Latest(secrets.token_hex(6), found, fault, ended)
        self._due = time.monotonic() + LEAST_WAIT

    def _look(self) -> tuple[FileFigures, Snapshot | None, str]:
        """The folder's figures, and its snapshot, or why it cannot be read."""
        began, seen = time.thread_time(), figures_of(self.folder)
        try:
            return seen, snapshot_of(self.folder), ""
        except ConfigError as error:
            return seen, None, str(error)
        except Exception as error:  # of a folder that others wrote, or that is just being made
            logger.warning("%s cannot be read", path_text(self.folder), exc_info=True)
            return seen, None, f"It cannot be read: {type(error).__name__}: {error}"
        finally:
            self._budget.spend(time.thread_time() - began)

    def count(self) -> int:
        """The games that are kept."""
        return kept_games_count(self.folder, figures_of(self.folder))


@lru_cache(maxsize=1000)
def kept_games_count(folder: Path, figures: FileFigures) -> int:
    """The games that a folder keeps, counted again once its files have other figures."""
    try:
        return sum((read_store(folder, Store.meetings) or {}).values())
    except ConfigError:
        return 0


def _continued(before: Ended, games: Numbered) -> Ended:
    """The games as before, the new ones after them; all anew if one of those is another now."""
    numbers: dict[GameKey, int] = {key(record): number for number, record in games}
    known = {key(record): number for number, record in before.games}
    if any(numbers.get(each) != number for each, number in known.items()):
        return Ended(secrets.token_hex(6), games)
    new = [each for each in games if key(each[1]) not in known]
    return Ended(before.generation, [*before.games, *new])


def figures_of(folder: Path) -> FileFigures:
    """Figures of the files that differ once a game is kept, without opening a file."""
    return tuple(file_figures(f"{folder}/{name}") for name in CHANGING)
