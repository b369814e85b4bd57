"""The limits of a search: the monotonic clock, readable inside a kernel, and the nodes counted.

A search's record has the fields of `LIMITS`, which `begin` sets; its kernels ask `visit` before
each node, and `deepen` asks for one depth after the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numba import types

from arena.engine import Choice, Limit
from arena.jit import kernel

NEVER = np.iinfo(np.int64).max
UNLIMITED = Limit()
MONOTONIC = time.CLOCK_MONOTONIC  # the clock of `time.monotonic_ns`. One reading takes 24 ns

POLL = 512  # nodes between two looks at the clock: 10 us in five_tuple, 150 us with shapes

LIMITS: list[tuple[str, type]] = [
    ("nodes", np.int64),
    ("max_nodes", np.int64),
    ("deadline", np.int64),
    ("next_check", np.int64),
    ("stopped", np.int64),
]

clock_gettime: Any = types.ExternalFunction(
    "clock_gettime", cast(Any, types.int32)(types.int32, types.intp)
)


@kernel
def now() -> int:
    """Nanoseconds of the monotonic clock."""
    time_spec = np.empty(2, np.int64)
    clock_gettime(MONOTONIC, time_spec.ctypes.data)
    return int(time_spec[0]) * 1_000_000_000 + int(time_spec[1])


@kernel
def visit(state: Any) -> bool:
    """Count one node, and return True; False, for good, once a limit is reached."""
    if state.nodes >= state.next_check and is_over(state):
        return False
    state.nodes += 1
    return True


@kernel
def is_over(state: Any) -> bool:
    """Check the limits; until one is reached, set the node of the next check."""
    if state.nodes >= state.max_nodes or (state.deadline != NEVER and now() >= state.deadline):
        state.stopped = 1
    else:
        state.next_check = min(state.max_nodes, state.nodes + POLL)
    return bool(state.stopped)


def begin(state: Any, limit: Limit = UNLIMITED) -> None:
    """Count nodes from nothing, within the limits of nodes and time; time runs from here."""
    state["nodes"] = state["next_check"] = state["stopped"] = 0
    state["max_nodes"] = NEVER if limit.nodes is None else limit.nodes
    state["deadline"] = deadline(limit)


def deadline(limit: Limit) -> int:
    """The time to stop, in nanoseconds of the monotonic clock; NEVER without a limit of time."""
    bounds = [each for each in (limit.seconds, clock_share(limit)) if each is not None]
    if not bounds:
        return NEVER
    seconds = min(bounds)
    # The answer's way back through Python is on the clock, too.
    return time.monotonic_ns() + int(1e9 * (seconds - min(0.001, 0.1 * seconds)))


def clock_share(limit: Limit) -> float | None:
    """The seconds of a game clock for one move, as if 25 more were to come; None without one."""
    if limit.time_left is None:
        return None
    share = limit.time_left / 25 + 0.8 * (limit.increment or 0.0)
    return min(share, 0.8 * limit.time_left)


def deepen(
    state: Any, depth: int, limit: Limit, search: Callable[[int], Choice], *, always: bool = False
) -> Choice:
    """The answer at the last depth finished within the limits, and all nodes since `begin`.

    Depths grow from 1 if nodes or time are limited (or `always`); else the full depth is searched
    at once. The first depth is finished under any limits. An answer of less than the depth
    asked for is final.
    """
    depth = min(depth, limit.depth or depth)
    is_limited = state["max_nodes"] < NEVER or state["deadline"] < NEVER
    choice, state["next_check"] = Choice(None), NEVER
    for plies in range(1 if is_limited or always else depth, depth + 1):
        answer = search(plies)
        if state["stopped"]:
            break
        choice = answer
        if choice.depth < plies:
            break
        state["next_check"] = 0
    return replace(choice, nodes=int(state["nodes"]))
