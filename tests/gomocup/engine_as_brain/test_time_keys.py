"""The limits that a manager tells by INFO, and what is left of them to think."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from arena.engine import Limit
from arena.gomocup.engine_as_brain.conversation import LEAST_THOUGHT, TimeKeys, seconds_for_several
from arena.gomocup.protocol import UNLIMITED, limit_infos


def after(*infos: str) -> TimeKeys:
    keys = TimeKeys(overrun=0.0)
    for info in infos:
        keys = keys.told(*info.split())
    return keys


def told_by_us(limit: Limit) -> Limit:
    """The limit that our own manager's INFO lines come to."""
    lines = limit_infos(limit, hang=60).decode().splitlines()
    return after(*(line.removeprefix("INFO ") for line in lines if line)).limit()


@pytest.mark.parametrize("limit", [Limit(), Limit(depth=4), Limit(nodes=999), Limit(4, 999)])
def test_a_limit_without_time_is_the_same_to_a_brain(limit: Limit) -> None:
    assert told_by_us(limit) == limit


def test_a_limit_of_time_is_a_little_less_to_a_brain() -> None:
    seconds = told_by_us(Limit(seconds=0.05)).seconds
    assert seconds == pytest.approx(0.0385)
    limit = told_by_us(Limit(time_left=10.0, increment=0.1))
    assert (limit.time_left, limit.increment) == pytest.approx((9.8, 0.09))


@given(st.integers(0, 10**7), st.floats(0, 1), st.floats(0, 0.1))
def test_there_is_always_time_to_answer(bound: int, spent: float, overrun: float) -> None:
    for key in ("timeout_turn", "time_left"):
        keys = after(f"{key} {bound}")
        limit = TimeKeys(keys.turn, keys.match, keys.left, overrun=overrun).limit(spent)
        thought = limit.seconds if key == "timeout_turn" else limit.time_left
        assert thought is not None
        assert thought >= LEAST_THOUGHT
        assert thought == LEAST_THOUGHT or thought + spent <= 0.98 * bound / 1000 or bound > 6000


@pytest.mark.parametrize("info", ["timeout_turn 0", "time_left 0", "time_left -50"])
def test_no_time_is_as_fast_as_possible(info: str) -> None:
    limit = after(info).limit()
    assert LEAST_THOUGHT in (limit.seconds, limit.time_left)


@pytest.mark.parametrize(
    "infos",
    [
        [],
        [f"timeout_turn {UNLIMITED}"],
        [f"time_left {UNLIMITED}"],
        ["timeout_match 0"],
        ["timeout_turn 50", f"timeout_turn {UNLIMITED}"],
        ["timeout_turn 48000", "hang 60000"],
        ["max_depth 0", "max_node -1", "time_increment 0"],
        ["timeout_turn nan", "timeout_turn x", "max_depth inf", "rule 4", "thread_num 8"],
    ],
)
def test_the_depth_alone_decides_where_there_is_no_limit(infos: list[str]) -> None:
    assert after(*infos).limit() == Limit()


def test_the_shorter_of_the_turn_and_the_match_counts() -> None:
    assert after("timeout_turn 5000", "time_left 1000").limit().seconds is None
    both = after("timeout_turn 500", "time_left 9000").limit()
    assert both.seconds is not None
    assert both.time_left is not None


def test_a_match_runs_on_by_the_brains_own_clock_unless_it_is_told() -> None:
    keys = after("timeout_match 10000", "time_increment 100")
    keys = keys.after(3.0, Limit(), 0.0)
    assert keys.left == pytest.approx(7.1)
    assert keys.told("time_left", "5000").left == 5.0
    assert keys.again().left == 10.0


def test_who_was_late_takes_less_time_next_and_forgets_slowly() -> None:
    keys = after("timeout_turn 100")
    first = keys.limit().seconds
    assert first is not None
    late = keys.after(0.1, Limit(seconds=first), first + 0.02)
    second = late.limit().seconds
    assert second == pytest.approx(first - 0.025)
    for _ in range(100):
        late = late.after(0.1, Limit(seconds=0.05), 0.05)
    assert late.limit().seconds == pytest.approx(first, abs=0.001)


def test_several_searches_share_the_time_of_one_answer() -> None:
    assert seconds_for_several(Limit()) is None
    assert seconds_for_several(Limit(seconds=2, time_left=10)) == 1.0
