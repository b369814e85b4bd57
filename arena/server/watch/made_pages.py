"""Pages over several runs, which take long to make: made beside all else, and kept."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Lock

from arena.errors import ConfigError
from arena.files import in_time
from arena.report.answer import Answer
from arena.server.watch.pace import MAX_MAKING, CpuBudget

logger = logging.getLogger(__name__)

LONGEST_WAIT = 5.0
"""Seconds for which a request waits for a page; then it is told to ask again."""
SHARE = 0.05
"""Of a core, that pages over several runs take in the long run, beside all others."""
MOST_WAITING = 16
"""Pages that are being made, or are to be; more are not begun."""
MOST_KEPT = 16
"""Pages that are kept; of more, those that were longest unused are made again."""

Made = Answer | str
"""A page, or the reason why there is none."""


class MadePages:
    """Holds the pages that were made last, with the state of the files that they were made of."""

    def __init__(self) -> None:
        # Of its own, so that no reader of these pages holds up the reports of runs.
        self._builder = ThreadPoolExecutor(1, "pages over runs")
        self._budget = CpuBudget(SHARE)
        self._lock = Lock()
        self._kept: dict[Hashable, tuple[Hashable, Made]] = {}
        self._making: dict[Hashable, tuple[Future[None], float]] = {}
        """The pages that are being made, and the moments at which each was begun."""

    def page(self, key: Hashable, state: Hashable, make: Callable[[], Answer]) -> Made | None:
        """The page of a key; None if it is still being made.

        It is made anew once the `state` of its files is another. Until then the last one stands in,
        and if there is none, it is waited for.
        """
        with self._lock:
            known = self._kept.pop(key, None)
            if known:
                self._kept[key] = known  # now the last that was used
            is_due = (known is None or known[0] != state) and not self._budget.wait()
            if is_due and key not in self._making and len(self._making) < MOST_WAITING:
                making = self._builder.submit(self._make, key, state, make)
                self._making[key] = making, time.monotonic()
            being_made = self._making.get(key)
        if known is None and being_made:
            making, began = being_made
            wait([making], max(0, began + LONGEST_WAIT - time.monotonic()))
            known = self._kept.get(key)
        return known[1] if known else None

    def close(self) -> None:
        """Begin nothing more; pages that are being made are let go."""
        self._builder.shutdown(wait=False, cancel_futures=True)

    def _make(self, key: Hashable, state: Hashable, make: Callable[[], Answer]) -> None:
        """Make a page and keep it, or give it up, so that it does not hold up all others."""
        try:
            made = in_time(MAX_MAKING, self._made, make)
            with self._lock:
                self._kept[key] = state, made
                while len(self._kept) > MOST_KEPT:
                    del self._kept[next(iter(self._kept))]
        finally:
            with self._lock:
                self._making.pop(key, None)

    def _made(self, make: Callable[[], Answer]) -> Made:
        """A page; folders that cannot be read are said to be so in its place."""
        began = time.thread_time()
        try:
            return make().prepared()
        except ConfigError as error:
            return str(error)
        except Exception as error:  # of folders that others wrote, or that are just being made
            logger.warning("no page can be made of these runs", exc_info=True)
            return f"This cannot be read: {type(error).__name__}: {error}"
        finally:
            self._budget.spend(time.thread_time() - began)
