"""First games: a player that only loses by its own faults is found in the schedule's order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.game_records import game, results_of

from arena.format import Pairing
from arena.game import FAULTS, REASONS
from arena.match.pairs import FIRST_GAMES, FirstGames, Results
from arena.match.record import GameRecord, at_fault

PAIRS = FIRST_GAMES // 2
PAIRINGS = [Pairing("bad", "good", str(i), 1) for i in range(PAIRS)]


def faults(pairing: Pairing, loser: str = "bad", reason: str = "time") -> list[GameRecord]:
    """Both games of a pairing, which a player loses so."""
    seats = (pairing.one, pairing.other), (pairing.other, pairing.one)
    return [
        replace(game(first, second, 1 if second == loser else 2, pairing.opening), reason=reason)
        for first, second in seats
    ]


def faulty(pairings: Sequence[Pairing], results: Results, names: str = "bad good") -> str:
    first = FirstGames(names.split())
    for pairing in pairings:
        first.add(pairing)
    first.look(results)
    return first.faulty


def lost(*pairings: Pairing) -> list[GameRecord]:
    return [each for pairing in pairings for each in faults(pairing)]


@pytest.mark.parametrize("number", range(FIRST_GAMES))
def test_one_game_that_ended_otherwise_is_enough_to_go_on(number: int) -> None:
    games = lost(*PAIRINGS)
    games[number] = replace(games[number], reason="line")
    later = Pairing("bad", "good", "later", 1)
    assert not faulty([*PAIRINGS, later], results_of([*games, *lost(later)]))


@pytest.mark.parametrize("reason", REASONS)
def test_only_ends_that_are_a_player_s_own_doing_are_faults(reason: str) -> None:
    (there, _) = faults(PAIRINGS[0], reason=reason)
    assert at_fault(there) == ("bad" if reason in FAULTS else "")
    assert ("resignation" in FAULTS, "forbidden" in FAULTS, "ply cap" in FAULTS) == (False,) * 3


def test_a_pair_counts_when_all_before_it_are_in() -> None:
    before = Pairing("good", "other", "o", 1)
    games = lost(*PAIRINGS)
    order, names = [before, *PAIRINGS], "bad good other"
    assert not faulty(order, results_of(games), names)
    both = [game("good", "other", 1), game("other", "good", 1)]
    assert faulty(order, results_of([*both, *games]), names) == "bad"


def test_the_first_by_the_schedule_is_found_whoever_ended_first() -> None:
    others = [Pairing("worse", "good", str(i), 1) for i in range(PAIRS)]
    games = [*[each for pair in others for each in faults(pair, "worse")], *lost(*PAIRINGS)]
    mixed = [each for two in zip(PAIRINGS, others, strict=True) for each in two]
    assert faulty(mixed, results_of(games), "bad good worse") == "bad"
    assert faulty(mixed[1:], results_of(games), "bad good worse") == "worse"


def test_games_between_names_of_one_player_are_its_own() -> None:
    first = FirstGames(["engine"], lambda name: "engine")
    pairings = [Pairing("x=1", "x=2", str(i), 1) for i in range(PAIRS)]
    for pairing in pairings:
        first.add(pairing)
    # Who moves first fails, so that each of the two names loses but half of the games.
    games = [
        replace(game(one, other, 2, each.opening), reason="crash")
        for each in pairings
        for one, other in ((each.one, each.other), (each.other, each.one))
    ]
    assert first.look(results_of(games))
    assert first.games(games) == games
