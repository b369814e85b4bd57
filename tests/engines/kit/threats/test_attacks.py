"""Wins by fours and live threes: claims hold against every defence, and none is missed."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.sweep import in_turn
from twins.boards import game_of
from twins.threats import Attack, board_with, check_claim, check_line, random_position, twin_wins

from arena.engines.kit.shapes.table import Rule
from arena.engines.kit.threats.prediction import MOST_MOVES
from arena.games import gomoku

RULES: list[Rule] = ["freestyle", "standard", "renju"]
BOARDS = [(8, 100, 4), (11, 20, 4), (15, 20, 3)]


def check_random_claims(game: Any, seeds: range, moves: int) -> list[int]:
    """Checks each win claimed; returns how many positions each met."""
    attack = Attack(game)
    met = []
    for seed in seeds:
        p = random_position(seed, game, random.Random(seed).randint(8, game.size * 2))
        line = attack.line(p, moves)
        if line:
            check_line(game, p, line)
            met.append(check_claim(game, p, moves, attack))
    return met


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_claims_hold_against_every_defence_on_some_random_boards(rule: Rule) -> None:
    met = check_random_claims(game_of(rule, 9), range(12), 3)
    assert max(met) > 1000


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("size", "boards", "moves", "rule"),
    in_turn((*each, rule) for each in BOARDS for rule in RULES),
)
def test_claims_hold_against_every_defence(size: int, boards: int, moves: int, rule: Rule) -> None:
    met = check_random_claims(game_of(rule, size), range(boards), moves)
    assert max(met) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("size", "moves"), [(6, 1), (6, 2)])
def test_search_equals_a_slow_twin(rule: Rule, size: int, moves: int) -> None:
    """Won or not, with up to two moves before the five."""
    game = game_of(rule, size)
    attack = Attack(game)
    wins = 0
    for seed in range(24):
        p = random_position(seed, game, random.Random(seed).randint(6, size * 3))
        expected = twin_wins(game, p, moves)
        assert bool(attack.line(p, moves)) == expected, (seed, p)
        wins += expected
    assert wins > 2


def test_a_double_three_wins_in_two_moves_before_the_five() -> None:
    game = gomoku.game()
    p = board_with(game, "7,5 7,6 5,7 6,7", "0,0 0,2 0,12 0,14")
    attack = Attack(game)
    line = attack.line(p, 2)
    assert line[0] == game.parse("7,7")
    assert len(line) == 5
    assert not attack.line(p, 1)
    check_line(game, p, line)


def test_a_counter_four_delays_a_win_and_may_spoil_it() -> None:
    """White's three in a row gives a four, and the four a five or a block with gain."""
    game = gomoku.game()
    attack = Attack(game)
    delayed = board_with(game, "7,5 7,6 5,7 6,7 14,3", "0,0 14,4 14,5 14,6")
    assert not attack.line(delayed, 2)
    line = attack.line(delayed, 3)
    assert len(line) == 7
    check_line(game, delayed, line)
    spoilt = board_with(game, "7,5 7,6 5,7 6,7", "1,1 2,2 4,4 14,4 14,5 14,7 14,8")
    assert not attack.line(spoilt, MOST_MOVES)


def test_a_live_three_that_only_forbidden_points_answer_wins_for_white() -> None:
    """Black would make six in a row at either end of it."""
    game = game_of("renju", 15)
    black = "4,4 5,4 6,4 8,4 9,4 4,8 5,8 6,8 8,8 9,8"
    p = board_with(game, black, "7,5 7,6 3,4 10,4 3,8 10,8", turn=2)
    line = Attack(game).line(p, 2)
    assert line[0] == game.parse("7,7")
    check_line(game, p, line)
    assert not Attack(game_of("freestyle", 15)).line(p, 2)


def test_no_threat_no_win() -> None:
    game = gomoku.game()
    attack = Attack(game)
    assert attack.line(game.start(), MOST_MOVES) == ()
    assert attack.line(board_with(game, "7,5 7,6", "0,0 0,2"), MOST_MOVES) == ()


def test_limits_end_the_search() -> None:
    game = gomoku.game()
    p = board_with(game, "7,5 7,6 5,7 6,7 14,3", "0,0 14,4 14,5 14,6")
    assert not Attack(game, nodes=2).line(p, MOST_MOVES)
    assert Attack(game, nodes=100).line(p, MOST_MOVES)
