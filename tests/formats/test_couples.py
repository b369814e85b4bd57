"""Couples: players meet their partners only; and the test of their mean."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from support.game_records import games_of, play_pair

from arena.errors import ConfigError
from arena.format import Field
from arena.formats import couples, sprt, sprt_couples
from arena.match.pairs import Results
from arena.match.record import GameRecord
from arena.report.page.charts import llr_path

FIELD = Field(("a", "b", "c", "d"), tuple(map(str, range(12))), 1)
VALUES = {"elo0": 0.0, "elo1": 50.0, "alpha": 0.05, "beta": 0.05, "model": "logistic", "pairs": 99}


def met(field: Field = FIELD, **values: object) -> Counter[tuple[str, str]]:
    return Counter((each.one, each.other) for each in couples.pairings(field, Results(), **values))  # type: ignore[arg-type]


def test_couples_follow_the_order_of_the_file_or_are_named_and_may_have_own_pairs() -> None:
    assert met() == {("a", "b"): 12, ("c", "d"): 12}
    assert met(of=[["c", "a"], ["c", "b"]]) == {("c", "a"): 12, ("c", "b"): 12}
    assert couples.total(FIELD) == 24
    assert met(pairs=[20, 3]) == {("a", "b"): 20, ("c", "d"): 3}
    assert couples.total(FIELD, pairs=[20, 3]) == 23
    assert couples.openings(pairs=(20, 3)) == 20


def test_couples_that_take_turns_share_no_opening() -> None:
    found = list(couples.pairings(FIELD, Results(), turns=2))
    openings = {each.opening for each in found}
    assert len(openings) == len(found) == 12 == couples.total(FIELD, turns=2)
    assert met(turns=2) == {("a", "b"): 6, ("c", "d"): 6}


@pytest.mark.parametrize(
    ("field", "values", "message"),
    [
        (Field(("a", "b", "c"), (), 1), {}, "couples are of two players each, not 1: c"),
        (FIELD, {"of": [["a", "e"]]}, "unknown player 'e'"),
        (FIELD, {"of": [["a", "a"]]}, "a cannot meet itself"),
        (FIELD, {"of": [["a", "b"], ["b", "a"]]}, "a couple stands here twice"),
        (FIELD, {"pairs": [4]}, "one number for each of 2 couples"),
        (FIELD, {"pairs": [4, 0]}, "at least one pair"),
    ],
)
def test_what_is_no_couple_is_a_fault(
    field: Field, values: dict[str, list[list[str]]], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        couples.total(field, **values)  # type: ignore[arg-type]


def test_the_test_of_a_mean_takes_couples_in_turn_and_plays_on_after_h1() -> None:
    values, results, records = VALUES | {"least": 30}, Results(), list[GameRecord]()
    pairings = sprt_couples.pairings(FIELD, results, **values)  # type: ignore[arg-type]
    played = Counter[tuple[str, str]]()
    for pairing in pairings:
        played[pairing.one, pairing.other] += 1
        records += play_pair(results, pairing, pairing.one)
    (row,) = sprt_couples.matches(FIELD, results, **values)
    assert row["decision"] == "H1"
    assert (row["one"], row["other"]) == ("a / c", "b / d")
    assert row["pairs"] < 60
    assert played == {("a", "b"): 30, ("c", "d"): 30}
    assert sprt_couples.total(FIELD, **values) == 99
    (plain,) = sprt.matches(Field(("a", "b"), FIELD.openings, 1), two_alone(row["pairs"]), **VALUES)
    assert row["llr"] == plain["llr"]
    path = llr_path(games_of(records), row)
    assert path[-1] == (row["pairs"], row["llr"])


def two_alone(pairs: int) -> Results:
    results = Results()
    field = Field(("a", "b"), FIELD.openings, 1)
    for pairing in islice(sprt.pairings(field, Results(), **VALUES), pairs):  # type: ignore[arg-type]
        play_pair(results, pairing, pairing.one)
    return results
