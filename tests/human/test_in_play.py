"""Games whose moves are taken back, in any order: nothing remains of what was taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from arena import Limit, load_game
from arena.engine import Remark
from arena.game import Move
from arena.human.in_play import Help, Setup, answer, game_after, record_of, taken_back
from arena.match.play import GameInPlay
from arena.match.record import GameRecord
from arena.match.terms import Terms
from arena.plugins.load import Named

CLOCK = Limit(time_left=100.0, increment=0.5)


def setup_of(*players: str, limit: Limit = CLOCK, opening: str = "", **terms: int) -> Setup:
    first, second = players
    named = Terms(game=Named("gomoku", {"size": 5}), limit=limit, seed=3, margin=1.0, **terms)  # type: ignore[arg-type]
    return Setup(load_game("gomoku:size=5"), (first, second), named, opening)


def said(ply: int, move: Move) -> Remark:
    """The remark of an engine whose answer at each ply is another one."""
    return Remark(ply % 2 + 1, 0.5 + ply / 64, ply, ply + 1, ply - 5, str(move), {"ply": ply})


def check(setup: Setup, play: GameInPlay) -> None:
    """The clocks and remarks are those of the moves on the board, and of no others."""
    assert [each.seat for each in play.remarks] == [ply % 2 + 1 for ply in range(play.p.ply)]
    used = [
        sum(each.seconds - 0.5 for each in play.remarks if each.seat == seat) for seat in (1, 2)
    ]
    left = [clock.limit.time_left for clock in play.clocks]
    for seat in (1, 2):
        expected = None if seat in setup.persons else pytest.approx(100 - used[seat - 1])
        assert left[seat - 1] == expected


def played(setup: Setup, moves: Sequence[Move], back: Random | None) -> GameRecord:
    """The record of a game of these moves, with take-backs and restarts by chance."""
    play = game_after(setup)
    while not play.outcome:
        draw = back.random() if back else 1
        if draw < 0.2 and (before := taken_back(setup, play)):
            assert before.p.turn in setup.persons
            assert before.p.ply < play.p.ply
            play = before
        if draw > 0.9:
            play = game_after(setup, play.answers)
        check(setup, play)
        ply = play.p.ply
        if play.p.turn in setup.persons:
            answer(play, moves[ply], 100.0)
        else:
            play.answered(moves[ply], said(ply, moves[ply]))
    return record_of(play, Help())


@pytest.mark.parametrize("players", [("human", "x"), ("x", "human"), ("human", "human")], ids=str)
@pytest.mark.parametrize("seed", range(8))
def test_a_game_is_the_same_whatever_was_taken_back(seed: int, players: tuple[str, str]) -> None:
    setup, moves = setup_of(*players), list(range(25))
    Random(seed).shuffle(moves)
    assert played(setup, moves, Random(seed + 1000)) == played(setup, moves, None)


def test_with_no_move_of_a_person_there_is_nothing_to_take_back() -> None:
    setup = setup_of("x", "human", opening="0,0 1,1")
    play = game_after(setup)
    assert taken_back(setup, play) is None
    play.answered(2, said(2, 2))
    assert taken_back(setup, play) is None
    answer(play, 3, 1.0)
    before = taken_back(setup, play)
    assert before
    assert (before.p.ply, len(before.remarks)) == (3, 1)


@pytest.mark.parametrize("last", [4, None, 0])
def test_a_game_goes_on_before_the_answer_that_ended_it(last: Move | None) -> None:
    setup = setup_of("human", "human")
    answers = [(move, said(ply, move)) for ply, move in enumerate((0, 10, 1, 11, 2, 12, 3, 13))]
    play = game_after(setup, [*answers, (last, said(8, 4)), (24, said(9, 24))])  # type: ignore[list-item]
    assert (play.outcome, play.answers) == (None, answers)


def test_a_cap_on_plies_is_kept_to_by_games_that_go_on() -> None:
    setup = setup_of("human", "human", max_plies=3)
    answers = [(move, said(move, move)) for move in range(2)]
    play = game_after(setup, answers)
    assert play.outcome is None
    answer(play, 2, 0.0)
    assert play.outcome
    assert play.outcome.reason == "ply cap"


def test_an_engine_has_the_margin_of_the_terms() -> None:
    play = game_after(setup_of("x", "human", limit=Limit(seconds=1.0)))
    play.answered(0, Remark(1, 1.75))
    assert play.outcome is None
    answer(play, 1, 1000.0)
    play.answered(2, Remark(1, 2.25))
    assert play.outcome
    assert (play.outcome.winner, play.outcome.reason) == (2, "time")


def test_help_is_told_after_the_end_in_the_record() -> None:
    play = game_after(setup_of("human", "human"))
    answer(play, None, 0.25)
    found = record_of(play, Help(1, 2))
    assert (found.winner, found.reason, found.times) == (2, "resignation", "0.250000")
    assert found.detail == "1 take-back, 2 hints"
    play = game_after(setup_of("human", "x"))
    play.answered(0, said(0, 0))
    play.answered(0, said(1, 0))
    assert record_of(play, Help(0, 1)).detail == "0,0; 1 hint"
    assert replace(record_of(play, Help()), detail="") == replace(play.record(), detail="")
