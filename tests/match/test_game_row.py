"""Rows of games: their sums of what moves cost, and counts alike in any order and any parts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from support.game_records import game
from support.made_up_games import NAMES, made_up, thoughts
from support.players import Idle

from arena import Choice, Limit, load_game
from arena.format import Pairing
from arena.game import Position
from arena.match import pairs
from arena.match.game_row import cluster_text, in_pairs, keys_of, read_efforts, row_of
from arena.match.opening_rules import opening_seconds
from arena.match.pairs import HashIndex, results_of
from arena.match.play import play_game
from arena.match.record import HALF_POINTS, Effort, GameRecord, at_fault, job_of, key
from arena.match.terms import Clock
from arena.report.standings import Tally

COUNTS = "games", "endings", "faults", "won_by_faults", "by_seat", "by_pair", "by_cluster"
SEEDS = pytest.mark.parametrize("seed", range(5))


def tally_of_parts(records: list[GameRecord], *cuts: int) -> Tally:
    """The games counted in parts that begin at these places."""
    tally, rows = Tally(NAMES), list(map(row_of, records))
    for start, end in zip((0, *cuts), (*cuts, len(rows)), strict=True):
        tally.add(rows[start:end])
    return tally


@SEEDS
def test_games_are_counted_alike_in_any_order_and_in_any_parts(seed: int) -> None:
    records = made_up(seed)
    whole, split = tally_of_parts(records), tally_of_parts(records, 60)
    assert split.standings() == whole.standings()
    mixed = tally_of_parts(Random(seed).sample(records, len(records)), 7, 40, 41)
    for other in (split, mixed):
        assert other.evidence_views == whole.evidence_views
        for name in COUNTS:
            assert getattr(other, name) == getattr(whole, name), name
    assert whole.faulty
    assert whole.games == len(records)


def copied(record: GameRecord) -> tuple[str, ...]:
    return record.first, record.second, record.digest or record.moves


@SEEDS
def test_pairs_and_evidence_are_those_of_a_count_by_hand(seed: int) -> None:
    records = made_up(seed)
    whole, by_key, seen = tally_of_parts(records), {key(each): each for each in records}, set()
    points, evidence = Counter[tuple[str, str, int]](), Counter[tuple[str, str, str]]()
    for (one, other, *where), there in by_key.items():
        back = by_key.get((other, one, *where))  # type: ignore[arg-type]
        if back is None or (both := frozenset(map(copied, (there, back)))) in seen:
            continue
        seen.add(both)
        half = HALF_POINTS[there.winner], HALF_POINTS[back.winner]
        won = half[0] + (half[1] if back.first == there.first else 2 - half[1])
        points[there.first, there.second, won] += 1
        points[there.second, there.first, 4 - won] += 1
        evidence.update((each.first, each.second, cluster_text(there)) for each in (there, back))
    found = {(*both, i): n for both, each in whole.by_pair.items() for i, n in enumerate(each) if n}
    assert found == points
    assert whole.evidence.total() == evidence.total() > 40
    openings = {cluster for *_, cluster in evidence if cluster}
    clusters = Counter({cluster for *_, cluster, _ in whole.evidence})
    without = sum(count for (*_, cluster), count in evidence.items() if not cluster) // 2
    assert len(clusters) == len(openings) + without


@SEEDS
def test_results_are_those_of_the_games_of_each_pairing(seed: int) -> None:
    records = made_up(seed)
    by_key = {key(each): each for each in records}
    results, mixed = (results_of(map(row_of, each)) for each in (records, records[::-1]))
    found, openings = 0, {opening for _, _, opening, _ in by_key}
    for pairing in (Pairing(*each) for each in product(NAMES, NAMES, openings, (1, 2, 3))):
        there = by_key.get((pairing.one, pairing.other, *pairing[2:]))
        back = by_key.get((pairing.other, pairing.one, *pairing[2:]))
        result = results.get(pairing)
        assert mixed.get(pairing) == result
        if there is None or back is None:
            assert result is None
            continue
        assert result
        assert result.points == points_of(pairing.one, there, back)
        lost = Counter(map(at_fault, (there, back)))
        assert result.faults == (lost[pairing.one], lost[pairing.other])
        found += 1
    assert found > 20
    assert {row.key for row in results.singles} == {
        row_of(each).key
        for (one, other, *where), each in by_key.items()
        if (other, one, *where) not in by_key
    }


def points_of(name: str, *games: GameRecord) -> int:
    return sum(
        HALF_POINTS[each.winner] if each.first == name else 2 - HALF_POINTS[each.winner]
        for each in games
    )


@SEEDS
def test_the_games_of_a_pair_have_one_key_but_for_its_last_bit(seed: int) -> None:
    records = made_up(seed)
    rows = list(map(row_of, records))
    assert len({row.key for row in rows}) == len({key(each) for each in records}) == len(records)
    for record, row in zip(records, rows, strict=True):
        one, other, opening, round = key(record)
        assert keys_of(Pairing(one, other, opening, round))[0] == row.key
        assert keys_of(Pairing(other, one, opening, round))[1] == row.key
        assert 0 < row.key < 2**63
    for row, other_row in in_pairs(rows):
        assert row.pair == other_row.pair


def test_renamed_players_have_the_games_of_the_names() -> None:
    names = {"a": "x", "c": "a"}
    for record in made_up(1):
        there, back = (names.get(name, name) for name in (record.first, record.second))
        renamed, own = row_of(record).renamed(names), row_of(record)
        expected = row_of(replace(record, first=there, second=back))
        assert renamed == expected._replace(key=own.key)
        assert renamed.content == own.content


def test_a_game_that_nobody_else_played_has_a_cluster_of_its_own() -> None:
    """Singles of an imported run are evidence; those of other runs are not."""
    records = [each for each in made_up(2) if key(each)[0] < key(each)[1]]
    tally, without = tally_of_parts(records), tally_of_parts(records)
    tally.end_run(has_singles=True)
    without.end_run()
    assert tally.singles == tally.evidence.total() == len(set(map(copied, records)))
    assert not without.evidence
    back = [row_of(replace(each, first=each.second, second=each.first)) for each in records]
    without.add(back)
    assert not without.evidence, "the other game of a pair is never of another run"


def test_a_player_against_itself_is_no_evidence() -> None:
    """In a list of ratings, two names of a run may be one player."""
    tally, rows = Tally(NAMES), [row_of(each).renamed({"b": "a"}) for each in made_up(3)]
    tally.add(rows)
    assert sum(tally.by_seat["a", "a"]) > 20
    for _ in "pairs", "singles":
        assert all(first != second for first, second, *_ in [*tally.evidence, *tally.by_pair])
        tally.end_run(has_singles=True)


LIMITS = [
    Limit(),
    Limit(depth=3),
    Limit(seconds=0.1),
    Limit(time_left=0.4),
    Limit(time_left=0.2, increment=0.05),
    Limit(seconds=0.2, time_left=0.5, increment=0.1),
]


def by_hand(limit: Limit, choices: list[tuple[float, float, float]]) -> Effort:
    """The twin: the seconds, nodes and depths of a player's choices, whose clock runs."""
    found, clock = Effort(), Clock(limit)
    microseconds, over = 0.0, list[float]()
    with_nodes, deep, deep_depths = 0.0, 0, 0.0
    for seconds, nodes, depth in choices:
        bounds = clock.bounds()
        whole = [each for each in (limit.seconds, limit.time_left) if each is not None]
        left = [bound - seconds for bound in bounds]
        over += [-each for each in left]
        is_near = any(rest < 0.1 * of - 1e-12 for rest, of in zip(left, whole, strict=True))
        is_searched = depth > 0 and nodes >= 10 and nodes >= 2 * depth
        microseconds += 1e6 * seconds
        with_nodes += 1e6 * seconds if nodes else 0
        deep, deep_depths = deep + (depth > 1), deep_depths + (depth if depth > 1 else 0)
        found = found._replace(
            choices=found.choices + 1,
            nodes=found.nodes + nodes,
            searched=found.searched + is_searched,
            searched_depths=found.searched_depths + is_searched * depth,
            near=found.near + is_near,
        )
        clock = clock.after(seconds)
    if not found.nodes:
        found = found._replace(deep=deep, deep_depths=deep_depths)
    found = found._replace(time=round(microseconds), time_with_nodes=round(with_nodes))
    return found._replace(overrun=round(1e6 * max(over)) if over else None)


