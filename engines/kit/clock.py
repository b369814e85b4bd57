"""The monotonic clock, readable inside a kernel, and how long a move may take."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numba import types

from arena.engine import Limit
from arena.jit import kernel

NEVER = int(np.iinfo(np.int64).max)
MONOTONIC = np.int32(time.CLOCK_MONOTONIC)
"""The clock of `time.monotonic_ns`; one reading takes 24 ns."""

clock_gettime: Any = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.intp))


@kernel
def now_ns() -> int:
    """Nanoseconds of the monotonic clock."""
    time_spec = np.empty(2, np.int64)
    clock_gettime(MONOTONIC, time_spec.ctypes.data)
    return time_spec[0] * 1_000_000_000 + time_spec[1]


def deadline(limit: Limit) -> int:
    """When to stop, in nanoseconds of the monotonic clock; NEVER without a limit of time.

    A game clock alone is shared out as if 25 more moves were to come.
    """
    seconds = limit.seconds
    if limit.time_left is not None:
        share = limit.time_left / 25 + 0.8 * (limit.increment or 0.0)
        share = min(share, 0.8 * limit.time_left)
        seconds = share if seconds is None else min(seconds, share)
    if seconds is None:
        return NEVER
    # The answer's way back through Python is on the clock, too.
    return time.monotonic_ns() + int(1e9 * (seconds - min(0.001, 0.1 * seconds)))
