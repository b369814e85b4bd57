"""The runs and studies of a results folder, each under an id that no path can be made of."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from arena.server.watch.followed_run import FollowedRun
from arena.server.watch.pace import REPORT_SHARE, CpuBudget
from arena.server.watch.snapshot import warm_up
from arena.storage.folder import CONFIG, path_text, run_id

IDLE = 300.0
"""Seconds without a request after which a run is forgotten."""
MOST_FOLLOWED = 20
AT_REST = 2 * 10**9
"""Nanoseconds since a folder's last change after which it is not read again: file systems count
time in steps, and within one step it may change once more."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A folder that keeps games."""

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
        """All runs and studies, those within a study after it."""
        return sorted(self._found(), key=lambda each: each.folder.parts)

    def within(self, folder: Path) -> list[RunFolder]:
        """The runs that a study keeps in its folder: those of its proof."""
        return [each for each in self.runs() if each.folder.parent == folder]

    def find(self, id: str) -> RunFolder | None:
        """The run of an id, which is only ever compared."""
        return next((each for each in self._found() if each.id == id), None)

    def follow(self, id: str) -> FollowedRun | None:
        """The run of an id, as it is now and as it goes on."""
        known = self._followed.get(id)
        if known and is_kept(os.fspath(known.folder)):
            return known  # pages ask twice a second: the folder is not looked through each time
        found = self.find(id)
        if found is None:
            return None
        with self._lock:
            self._forget_some()
            return self._followed.setdefault(
                id, FollowedRun(found.folder, self.builder, self.budget)
            )

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
        for folder in [results] if is_one else self._folders_in(results):
            for each in (folder, *self._folders_in(folder)):
                if is_kept(each):
                    if each not in self._known:
                        name = Path(each).relative_to(start)
                        self._known[each] = RunFolder(run_id(name), path_text(name), Path(each))
                    yield self._known[each]

    def _folders_in(self, folder: str) -> list[str]:
        """The folders within a folder, which is read again once it has changed."""
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
    """True if games are kept in this folder."""
    return os.path.isfile(f"{folder}/{CONFIG}")
