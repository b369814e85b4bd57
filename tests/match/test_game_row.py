"""Rows of games are counted alike in any order and in any parts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from support.made_up_games import NAMES, made_up

from arena.format import Pairing
from arena.match.game_row import cluster_text, in_pairs, keys_of, row_of
from arena.match.pairs import results_of
from arena.match.record import HALF_POINTS, GameRecord, at_fault, key
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
    """What copies of a game have in common."""
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
