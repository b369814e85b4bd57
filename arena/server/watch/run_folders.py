"""The runs and studies of a results folder, each under an id that no path can be made of."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from os import fsencode
from pathlib import Path
from threading import Lock

from arena.server.watch.followed_run import FollowedRun
from arena.server.watch.snapshot import warm_up
from arena.storage.folder import CONFIG, path_text

IDLE = 300.0
"""Seconds without a request after which a run is forgotten."""
MOST_FOLLOWED = 20


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A folder that keeps games."""

    id: str
    name: str
    """Its path below the results folder."""
    folder: Path


class RunFolders:
    """Holds the results folder, and what is known of its runs."""

    def __init__(self, results: Path) -> None:
        """`results`: a folder of runs, or the folder of one."""
        self.results = results
        self._followed: dict[str, FollowedRun] = {}
        self._lock = Lock()
        # One at a time: the report of a long run takes a core.
        self._builder = ThreadPoolExecutor(1, "snapshots")
        self._builder.submit(warm_up)

    def runs(self) -> list[RunFolder]:
        """All runs and studies, those within a study after it."""
        return sorted(self._found(), key=lambda each: each.folder.parts)

    def within(self, folder: Path) -> list[RunFolder]:
        """The runs that a study keeps in its folder: those of its proof."""
        return [self._named(file.parent) for file in sorted(folder.glob(f"*/{CONFIG}"))]

    def find(self, id: str) -> RunFolder | None:
        """The run of an id, which is only ever compared."""
        return next((each for each in self._found() if each.id == id), None)

    def follow(self, id: str) -> FollowedRun | None:
        """The run of an id, as it is now and as it goes on."""
        known = self._followed.get(id)
        if known and (known.folder / CONFIG).is_file():
            return known  # pages ask twice a second: the folder is not looked through each time
        found = self.find(id)
        if found is None:
            return None
        with self._lock:
            self._forget_some()
            return self._followed.setdefault(id, FollowedRun(found.folder, self._builder))

    def _forget_some(self) -> None:
        """Forget runs without requests, and of too many the one that was longest unused."""
        used = sorted(self._followed, key=lambda id: self._followed[id].used)
        now, spare = time.monotonic(), max(0, len(used) + 1 - MOST_FOLLOWED)
        for place, id in enumerate(used):
            if place < spare or now - self._followed[id].used > IDLE:
                del self._followed[id]

    def _found(self) -> Iterator[RunFolder]:
        """All folders that keep games, as they are now."""
        if self._start == self.results:
            files = [*self.results.glob(f"*/{CONFIG}"), *self.results.glob(f"*/*/{CONFIG}")]
        else:
            files = [self.results / CONFIG, *self.results.glob(f"*/{CONFIG}")]
        return (self._named(file.parent) for file in files)

    @property
    def _start(self) -> Path:
        """The folder that names begin below."""
        return self.results.parent if (self.results / CONFIG).is_file() else self.results

    def _named(self, folder: Path) -> RunFolder:
        """A folder under its id."""
        name = folder.relative_to(self._start)
        return RunFolder(run_id(name), path_text(name), folder)

    def close(self) -> None:
        """Begin nothing more; what is being made is let go."""
        self._builder.shutdown(wait=False, cancel_futures=True)


def run_id(name: Path) -> str:
    """The id of a run, by its path below the results folder."""
    return blake2b(fsencode(name), digest_size=6).hexdigest()
