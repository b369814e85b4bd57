"""Games as columns are counted as they are one by one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest
from support.game_records import game

from arena.format import Pairing
from arena.match.columns import distinct, games_of
from arena.match.pairs import identity, key_mark, pair_numbers, results_of, results_of_games
from arena.match.record import GameRecord, OpeningMade, key
from arena.report.standings import Tally

NAMES = "abc"
FIELDS = ("endings", "faults", "won_by_faults", "by_seat", "by_pair", "evidence")


def made_up(seed: int) -> list[GameRecord]:
    """Games with and without openings, by swap2, ended by faults, half of them copies."""
    random, found = Random(seed), dict[object, GameRecord]()
    for _ in range(150):
        first, second = random.sample(NAMES, 2)
        opening = random.choice(["", "7,7", "7,7 8,8"])
        record = replace(
            game(first, second, random.choice([1, 2, None]), opening, random.randint(1, 3)),
            reason=random.choice(["line", "line", "time"]),
            moves=random.choice(["x", f"{random.random()}"]),
            start=random.choice(["", "s"]),
            digest=random.choice(["", "d"]),
        )
        if random.random() < 0.3:
            rule, suggested = random.choice(["swap2", "other"]), random.choice(["1,1", "2,2"])
            made = OpeningMade(rule, random.choice([1, 2]), suggested)
            record = replace(record, made=made)
        found.setdefault(key(record), record)
    return random.sample([*found.values()], len(found))


@pytest.mark.parametrize("seed", range(5))
def test_a_tally_of_columns_is_that_of_the_games(seed: int) -> None:
    records = made_up(seed)
    single, whole = Tally(NAMES), Tally(NAMES)
    for record in records:
        single.add(record)
    whole.add_games(games_of(records))
    for field in FIELDS:
        assert getattr(single, field) == getattr(whole, field), field
        # Reports list what is equally frequent in the order in which it came.
        assert list(getattr(single, field)) == list(getattr(whole, field))
    assert [*single.by_cluster["a"].items()] == [*whole.by_cluster["a"].items()]
    assert single.standings() == whole.standings()
    assert single.results.singles == whole.results.singles > 0


@pytest.mark.parametrize("seed", range(5))
def test_a_run_goes_on_after_columns_as_after_games(seed: int) -> None:
    records = made_up(seed)
    single, split = Tally(NAMES), Tally(NAMES)
    for record in records:
        single.add(record)
    before = games_of(records[:60])
    split.add_games(before)
    for record in before.part(before.pairs.single).records():
        split.results.expect(record)
    for record in records[60:]:
        split.add(record)
    assert split.standings() == single.standings()
    assert split.evidence_views == single.evidence_views
    assert split.faulty
    assert split.results.singles == single.results.singles


@pytest.mark.parametrize("seed", range(5))
def test_pairs_in_columns_are_those_of_the_games(seed: int) -> None:
    records = made_up(seed)
    one_by_one, at_once = results_of(records), results_of_games(games_of(records))
    openings = {key(record)[2] for record in records}
    found = 0
    for one, other, opening, round in product(NAMES, NAMES, openings, (1, 2, 3)):
        pairing = Pairing(one, other, opening, round)
        assert one_by_one.get(pairing) == at_once.get(pairing)
        found += at_once.get(pairing) is not None
    assert found > 20


def test_columns_have_the_marks_of_the_games() -> None:
    records = made_up(1)
    games = games_of(records)
    assert games.keys.tolist() == list(map(key_mark, records))
    later, earlier, single = games.pairs
    for i, j in zip(later, earlier, strict=True):
        one, two, *where = key(records[i])
        assert key(records[j]) == (two, one, *where)
        assert identity(records[i], records[j]) == identity(records[j], records[i])
    assert len(later) + len(earlier) + len(single) == len(records)
    assert later.tolist() == sorted(later)
    assert list(games.records()) == records
    assert any(key(record)[2].startswith("swap2 ") for record in records)


def test_pairs_of_games_that_may_have_none_are_numbered_as_they_come() -> None:
    seats = [("a", "b", 1), ("a", "c", 1), ("b", "a", 1), ("c", "b", 1)]
    assert pair_numbers(games_of([game(*each) for each in seats])).tolist() == [1, 2, 1, 3]


def test_distinct_rows_come_in_the_order_of_the_first_of_each() -> None:
    games = games_of([game(*each) for each in (("b", "a", 2), ("a", "b", 1), ("b", "a", 2))])
    rows = list(distinct(games.winner, games.round))
    assert rows == [(2, 1, 2), (1, 1, 1)]


def test_distinct_rows_are_told_apart_whatever_their_values() -> None:
    random = Random(1)
    columns = [np.array([random.choice((0, 2**20, 2**40)) for _ in range(200)]) for _ in range(4)]
    expected = Counter(zip(*(column.tolist() for column in columns), strict=True))
    assert list(distinct(*columns)) == [(*row, count) for row, count in expected.items()]


def test_renamed_players_keep_their_games() -> None:
    games = games_of([game("a", "b", 1), game("b", "c", 2)]).renamed({"a": "x", "c": "a"})
    assert [(each.first, each.second) for each in games.records()] == [("x", "b"), ("b", "a")]
    assert sorted(games.met) == ["a", "b", "x"]
    assert len(games.of_players({"b", "a"})) == 1
