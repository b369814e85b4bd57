"""The sequential test: what it counts, when it ends, and how often it is wrong."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import islice
from math import log10

import numpy as np
import pytest
from support.game_records import play_pair
from support.sweep import cases

from arena.errors import ConfigError
from arena.format import Field, Pairing
from arena.formats import sprt
from arena.game import Outcome, Reason
from arena.match.game_row import row_of
from arena.match.pairs import Results
from arena.match.record import GameRecord, Job, record
from arena.stats.sprt import bounds, llr

FIELD = Field(("new", "old"), tuple(map(str, range(100))), 1)
VALUES = {"elo0": 0.0, "elo1": 50.0, "alpha": 0.05, "beta": 0.05}
VALUES |= {"model": "logistic", "pairs": 1000}
WON, LOST, SPLIT = "new", "old", None  # the best of a pair


def state(results: Results, **values: object) -> dict[str, object]:
    (row,) = sprt.matches(FIELD, results, **(VALUES | values))
    return row


def test_its_llr_is_that_of_the_pairs_counts() -> None:
    results = Results()
    for number, pairing in enumerate(islice(sprt.pairings(FIELD, results, **VALUES), 5)):
        play_pair(results, pairing, (WON, SPLIT)[number % 2])
    row = state(results)
    assert row["pentanomial"] == "0 0 2 0 3"
    assert row["llr"] == llr([0, 0, 2, 0, 3], 0, 50, "logistic")
    assert (row["lower"], row["upper"]) == bounds(0.05, 0.05)


@pytest.mark.parametrize(("best", "decision"), [(WON, "H1"), (LOST, "H0")])
def test_it_ends_with_the_pair_that_decides(best: str, decision: str) -> None:
    results = Results()
    played = 0
    for pairing in sprt.pairings(FIELD, results, **VALUES):
        row = state(results)
        assert row["decision"] == ""
        assert row["lower"] < row["llr"] < row["upper"]
        play_pair(results, pairing, best)
        played += 1
    assert state(results)["decision"] == decision
    assert 5 < played < 100


def test_a_pair_counts_when_all_before_it_are_in() -> None:
    results = Results()
    first, *others = islice(sprt.pairings(FIELD, results, **VALUES), 50)
    for pairing in others:
        play_pair(results, pairing, WON)
    assert state(results)["pairs"] == 0
    play_pair(results, first, LOST)
    assert state(results)["decision"] == "H1"


def test_what_was_under_way_as_it_was_decided_counts_nowhere() -> None:
    results = Results()
    schedule = sprt.pairings(FIELD, results, **VALUES)
    under_way = list(islice(schedule, 60))
    for pairing in under_way:
        play_pair(results, pairing, WON)
    assert next(schedule, None) is None
    counted = list(sprt.pairings(FIELD, results, **VALUES))
    assert len(counted) == state(results)["pairs"] < 60


def test_copies_of_a_pair_are_no_evidence_and_end_it_once_all_openings_bring_nothing_else() -> None:
    results = Results()
    played = []
    close = VALUES | {"elo1": 2.0}
    for pairing in sprt.pairings(FIELD, results, **close):
        played.append(pairing)
        play_pair(results, pairing, SPLIT, moves=f"opening {pairing.opening}")
    assert len(played) == 2 * len(FIELD.openings)
    row = state(results, elo1=2.0)
    assert row["pairs"] == len(FIELD.openings)
    assert row["decision"] == "no new games"


def test_players_that_vary_may_repeat_a_pair_on_the_one_opening_there_is() -> None:
    alone = Field(FIELD.players, ("0",), 1)
    results = Results()
    played = []
    for pairing in sprt.pairings(alone, results, **(VALUES | {"elo1": 2.0})):
        played.append(pairing)
        play_pair(results, pairing, SPLIT, moves=str(min(len(played) // 5, 7)))
    assert len(played) == 5 * 7 + sprt.FEWEST_COPIES
    (row,) = sprt.matches(alone, results, **(VALUES | {"elo1": 2.0}))
    assert (row["pairs"], row["decision"]) == (8, "no new games")


def test_few_openings_are_not_passed_off_as_many() -> None:
    few = Field(FIELD.players, ("0", "1"), 1)
    results = Results()
    for pairing in islice(sprt.pairings(few, results, **VALUES), 3):
        play_pair(results, pairing, SPLIT)
    assert "openings (2)" in sprt.notes(few, results, **VALUES)[0]


def test_it_ends_undecided_after_the_most_pairs() -> None:
    results = Results()
    for number, pairing in enumerate(sprt.pairings(FIELD, results, **(VALUES | {"pairs": 7}))):
        play_pair(results, pairing, (WON, LOST)[number % 2])
    assert state(results, pairs=7)["decision"] == "no more pairs"


@pytest.mark.parametrize(
    ("players", "values", "fault"),
    [
        (("a", "b", "c"), {}, "two engines, not 3"),
        (("a", "b"), {"elo0": 5.0, "elo1": 5.0}, "elo0 must be less than elo1"),
    ],
)
def test_what_it_cannot_test_is_a_fault_of_the_config(
    players: tuple[str, ...], values: dict[str, float], fault: str
) -> None:
    with pytest.raises(ConfigError, match=fault):
        sprt.total(Field(players, (), 1), **(VALUES | values))


SPREAD = 150  # Elo: the standard deviation of what an opening gives to the first player
DRAWN = 15


def chances(difference: float, helped: float) -> np.ndarray:
    """The chances that the better player loses, draws and wins on openings of this much help."""
    strength = difference + np.asarray(helped)
    win = 1 / (1 + 10 ** ((DRAWN - strength) / 400))
    loss = 1 / (1 + 10 ** ((DRAWN + strength) / 400))
    return np.stack([loss, 1 - win - loss, win])


def difference_with(elo: float) -> float:
    """The difference on neutral openings at which the expected score over all has this Elo."""
    helped = np.random.default_rng(1).normal(0, SPREAD, 400_000)
    low, high = -200.0, 200.0
    for _ in range(40):
        middle = (low + high) / 2
        loss, _, win = chances(middle, helped)
        score = 0.5 + (win - loss).mean() / 2
        low, high = (middle, high) if -400 * log10(1 / score - 1) < elo else (low, middle)
    return low


class Players:
    """Holds a match whose truth is known: games that are won end sooner than those lost."""

    def __init__(self, difference: float, seed: int) -> None:
        self._difference = difference
        self._draw = np.random.default_rng(seed)

    def pair(self, pairing: Pairing) -> Iterator[tuple[float, GameRecord]]:
        """Both games, each with the time that it takes."""
        helped = self._draw.normal(0, SPREAD)
        for first, second, help in (
            (pairing.one, pairing.other, helped),
            (pairing.other, pairing.one, -helped),
        ):
            shares = chances(self._difference, help)
            points = int(np.searchsorted(np.cumsum(shares), self._draw.random()))
            best = 1 if first == pairing.one else 2
            winner = (3 - best, None, best)[min(points, 2)]
            job = Job(first, second, pairing.opening, pairing.round)
            moves = str(self._draw.random())
            yield (9.0, 5.0, 1.0)[min(points, 2)], record(job, Outcome(winner, "line"), "", moves)


def decision(players: Players, workers: int) -> str:
    """Play a test with games under way on all workers; records come as games end."""
    field = Field(("new", "old"), tuple(map(str, range(5000))), 1)
    values = VALUES | {"pairs": 5000}
    results = Results()
    pairings = sprt.pairings(field, results, **values)
    games = (game for pairing in pairings for game in players.pair(pairing))
    under_way: list[tuple[float, int, GameRecord]] = []
    clock, number = 0.0, 0
    while True:
        while len(under_way) < workers and (game := next(games, None)):
            number += 1
            heapq.heappush(under_way, (clock + game[0], number, game[1]))
        if not under_way:
            break
        clock, _, ended = heapq.heappop(under_way)
        results.add(row_of(ended))
    (row,) = sprt.matches(field, results, **values)
    return str(row["decision"])


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(("elo", "wrong"), [(0, "H1"), (50, "H0")])
@pytest.mark.parametrize("workers", [1, 8])
def test_it_is_wrong_as_rarely_as_promised(elo: float, wrong: str, workers: int) -> None:
    """Error rates at the bounds: 0.05 and about two standard errors, for alpha = beta = 0.05."""
    difference = difference_with(elo)
    tests = cases(2000)
    seeds = range(workers * tests, workers * tests + tests)
    decisions = [decision(Players(difference, seed), workers) for seed in seeds]
    assert "" not in decisions
    assert decisions.count(wrong) / tests <= 0.05 + 0.45 / tests**0.5


def faulty_state(
    played: list[tuple[str | None, tuple[Reason, Reason]]], **values: object
) -> dict[str, object]:
    results = Results()
    pairings = sprt.pairings(FIELD, Results(), **(VALUES | values))
    for pairing, (best, reasons) in zip(islice(pairings, len(played)), played, strict=True):
        play_pair(results, pairing, best, reasons=reasons)
    return state(results, **values)


SOUND: tuple[Reason, Reason] = ("line", "line")
CRASH: tuple[Reason, Reason] = ("line", "crash")
BOTH: tuple[Reason, Reason] = ("crash", "crash")


def test_it_counts_three_views_of_games_that_faults_ended() -> None:
    """Of a pair won by a crash the other game stays won: with the crash drawn it is 3 of 4."""
    row = faulty_state([(WON, SOUND), (SPLIT, SOUND), (WON, CRASH)])
    views = ([0, 0, 1, 0, 2], [0, 0, 1, 0, 1], [0, 0, 1, 1, 1])
    names = ("llr", "llr_without_faults", "llr_faults_drawn")
    assert [row[name] for name in names] == [llr(each, 0, 50, "logistic") for each in views]
    sound = faulty_state([(WON, SOUND), (SPLIT, SOUND)])
    assert len({sound[name] for name in names}) == 1


@pytest.mark.parametrize("best", [WON, LOST])
def test_it_accepts_nothing_that_faults_carry(best: str) -> None:
    carried = [(SPLIT, SOUND), (best, BOTH)] * 40
    around = {"elo0": -30.0, "elo1": 30.0}
    assert faulty_state(carried, **around)["decision"] == ""
    assert faulty_state(carried, **around, pairs=80)["decision"] == "too many faults"
    won = {WON: "H1", LOST: "H0"}[best]
    assert faulty_state([*carried, *[(best, SOUND)] * 20], **around)["decision"] == won


def test_it_ends_where_faults_turn_its_answer_round() -> None:
    against = [(LOST, SOUND), (SPLIT, SOUND), (WON, BOTH), (WON, BOTH), (WON, BOTH)] * 20
    row = faulty_state(against)
    assert row["decision"] == "too many faults"
    assert isinstance(row["pairs"], int)
    assert row["pairs"] < 100
