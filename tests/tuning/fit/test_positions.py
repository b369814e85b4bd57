"""Positions for a fit: each rule by a game that breaks it, and what a seed settles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from support.game_records import game as game_of

from arena import load_game
from arena.game import FAULTS, REASONS, Game, Move, Position, Reason
from arena.games.gomoku import Gomoku
from arena.match.copies import marks_of_text
from arena.match.record import GameRecord
from arena.plugins.build import forced_win_search
from arena.tuning.fit.terms import MOST_OF_GAME, Labelled, fingerprint_in, sampled

GAME = Gomoku("gomoku", 15, 5, "freestyle")
QUIET = "7,7 1,1 7,8 1,13 3,3 13,1 11,11 13,13"
"""Eight moves after which neither side is about to make anything."""


def record(
    moves: str,
    winner: int | None = 1,
    plies: int = 2,
    game: Game = GAME,
    reason: Reason = "line",
    scores: str = "",
) -> GameRecord:
    """A game of one against two after an opening of this number of plies."""
    opening = " ".join(moves.split()[:plies])
    start, digest = marks_of_text(game, opening, moves)
    kept = {"reason": reason, "scores": scores, "start": start, "digest": digest}
    return replace(game_of("one", "two", winner, opening, moves=moves), **kept)  # type: ignore[arg-type]


def drawn(*records: GameRecord, seed: int = 1) -> list[Labelled]:
    return list(sampled(records, GAME, None, seed))


def plies_of(found: Sequence[Labelled]) -> list[int]:
    return sorted(each.position.ply for each in found)


def random_game(seed: int, plies: int = 60, size: int = 15) -> GameRecord:
    """Moves anywhere on the board: hardly a threat comes about."""
    game = Gomoku("gomoku", size, 5, "freestyle")
    random, p = Random(seed), game.start()
    while p.ply < plies and (moves := game.moves(p)):
        p = game.play(p, random.choice(moves))
    return record(" ".join(map(game.text, p.moves)), random.choice((1, 2, None)), game=game)


def mirrored(moves: str) -> str:
    pairs = (text.split(",") for text in moves.split())
    return " ".join(f"{row},{14 - int(column)}" for row, column in pairs)


@pytest.mark.parametrize("plies", [0, 2, 5])
def test_the_opening_is_left_out_and_the_position_after_it_is_not(plies: int) -> None:
    assert plies_of(drawn(record(QUIET, plies=plies))) == list(range(plies, 8))


def test_games_without_an_opening_have_nothing_in_common() -> None:
    games = [random_game(seed) for seed in (1, 2)]
    bare = [replace(game, opening="", start=marks_of_text(GAME, "", "")[0]) for game in games]
    assert len({each.opening for each in drawn(*bare)}) == 2
    opened = [replace(game, start="a mark") for game in games]
    assert {each.opening for each in drawn(*opened)} == {"a mark"}


@pytest.mark.parametrize(
    ("shape", "is_free"),
    [
        ("7,7 1,1 7,8 1,13 7,9", True),
        ("7,7 1,1 7,8 1,13 7,9 3,3", False),
        ("7,7 7,6 7,8 1,13 7,9", True),
        ("7,7 7,6 7,8 1,13 7,9 13,1 7,10", False),
        ("7,7 1,1 7,8 1,2 3,3 1,3", True),
    ],
)
def test_positions_with_a_five_or_an_open_four_at_hand_go(shape: str, is_free: bool) -> None:
    last = len(shape.split())
    assert (last in plies_of(drawn(record(f"{shape} 14,14", plies=0)))) == is_free


@pytest.mark.parametrize("winner", [1, 2])
def test_positions_from_a_proven_win_on_are_left_out(winner: int) -> None:
    asked = []

    def forced_win(p: Position) -> Sequence[Move]:
        asked.append(p.ply)
        return [0] if p.ply >= 5 or p.ply < 3 else []

    found = list(sampled([record(QUIET, winner)], GAME, forced_win, 1))
    assert plies_of(found) == list(range(2, 6 if winner == 1 else 5))
    # What came before the last position without one does not matter.
    assert asked == ([6, 4] if winner == 1 else [7, 5, 3])


def test_a_drawn_game_has_no_proven_win_and_an_open_question_is_none() -> None:
    assert len(list(sampled([record(QUIET, None)], GAME, lambda p: [0], 1))) == 6
    assert len(list(sampled([record(QUIET, 1)], GAME, lambda p: None, 1))) == 6


def test_the_win_by_fours_of_a_known_game_is_seen() -> None:
    """From ply 10 on, a four at 7,7 leads to another one; White, far away, does not see it."""
    game = record("7,4 7,3 7,5 1,1 7,6 13,1 8,7 11,7 9,7 1,13 10,7 13,13 7,7 7,8 6,7", plies=6)
    forced_win = forced_win_search(GAME)
    assert forced_win
    assert plies_of(list(sampled([game], GAME, forced_win, 1))) == [6, 7, 8, 9]
    assert plies_of(drawn(game)) == [6, 7, 8, 9, 10, 11, 12]


@pytest.mark.parametrize("reason", REASONS)
def test_games_that_a_fault_ended_are_left_out(reason: Reason) -> None:
    assert bool(drawn(record(QUIET, reason=reason))) == (reason not in FAULTS)


def test_copies_of_games_count_once() -> None:
    game = record(QUIET)
    turned = record(mirrored(QUIET))
    assert game.digest == turned.digest
    assert drawn(game, game, turned) == drawn(game)
    assert drawn(random_game(3), random_game(3)) == drawn(random_game(3))
    unmarked = replace(game, start="", digest="")
    assert plies_of(drawn(unmarked, unmarked)) == plies_of(drawn(game))


def test_positions_that_are_equal_when_turned_count_once() -> None:
    moves = QUIET.split()
    moves[2], moves[4] = moves[4], moves[2]
    other = record(mirrored(" ".join([*moves, "9,9"])))
    assert plies_of(drawn(other)) == list(range(2, 9))
    assert plies_of(drawn(record(QUIET), other)) == sorted([*range(2, 8), 3, 4, 8])


@pytest.mark.parametrize("name", ["gomoku", "two_eat_one"])
def test_a_position_with_the_other_side_to_move_is_another(name: str) -> None:
    game = load_game(name)
    p, fingerprint = game.start(), fingerprint_in(game)
    assert fingerprint(p) != fingerprint(replace(p, turn=3 - p.turn))
    assert fingerprint(p) == fingerprint(replace(p, moves=(1, 2)))


def test_a_position_has_its_movers_result_name_and_score() -> None:
    won = {each.position.ply: each for each in drawn(record(QUIET, 2, scores="10 - -30 40"))}
    assert [won[ply].result for ply in range(2, 8)] == [0, 1, 0, 1, 0, 1]
    assert [won[ply].player for ply in range(2, 8)] == ["one", "two"] * 3
    assert [won[ply].score for ply in range(2, 8)] == [10, None, -30, 40, None, None]
    assert {each.opening for each in won.values()} == {record(QUIET).start}
    moves = QUIET.split()
    assert [GAME.text(won[ply].move) for ply in range(2, 8)] == moves[2:]
    assert {each.result for each in drawn(record(QUIET, None, reason="ply cap"))} == {0.5}


def test_of_a_long_game_ten_positions_are_drawn() -> None:
    game = random_game(1)
    assert len(drawn(game)) == MOST_OF_GAME == 10
    assert plies_of(drawn(game)) != plies_of(drawn(game, seed=2))
    unmarked = [replace(each, digest="") for each in (game, random_game(2))]
    for one, other in ((game, random_game(2)), unmarked):
        assert plies_of(drawn(one)) != plies_of(drawn(other))


def test_a_games_sample_depends_on_the_game_and_the_seed() -> None:
    """Other games of the run matter only by equal positions."""
    games = [random_game(seed) for seed in range(8)]
    whole = drawn(*games)
    apart = [each for game in games for each in drawn(game)]
    assert whole == apart
    backwards = drawn(*games[::-1])
    assert sorted(each.position.moves for each in backwards) == sorted(
        each.position.moves for each in whole
    )


def test_games_are_read_as_positions_are_asked_for() -> None:
    read = []

    def records() -> Iterator[GameRecord]:
        for seed in range(100):
            read.append(seed)
            yield random_game(seed)

    found = sampled(records(), GAME, None, 1)
    for _ in range(MOST_OF_GAME + 1):
        next(found)
    assert read == [0, 1]


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 40), min_size=2, max_size=30))
def test_no_two_positions_are_equal(seeds: list[int]) -> None:
    """On so small a board, games often meet."""
    game = Gomoku("gomoku", 5, 5, "freestyle")
    games = [random_game(seed, plies=4 + seed % 3, size=5) for seed in seeds]
    games = [replace(each, opening="") for each in games]
    found = [each.position for each in sampled(games, game, None, 0)]
    images = [
        {(bytes(p.cells[cell] for cell in turn), p.turn) for turn in game.symmetries} for p in found
    ]
    for number, p in enumerate(found):
        assert not any((p.cells, p.turn) in other for other in images[:number])
    played = {each for seed in seeds for each in [random_game(seed, 4 + seed % 3, 5).moves]}
    assert len(found) <= sum(len(moves.split()) for moves in played)


@pytest.mark.parametrize("name", ["tictactoe", "two_eat_one"])
def test_games_of_other_rules_are_read(name: str) -> None:
    game = load_game(name)
    p, random = game.start(), Random(1)
    while p.ply < 6:
        p = game.play(p, random.choice(game.moves(p)))
    moves = " ".join(map(game.text, p.moves))
    found = list(sampled([record(moves, 1, 1, game)], game, None, 1))
    assert 0 < len(found) <= 5
