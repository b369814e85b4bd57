"""The Swiss system: neighbours in the ranking meet, and no two players meet twice."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hypothesis import given, strategies as st
from support.game_records import play_pair

from arena.errors import ConfigError
from arena.format import Field
from arena.formats import swiss
from arena.formats.swiss import REST, matched
from arena.match.pairs import Results


def field(players: int) -> Field:
    return Field(tuple("abcdefgh"[:players]), ("1", "2"), 1)


def stages(players: int, order: str, stages: int = 0) -> list[set[str]]:
    """The meetings of each stage, which the player earlier in this order wins, if there is one."""
    whole, results = field(players), Results()
    for pairing in swiss.pairings(whole, results, stages=stages):
        assert pairing is not None
        best = min((pairing.one, pairing.other), key=order.index) if order else None
        play_pair(results, pairing, best)
    rows = swiss.matches(whole, results, stages=stages)
    found = [set[str]() for _ in range(rows[-1]["stage"])]
    for row in rows:
        found[row["stage"] - 1].add(row["one"] + row["other"])
    return found


def test_winners_meet_winners() -> None:
    first, second, third = stages(8, "abcdefgh")
    assert first == {"ab", "cd", "ef", "gh"}
    assert second == {"ac", "eg", "bd", "fh"}
    assert third == {"ae", "bc", "dh", "fg"}


def test_each_stage_but_for_one_player_all_play_and_nobody_rests_twice() -> None:
    found = stages(5, "abcde", stages=3)
    resting = [set("abcde") - set("".join(stage)) for stage in found]
    assert all(len(each) == 1 for each in resting)
    assert len(set.union(*resting)) == 3
    assert resting[0] == {"e"}


def test_the_next_stage_waits_for_all_results() -> None:
    whole, results = field(4), Results()
    schedule = swiss.pairings(whole, results)
    first = [pairing for pairing in islice(schedule, 4) if pairing]
    assert len(first) == 4
    for number, pairing in enumerate(first):
        assert list(islice(schedule, 3)) == [None] * 3, f"{number} of 4 pairs are there"
        play_pair(results, pairing, "a")
    following = next(schedule)
    assert following is not None
    assert (following.one, following.other) == ("a", "c")


def test_rest_is_worth_a_draw() -> None:
    # Of c, which rested, and b, which lost, c is next to meet the winner.
    assert stages(3, "abc") == [{"ab"}, {"ac"}]
    # Of seven, g rested: it comes below the three who won, and above those who lost.
    assert stages(7, "abcdefg", stages=2)[1] == {"ac", "eg", "bd"}
    # Where all the others drew, it comes above none of them.
    assert stages(7, "", stages=2)[1] == {"ac", "bd", "eg"}


@given(st.integers(2, 40), st.randoms(use_true_random=False))
def test_all_can_be_paired_up_to_the_most_stages(players: int, draw: random.Random) -> None:
    ranked = [*map(str, range(players)), *[REST] * (players % 2)]
    met: set[frozenset[str]] = set()
    for _ in range((players + 1) // 2):
        draw.shuffle(ranked)
        couples = matched(ranked, met)
        assert sorted(name for couple in couples for name in couple) == sorted(ranked)
        for couple in map(frozenset, couples):
            assert couple not in met
            met.add(couple)


def test_neighbours_meet_and_the_lowest_give_way() -> None:
    assert matched("abcdef", set()) == [("a", "b"), ("c", "d"), ("e", "f")]
    assert matched("abcdef", {frozenset("ab")}) == [("a", "c"), ("b", "d"), ("e", "f")]
    assert matched("abcdef", {frozenset("ef")}) == [("a", "b"), ("c", "e"), ("d", "f")]


def test_more_stages_than_can_always_be_paired_are_a_fault() -> None:
    assert swiss.total(field(8), stages=4) == 4 * 4 * 2
    with pytest.raises(ConfigError, match="8 players can meet in at most 4 stages"):
        swiss.total(field(8), stages=5)