@pytest.mark.parametrize("limit", LIMITS, ids=str)
def test_the_sums_of_each_player_are_those_of_its_choices(limit: Limit) -> None:
    random = Random(1)
    for _ in range(60):
        opening, both = random.choice(["", "7,7", "7,7 8,8"]), [limit, random.choice(LIMITS)]
        record = replace(game("a", "b", 1, opening), **thoughts(random))
        columns = (map(float, text.split()) for text in (record.times, record.nodes, record.depths))
        seats = list[tuple[float, float, float]](), list[tuple[float, float, float]]()
        for ply, choice in enumerate(zip(*columns, strict=True), start=len(opening.split())):
            seats[ply % 2].append(choice)
        assert read_efforts(record, both) == tuple(map(by_hand, both, seats))


class Jumpy(Idle):
    """Plays anywhere, and thinks anything of it."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def choose(self, p: Position, limit: Limit) -> Choice:
        random = self.random
        move = random.choice([i for i, cell in enumerate(p.cells) if not cell])
        nodes, depth = random.choice([0, 3, 40, 10**12]), random.choice([0, 1, 2, 30])
        return Choice(move, random.choice([-1, None, 1]), nodes, depth)


@pytest.mark.parametrize("opening", ["", "4,4", "swap2 4,4 3,3 5,6", "swap 4,4 3,3 5,6"])
def test_play_sums_what_the_record_tells(opening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    random, now, colours = Random(2), 0.0, set[str]()

    def clock() -> float:
        nonlocal now
        now += random.expovariate(8)
        return now

    monkeypatch.setattr("arena.match.play.perf_counter", clock)
    for round in range(60):
        limits = random.choice(LIMITS), random.choice(LIMITS)
        both, job = (Jumpy(random), Jumpy(random)), job_of(("a", "b", opening, round), 7)
        record = play_game(load_game("gomoku:size=9"), both, job, limits=limits)
        clocks = dict(zip("ab", map(Clock, limits), strict=True))
        for asked, seconds in zip("aba", opening_seconds(record), strict=False):
            clocks[asked] = clocks[asked].after(seconds)
        own = [clocks[name].limit for name in (record.first, record.second)]
        assert record.efforts == read_efforts(record, own)
        colours.add(record.first)
    assert colours == ({"a", "b"} if " " in opening else {"a"})


@pytest.mark.parametrize("change", [{"nodes": "1"}, {"depths": ""}, {"times": "0.1 0.2 soon"}])
def test_a_record_without_as_many_numbers_of_each_has_none(change: dict[str, str]) -> None:
    record = replace(game("a", "b", 1), times="0.1 0.2", nodes="1 2", depths="1 1")
    with pytest.raises(ValueError, match=r"not as many|could not convert"):
        read_efforts(replace(record, **change))


@pytest.mark.parametrize("recent", [1, 3, 100, 10_000])
def test_an_index_has_what_was_put_in_last(recent: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "RECENT", recent)
    random, index, expected = Random(recent), HashIndex(), dict[int, int]()
    known = [random.randrange(-(2**63), 2**63) for _ in range(300)]
    assert index.get(known[0]) is None
    for one in random.choices(known[:250], k=1000):
        expected[one] = random.randrange(-(2**63), 2**63)
        index.put(one, expected[one])
        assert index.get(one) == expected[one]
    assert [index.get(one) for one in known] == [expected.get(one) for one in known]
