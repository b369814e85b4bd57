"""Games that are ended early: each at the ply that a plain recount says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given, strategies as st

from arena import load_engine, load_game
from arena.engine import Choice, Limit, Remark
from arena.game import Outcome, Position
from arena.games.two_eat_one import TwoEatOne
from arena.match.adjudication import Repetition, draw_after, early_ends, rules_of
from arena.match.opening import fault_of
from arena.match.openings import random
from arena.match.play import place_opening, play_game
from arena.match.record import GameRecord, Job
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.tournament.replay import play, rules_difference

GAME = TwoEatOne()
TO_AND_FRO = "0,0-1,0 4,0-3,0 1,0-0,0 3,0-4,0"


class Shuffler:
    """Goes to and fro with one piece."""

    def new_game(self, seed: int) -> None:
        pass

    def choose(self, p: Position, limit: Limit) -> Choice:
        return Choice(GAME.parse(TO_AND_FRO.split()[p.ply % 4]))

    def close(self) -> None:
        pass


class Endless(TwoEatOne):
    """The same rules without an end by repetition."""

    repetitions = None


def shuffle(game: TwoEatOne = GAME, opening: str = "", max_plies: int | None = None) -> GameRecord:
    job = Job("one", "two", opening=opening)
    terms = Terms(game=Named("two_eat_one"), max_plies=max_plies)
    return play_game(game, (Shuffler(), Shuffler()), job, terms=terms)


@pytest.mark.parametrize("plies", [0, 1, 4, 7])
def test_the_third_occurrence_is_a_draw_the_start_and_the_opening_included(plies: int) -> None:
    record = shuffle(opening=" ".join((TO_AND_FRO.split() * 2)[:plies]))
    assert (record.winner, record.reason, record.plies) == (None, "repetition", 8)
    assert record.moves == f"{TO_AND_FRO} {TO_AND_FRO}"
    assert rules_difference(GAME, record) is None


def test_the_same_stones_with_the_other_to_move_are_another_position() -> None:
    count = Repetition(2)
    assert count.outcome(Position(b"\1\2", 1)) is None
    assert count.outcome(Position(b"\1\2", 2)) is None
    assert count.outcome(Position(b"\1\2", 1)) == Outcome(None, "repetition")


def test_a_record_whose_moves_repeat_too_little_or_too_much_is_found_out() -> None:
    record = shuffle()
    moves = record.moves.split()
    short = replace(record, moves=" ".join(moves[:-1]))
    assert "its end is None" in (rules_difference(GAME, short) or "")
    long = replace(record, moves=" ".join([*moves, moves[0]]), reason="ply cap")
    assert "repetition" in (rules_difference(GAME, long) or "")


def test_without_repetition_the_cap_comes_the_matchs_or_the_games_own() -> None:
    for max_plies, plies in ((None, 200), (300, 200), (9, 9)):
        record = shuffle(Endless(), max_plies=max_plies)
        assert (record.winner, record.reason, record.plies) == (None, "ply cap", plies)
    assert shuffle(max_plies=7).reason == "ply cap"
    assert shuffle(max_plies=8).reason == "repetition"


def test_random_games_end_where_a_recount_says() -> None:
    engine = load_engine("random_mover", GAME)
    reasons = set()
    for seed in range(60):
        record = play_game(GAME, (engine, engine), Job("one", "two", seed=seed))
        reasons.add(record.reason)
        p = GAME.start()
        seen = Counter([(p.cells, p.turn)])
        for text in record.moves.split():
            assert max(seen.values()) < 3
            assert p.ply < 200
            assert GAME.outcome(p) is None
            p = GAME.play(p, GAME.parse(text))
            seen[p.cells, p.turn] += 1
        outcome = GAME.outcome(p)
        expected = (
            outcome.reason if outcome else "repetition" if max(seen.values()) == 3 else "ply cap"
        )
        assert record.reason == expected
        assert rules_difference(GAME, record) is None
    assert reasons == {"few pieces", "ply cap"}


def test_a_win_on_the_last_ply_is_a_win() -> None:
    won = next(
        record
        for seed in range(100)
        if (record := play("two_eat_one", "random_mover", "random_mover", seed=seed)).winner
    )
    again = play("two_eat_one", "random_mover", "random_mover", seed=won.seed, max_plies=won.plies)
    assert (again.winner, again.reason) == (won.winner, won.reason)


def test_gomoku_counts_nothing() -> None:
    game = load_game("gomoku")
    assert (game.repetitions, game.longest) == (None, None)
    assert draw_after(game, place_opening(game, "7,7 8,8")) is None


def test_an_opening_that_is_drawn_already_is_refused() -> None:
    opening = " ".join([TO_AND_FRO] * 2)
    assert "a draw (repetition)" in (fault_of(GAME, opening) or "")
    assert "a draw (repetition)" in (fault_of(GAME, opening + " 0,0-1,0") or "")
    assert "a draw (repetition)" in (fault_of(GAME, opening + " 0,1-1,1") or "")
    assert fault_of(GAME, TO_AND_FRO) is None
    assert shuffle(opening=opening).times == ""


def test_random_openings_can_be_played_on() -> None:
    for opening in random.openings(GAME, plies=12, count=30, seed=2):
        assert fault_of(GAME, opening) is None


def resigned(told: list[tuple[int, int | None]], score: int, moves: int) -> int | None:
    """The winner by the law of `resign`, the long way: from the (mover, score) of every ply."""
    latest = told[-2 * moves :]
    for winner in (1, 2):
        if len(latest) == 2 * moves and latest[-1][0] != winner:
            signs = [(1 if mover == winner else -1, each) for mover, each in latest]
            if all(each is not None and sign * each >= score for sign, each in signs):
                return winner
    return None


def drawn(told: list[tuple[int, int | None]], score: int, moves: int, after: int) -> bool:
    """True if the game is a draw by the law of `draw`, computed the long way."""
    latest = [each for _, each in told[-2 * moves :]]
    is_small = all(each is not None and -score <= each <= score for each in latest)
    return len(told) >= after and len(latest) == 2 * moves and is_small


SCORES = st.lists(st.sampled_from([None, -100, -99, -20, 0, 20, 21, 99, 100, 101]), max_size=40)
AGREED = st.lists(st.sampled_from([None, 30, 50, 50, 60, 60, 60, -60]), max_size=40).map(
    lambda found: [each and each * (-1) ** ply for ply, each in enumerate(found)]
)
"""Scores of games in which the first player is mostly ahead, as both see it."""


@given(st.one_of(SCORES, AGREED), st.sampled_from([20, 50, 100]), st.integers(1, 4))
def test_resign_and_draw_are_their_laws_at_every_ply(
    scores: list[int | None], score: int, moves: int
) -> None:
    values = {"score": score, "moves": moves}
    for after in (0, 7):
        wanted = Named("resign", values), Named("draw", {**values, "after": after})
        resign, draw = rules_of(GAME, wanted)
        for ply in range(1, len(scores) + 1):
            p = Position(b"", ply % 2 + 1, tuple(range(ply)))
            told = [((i % 2) + 1, each) for i, each in enumerate(scores[:ply])]
            winner = resigned(told, score, moves)
            expected = winner and Outcome(winner, "won by scores")
            said = Remark(3 - p.turn, score=scores[ply - 1])
            assert resign.outcome(p, said) == expected
            is_drawn = drawn(told, score, moves, after)
            assert draw.outcome(p, said) == (Outcome(None, "drawn by scores") if is_drawn else None)


@pytest.mark.parametrize("after", [4, 7, 20])
def test_scores_that_stay_small_end_the_game_at_the_very_ply_from_which_they_may(
    after: int,
) -> None:
    (draw,) = rules_of(GAME, [Named("draw", {"score": 20, "moves": 2, "after": after})])
    plies = (Position(b"", 1, tuple(range(ply))) for ply in count(1))
    assert next(p.ply for p in plies if draw.outcome(p, Remark(2, score=0))) == after


def test_of_rules_that_act_at_once_the_one_that_decides_comes_first() -> None:
    gomoku = load_game("gomoku")
    found = [
        Named("draw_at_empty", {"draw_at_empty": 223}),
        Named("draw", {"score": 500, "moves": 1, "after": 0}),
        Named("resign", {"score": 100, "moves": 1}),
    ]
    reasons = []
    while found:
        terms = Terms(game=Named("gomoku"), adjudication=tuple(found), max_plies=2)
        ends = early_ends(gomoku, terms)
        assert ends
        p = gomoku.play(gomoku.start(), 0)
        assert ends.outcome(p, Remark(1, score=200)) is None
        outcome = ends.outcome(gomoku.play(p, 1), Remark(2, score=-200))
        assert outcome
        reasons.append((outcome.winner, outcome.reason))
        found.pop()
    assert reasons == [(1, "won by scores"), (None, "drawn by scores"), (None, "few cells left")]
