"""Limits: the time that a move may take, and the depths that a search reaches within them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from arena.engine import Choice, Limit
from arena.engines.kit.clock import LIMITS, NEVER, POLL, UNLIMITED, begin, deepen, now, visit


def new_state(limit: Limit = UNLIMITED) -> Any:
    """A record with nothing but limits."""
    state = np.zeros(1, np.dtype(LIMITS, align=True))[0]
    begin(state, limit)
    return state


def visits(state: Any, most: int) -> int:
    """The number of nodes that may be searched, at most those that are tried."""
    return sum(visit(state) for _ in range(most))


def test_the_kernels_clock_is_the_monotonic_one() -> None:
    before = time.monotonic_ns()
    assert before <= now() <= time.monotonic_ns()


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [
        (Limit(seconds=0.05), 0.049),
        (Limit(seconds=0.002), 0.0018),
        (Limit(time_left=50), 1.999),
        (Limit(time_left=50, increment=1), 2.799),
        (Limit(time_left=1, increment=10), 0.799),
        (Limit(seconds=0.5, time_left=50), 0.499),
    ],
)
def test_a_deadline_leaves_time_for_the_way_back(limit: Limit, seconds: float) -> None:
    before = time.monotonic_ns()
    until = new_state(limit)["deadline"]
    after = time.monotonic_ns()
    assert before - 1 <= until - 1e9 * seconds <= after + 1


def test_depth_alone_limits_neither_nodes_nor_time() -> None:
    for limit, bounds in ((Limit(depth=3), (NEVER, NEVER)), (Limit(nodes=7), (7, NEVER))):
        state = new_state(limit)
        assert (state["max_nodes"], state["deadline"]) == bounds


def depths_searched(limit: Limit, final: int = 99, always: bool = True) -> tuple[Choice, list[int]]:
    """Deepen to 5 plies, each costing 1 000 nodes; the answer and the depths that were tried."""
    state, depths = new_state(limit), []

    def search(depth: int) -> Choice:
        depths.append(depth)
        visits(state, 1000)
        return Choice(depth, depth=min(depth, final))

    return deepen(state, 5, limit, search, always=always), depths


@pytest.mark.parametrize(
    ("limit", "always", "depths"),
    [
        (Limit(), False, [5]),
        (Limit(), True, [1, 2, 3, 4, 5]),
        (Limit(depth=3), False, [3]),
        (Limit(depth=9), False, [5]),
        (Limit(depth=3), True, [1, 2, 3]),
        (Limit(depth=2, nodes=9_000), False, [1, 2]),
        (Limit(nodes=9_000), False, [1, 2, 3, 4, 5]),
        (Limit(seconds=60), False, [1, 2, 3, 4, 5]),
    ],
)
def test_depths_grow_from_one_where_nodes_or_time_are_limited(
    limit: Limit, always: bool, depths: list[int]
) -> None:
    assert depths_searched(limit, always=always)[1] == depths


@pytest.mark.parametrize(
    ("max_nodes", "depth", "nodes"),
    [(0, 1, 1000), (1000, 1, 1000), (1999, 1, 1999), (2000, 2, 2000), (9999, 5, 5000)],
)
def test_the_last_depth_within_the_nodes_counts(max_nodes: int, depth: int, nodes: int) -> None:
    choice, _ = depths_searched(Limit(nodes=max_nodes))
    assert (choice.move, choice.depth, choice.nodes) == (depth, depth, nodes)


def test_a_shorter_answer_than_asked_for_is_final() -> None:
    choice, depths = depths_searched(UNLIMITED, final=2)
    assert (choice.depth, depths) == (2, [1, 2, 3])


def test_the_first_depth_is_finished_after_the_deadline_too() -> None:
    choice, depths = depths_searched(Limit(seconds=0))
    assert (choice.depth, choice.nodes, depths) == (1, 1000, [1, 2])


def test_the_clock_is_looked_at_now_and_then() -> None:
    state = new_state()
    assert visits(state, 1) == 1
    state["deadline"] = 0
    assert visits(state, 2 * POLL) == POLL - 1
    assert state["stopped"]
