"""The share of the processor that looking on may take from the games beside it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import wraps
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

ANSWER_SHARE = 0.1
"""The most of one core that answers may take while games are played."""
REPORT_SHARE = 0.05
"""The most of one core that making reports may take, however many and long the runs."""
AT_ONCE = 2.0
"""CPU seconds that may be taken at once after a rest, so that a page alone never waits."""
TAKING = 0.001
"""CPU seconds to take a request and to send its answer, beside those to make it."""
MAX_MAKING = 60.0
"""Seconds after which a page is given up; it is made again when it is asked for."""


class CpuBudget:
    """Holds the processor time that some work may take: a share of all time, and some at once."""

    def __init__(self, share: float, at_once: float = AT_ONCE) -> None:
        self._share, self._at_once = share, at_once
        self.turns = asyncio.Lock()
        """Entered by each answer that waits, so that the first to come goes on first."""
        self._free = 0.0
        self._lock = Lock()

    def spend(self, seconds: float) -> None:
        """Note CPU seconds that were taken."""
        with self._lock:
            rested = time.monotonic() - self._at_once / self._share
            self._free = max(self._free, rested) + seconds / self._share

    def wait(self) -> float:
        """Seconds until more may be taken."""
        return max(0.0, self._free - time.monotonic())


def paced(
    view: Callable[[Request], Response], is_needed: Callable[[], bool], budget: CpuBudget
) -> Callable[[Request], Awaitable[Response]]:
    """A view that waits until the budget has room for it, as long as that `is_needed`."""

    def timed(request: Request) -> Response:
        began = time.thread_time()
        try:
            return view(request)
        finally:
            budget.spend(time.thread_time() - began)

    @wraps(view)
    async def answer(request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool
        from starlette.responses import Response

        try:
            async with budget.turns:  # or else all would look each time that one goes on
                # Whether games are played is seen by a look at all folders, which takes a while.
                while (wait := budget.wait()) and await run_in_threadpool(is_needed):
                    await asyncio.sleep(wait)
                budget.spend(TAKING)
            return await run_in_threadpool(timed, request)
        except asyncio.CancelledError:  # the server ends, and says nothing of those that wait
            return Response(status_code=503)

    return answer
