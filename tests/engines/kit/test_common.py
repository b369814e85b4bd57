"""What all boards of the kit share: grids, kinds of bound, clocks, and the folders they are in."""

from __future__ import annotations

import time
from itertools import product
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest

from arena.engine import Choice, Limit
from arena.engines.kit import MAX_SIZE, bounds, windows
from arena.engines.kit.bounds import AT_LEAST, AT_MOST, EXACTLY
from arena.engines.kit.clock import LIMITS, NEVER, POLL, UNLIMITED, begin, deepen, now, visit
from arena.engines.kit.shapes import table

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
both = pytest.mark.parametrize(("grid", "reach"), [(windows, 4), (table, 5)])


@both
@pytest.mark.parametrize("size", [5, 15, MAX_SIZE])
def test_every_move_has_a_cell_of_its_own(grid: ModuleType, reach: int, size: int) -> None:
    cells = [grid.cell_of(move, size) for move in range(size * size)]
    assert len({*cells}) == size * size
    assert 0 <= min(cells) <= max(cells) < grid.CELLS
    assert [grid.move_of(cell, size) for cell in cells] == [*range(size * size)]


@both
@pytest.mark.parametrize("size", [5, MAX_SIZE])
def test_steps_lead_to_neighbours_or_off_the_board(grid: ModuleType, reach: int, size: int) -> None:
    """Antidiagonals may be walked either way."""
    cells = {grid.cell_of(move, size): divmod(move, size) for move in range(size * size)}
    for cell, (row, column) in cells.items():
        for step, (down, right) in zip(grid.STEPS, DIRECTIONS, strict=True):
            sign = 1 if (step > 0) == (down > 0 or right > 0) else -1
            for k in range(-reach, reach + 1):
                there = (row + sign * k * down, column + sign * k * right)
                expected = there if all(0 <= at < size for at in there) else None
                assert cells.get(cell + k * int(step)) == expected


bound_kind = cast(Any, bounds.bound_kind).py_func
settles = cast(Any, bounds.settles).py_func


@pytest.mark.parametrize(
    ("value", "kind"), [(1, AT_MOST), (2, AT_MOST), (3, EXACTLY), (4, AT_LEAST), (5, AT_LEAST)]
)
def test_a_result_is_exact_only_strictly_between_alpha_and_beta(value: int, kind: int) -> None:
    assert bound_kind(value, 2, 4) == kind


def test_a_stored_value_answers_a_search_only_if_no_true_value_could_tell_otherwise() -> None:
    """Of all true values that a bound allows, each leads to the same side of alpha and beta."""
    allowed = {EXACTLY: int.__eq__, AT_LEAST: int.__ge__, AT_MOST: int.__le__}
    for kind, value, alpha, beta in product(allowed, range(8), range(1, 7), range(1, 7)):
        true_values = [true for true in range(-9, 18) if allowed[kind](true, value)]
        alike = all(true >= beta for true in true_values)
        alike |= all(true <= alpha for true in true_values)
        if alpha < beta:
            assert settles(kind, value, alpha, beta) == (alike or kind == EXACTLY)


def test_an_entry_that_was_never_written_answers_nothing() -> None:
    assert not any(settles(0, value, -1, 1) for value in (-2, 0, 2))


def new_state(limit: Limit = UNLIMITED) -> Any:
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
    for limit, most in ((Limit(depth=3), (NEVER, NEVER)), (Limit(nodes=7), (7, NEVER))):
        state = new_state(limit)
        assert (state["max_nodes"], state["deadline"]) == most


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
def test_depths_grow_within_nodes_or_time(limit: Limit, always: bool, depths: list[int]) -> None:
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
