"""The length of a study's test, told before it by the draws and splits of the trials."""

from __future__ import annotations

import re

import pytest
from support.samples import Write
from support.studies import tuned

from arena.game import Outcome, Reason
from arena.match.game_row import row_of
from arena.match.record import GameRecord, Job, record
from arena.report.outlook import outlook, pairs_as_in, tosses
from arena.tournament.run import RunProgress


def pair(number: int, *winners: int | None, reason: Reason = "line") -> list[GameRecord]:
    """The two games of a pair of points, by which of these won."""
    sides = [f"x={number}", f"x=-{number}"]
    seats = [winners[0], winners[1] and 3 - winners[1]]
    return [
        record(Job(*names, opening=str(number)), Outcome(winner, reason), "", f"{number}")
        for names, winner in zip((sides, sides[::-1]), seats, strict=True)
    ]


DRAWN = [game for number in range(8) for game in pair(number, None, None)]
OTHERS = [*pair(8, 1, 2), *pair(9, 2, 1), *pair(10, 2, 2), *pair(11, 1, 1, reason="exception")]


def test_draws_and_splits_are_those_of_the_games_that_no_fault_ended() -> None:
    found = pairs_as_in(map(row_of, [*DRAWN, *OTHERS]), "the trials")
    assert found.told == "73 % of the games drawn and 18 % of the pairs split, as in the trials"
    # 10 pairs of one point each, one of none (half of it to either side), and one pair of tosses
    assert list(found.shares) == [0.75, 0, 10.5, 0, 0.75]


def test_without_a_sound_pair_games_are_taken_for_tosses() -> None:
    for games in ([], OTHERS[-2:], DRAWN[:1]):
        assert pairs_as_in(map(row_of, games), "the trials") == tosses()


def test_a_test_takes_fewer_pairs_where_most_games_are_drawn() -> None:
    test = {"one": "tuned"}
    parameters = {"elo0": 0.0, "elo1": 20.0}
    texts = (
        outlook(test, parameters, each) for each in (tosses(), pairs_as_in(map(row_of, DRAWN), ""))
    )
    few, many = (int(re.findall(r"about (\d+)", next(text))[0]) for text in texts)
    assert many < few / 2


@pytest.mark.slow
def test_a_proof_is_expected_to_be_as_long_as_its_trials_say(write: Write) -> None:
    seen: list[RunProgress] = []
    tuned(write, watch_verification=seen.append)
    *_, shares = seen[0].notes
    assert re.fullmatch(r"That is with .*, as in the trials[;.].*", shares)
