"""The next test of a queue: priority, arrival and shares, by simulated queues."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, strategies as st

from arena.errors import ConfigError
from arena.queue.order import (
    HOUR,
    Hours,
    QueuedTest,
    Slice,
    State,
    charged,
    hours_of,
    joined,
    next_of,
    seconds_left,
)

ENTRIES = st.lists(
    st.builds(
        QueuedTest,
        id=st.integers(1, 10**6),
        name=st.just("test"),
        priority=st.integers(-2, 2),
        share=st.floats(0.1, 10),
        state=st.sampled_from(State),
        pace=st.floats(0, 1000),
    ),
    unique_by=lambda each: each.id,
    max_size=12,
)


@given(ENTRIES, st.booleans())
def test_the_next_test_is_ready_and_none_that_is_ready_has_a_higher_priority(
    entries: list[QueuedTest], by_shares: bool
) -> None:
    ready = [each for each in entries if each.is_ready]
    found = next_of(entries, by_shares)
    assert (found is None) == (not ready)
    if found:
        assert found in ready
        assert found.priority == max(each.priority for each in ready)


@given(ENTRIES)
def test_equals_are_played_in_the_order_of_arrival(entries: list[QueuedTest]) -> None:
    found = next_of(entries)
    equals = [each for each in entries if found and each.is_ready]
    assert not found or found.id == min(
        each.id for each in equals if each.priority == found.priority
    )


@given(ENTRIES)
def test_a_slice_of_time_ends_for_a_higher_priority_only(entries: list[QueuedTest]) -> None:
    for each in entries:
        found = next_of(entries, True, Slice(each.id, 1.0))
        if each.is_ready and found:
            assert found == each or found.priority > each.priority


def played_for(entries: list[QueuedTest], seconds: float, random: Random) -> Counter[int]:
    """The core seconds by test of a simulated queue of four cores, whose games in flight take up
    to two seconds to end once its tests change places."""
    left, spent, now = seconds, Counter[int](), None
    by_id = {each.id: each for each in entries}
    while left > 0:
        found = next_of(by_id.values(), True, now)
        assert found
        if now and found.id != now.id:
            rest = random.uniform(0, 2)
            spent[now.id] += 4 * rest
            by_id[now.id] = charged(by_id[now.id], 4 * rest)
            left -= rest
        step = random.uniform(0.3, 2)
        began = now.seconds if now and now.id == found.id else 0.0
        # A slice that has come to its end while no other is behind begins again.
        now = Slice(found.id, began + step)
        by_id[found.id] = charged(by_id[found.id], 4 * step)
        spent[found.id] += 4 * step
        left -= step
    return spent


@pytest.mark.parametrize("shares", [[1, 1], [1, 2, 5], [1] * 30, [3, 1, 1, 1, 2, 8]])
@pytest.mark.parametrize("seed", range(3))
def test_shares_of_an_hour_are_kept_within_a_tenth(shares: list[int], seed: int) -> None:
    entries = [QueuedTest(id, "test", share=share) for id, share in enumerate(shares, 1)]
    spent = played_for(entries, HOUR, Random(seed))
    for each in entries:
        due = 4 * HOUR * each.share / sum(shares)
        assert spent[each.id] == pytest.approx(due, rel=0.1)


@pytest.mark.parametrize("state", [State.DONE, State.PAUSED, State.WAITING])
def test_a_test_that_comes_later_neither_makes_up_for_the_past_nor_waits(state: State) -> None:
    first = charged(QueuedTest(1, "first", state=state), 5000)
    back = replace(charged(QueuedTest(2, "back", state=State.PAUSED), 9000), state=State.PAUSED)
    new = joined(QueuedTest(3, "new"), [first, back])
    again = joined(back, [first, back, new])
    assert again.is_ready
    spent = played_for([new, again], HOUR, Random(1))
    assert spent[2] == pytest.approx(spent[3], rel=0.1)


def test_hours_may_lead_over_midnight() -> None:
    night = hours_of("20-7")
    assert [hour for hour in range(24) if night.has(hour)] == [*range(7), *range(20, 24)]
    assert [hour for hour in range(24) if Hours(8, 12).has(hour)] == [8, 9, 10, 11]
    assert all(Hours().has(hour / 10) for hour in range(240))


@pytest.mark.parametrize("text", ["", "7", "7-7", "20-25", "-1-7", "a-b", "20:00-7:00"])
def test_other_words_are_no_hours(text: str) -> None:
    with pytest.raises(ConfigError, match="hours are written 20-7"):
        hours_of(text)


def test_what_is_left_is_told_by_the_games_played_and_before_them_by_the_limits() -> None:
    entry = QueuedTest(1, "test", games=100, seconds=8.0)
    assert seconds_left(entry, 4) == 200
    assert seconds_left(replace(entry, played=50, spent=200.0), 4) == 50
    assert seconds_left(replace(entry, seconds=None), 4) is None
    assert seconds_left(replace(entry, games=None), 4) is None
