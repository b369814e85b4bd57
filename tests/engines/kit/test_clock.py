"""Limits: how long a move may take, and how a search deepens within bounds."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from arena.engine import Choice, Limit
from engines.kit.clock import LIMITS, NEVER, POLL, UNLIMITED, begin, bounds, deepen, now, visit


def new_state() -> Any:
    """A record with nothing but limits."""
    state = np.zeros(1, np.dtype(LIMITS, align=True))[0]
    begin(state)
    return state


def visits(state: Any, most: int) -> int:
    """How many of so many nodes may be searched."""
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
    until = bounds(limit)[1]
    after = time.monotonic_ns()
    assert before - 1 <= until - 1e9 * seconds <= after + 1


def test_depth_alone_is_no_bound() -> None:
    assert bounds(Limit(depth=3)) == UNLIMITED
    assert bounds(Limit(nodes=7)) == (7, NEVER)


def depths_searched(state: Any, within: tuple[int, int], final: int = 99) -> tuple[Choice, int]:
    """Deepen to 5 plies, each costing 1 000 nodes; the answer and how often it searched."""
    searched = 0

    def search(depth: int) -> Choice:
        nonlocal searched
        searched += 1
        visits(state, 1000)
        return Choice(depth, depth=min(depth, final))

    return deepen(state, range(1, 6), within, search), searched


@pytest.mark.parametrize(
    ("max_nodes", "depth", "nodes"),
    [(0, 1, 1000), (1000, 1, 1000), (1999, 1, 1999), (2000, 2, 2000), (9999, 5, 5000)],
)
def test_the_last_depth_within_the_nodes_counts(max_nodes: int, depth: int, nodes: int) -> None:
    choice, _ = depths_searched(new_state(), (max_nodes, NEVER))
    assert (choice.move, choice.depth, choice.nodes) == (depth, depth, nodes)


def test_a_shorter_answer_than_asked_for_is_final() -> None:
    choice, searched = depths_searched(new_state(), UNLIMITED, final=2)
    assert (choice.depth, searched) == (2, 3)


def test_the_first_depth_is_finished_after_the_deadline_too() -> None:
    choice, searched = depths_searched(new_state(), (NEVER, time.monotonic_ns()))
    assert (choice.depth, choice.nodes, searched) == (1, 1000, 2)


def test_the_clock_is_looked_at_now_and_then() -> None:
    state = new_state()
    assert visits(state, 1) == 1
    state["deadline"] = 0
    assert visits(state, 2 * POLL) == POLL - 1
    assert state["stopped"]
