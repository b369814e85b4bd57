"""The next test of a queue: by priority and arrival; and the time that is left."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, strategies as st

from arena.queue.order import QueuedTest, State, facts_of, in_turn, seconds_left

ENTRIES = st.lists(
    st.builds(
        QueuedTest,
        id=st.integers(1, 10**6),
        name=st.just("test"),
        priority=st.integers(-2, 2),
        state=st.sampled_from(State),
    ),
    unique_by=lambda each: each.id,
    max_size=12,
)


@given(ENTRIES)
def test_those_that_are_ready_are_played_by_priority_and_equals_as_they_came(
    entries: list[QueuedTest],
) -> None:
    found = in_turn(entries)
    assert {each.id for each in found} == {each.id for each in entries if each.is_ready}
    places = [(-each.priority, each.id) for each in found]
    assert places == sorted(places)


def test_programs_are_told_the_facts_of_a_test() -> None:
    ended = QueuedTest(3, "round", state=State.DONE, played=12, spent=4.24, told="one is better")
    assert facts_of(ended) == {
        "id": 3,
        "name": "round",
        "state": "done",
        "games": 12,
        "core_seconds": 4.2,
        "verdict": "one is better",
    }


def test_what_is_left_is_told_by_the_games_played_and_before_them_by_the_limits() -> None:
    entry = QueuedTest(1, "test", games=100, seconds=8.0)
    assert seconds_left(entry, 4) == 200
    assert seconds_left(replace(entry, played=50, spent=200.0), 4) == 50
    assert seconds_left(replace(entry, seconds=None), 4) is None
    assert seconds_left(replace(entry, games=None), 4) is None
