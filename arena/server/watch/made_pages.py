"""Pages over several runs, which take long to make: made beside all else, and kept."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from threading import Lock

from arena.errors import ConfigError
from arena.report.page.document import Page
from arena.server.watch.run_folders import RunFolders

logger = logging.getLogger(__name__)

LONGEST_WAIT = 5.0
"""Seconds for which a request waits for a page; then it is told to ask again."""
MOST_KEPT = 16
"""Pages that are kept; of more, those that were longest unused are made again."""

Made = Page | str
"""A page, or the reason why there is none."""


class MadePages:
    """Holds the pages that were made last, with the state of the files that they were made of."""

    def __init__(self, run_folders: RunFolders) -> None:
        self._run_folders = run_folders
        self._lock = Lock()
        self._kept: dict[Hashable, tuple[Hashable, Made]] = {}
        self._making: dict[Hashable, Future[None]] = {}

    def page(self, key: Hashable, state: Hashable, make: Callable[[], Page]) -> Made | None:
        """The page of a key; None if it is still being made.

        It is made anew once the `state` of its files is another. Until then the last one stands in,
        and if there is none, it is waited for.
        """
        with self._lock:
            known = self._kept.pop(key, None)
            if known:
                self._kept[key] = known  # now the last that was used
            making = self._making.get(key)
            is_due = known is None or (known[0] != state and not self._run_folders.budget.wait())
            if is_due and (making is None or making.done()):
                making = self._run_folders.builder.submit(self._make, key, state, make)
                self._making[key] = making
        if known is None and making:
            wait([making], LONGEST_WAIT)
            known = self._kept.get(key)
        return known[1] if known else None

    def _make(self, key: Hashable, state: Hashable, make: Callable[[], Page]) -> None:
        """Make a page; folders that cannot be read are said to be so in its place."""
        began = time.thread_time()
        try:
            made: Made = make()
        except ConfigError as error:
            made = str(error)
        except Exception as error:  # of folders that others wrote, or that are just being made
            logger.warning("no page can be made of these runs", exc_info=True)
            made = f"This cannot be read: {type(error).__name__}: {error}"
        with self._lock:
            self._kept[key] = state, made
            self._making.pop(key, None)
            while len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        self._run_folders.budget.spend(time.thread_time() - began)
