"""Wins by fours and live threes: each claim holds against every defence, none of the twin's is missed."""

from __future__ import annotations

import random
from typing import Any

import pytest
from threats_twin import Attack, board_with, check_claim, check_line, random_position, twin_wins

from arena.games import gomoku
from engines.kit.vct import MOST_MOVES


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


@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_claims_hold_against_every_defence_on_some_random_boards(rule: Any) -> None:
    met = check_random_claims(gomoku.game(size=9, rule=rule), range(20), 3)
    assert len([count for count in met if count > 100]) > 2


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["freestyle", "standard"])
@pytest.mark.parametrize("size", [8, 11, 15])
def test_claims_hold_against_every_defence(rule: Any, size: int) -> None:
    met = check_random_claims(gomoku.game(size=size, rule=rule), range(200), 5)
    assert len([count for count in met if count > 1000]) > 10


@pytest.mark.parametrize("rule", ["freestyle", "standard"])
@pytest.mark.parametrize(("size", "moves"), [(6, 1), (6, 2)])
def test_search_equals_a_slow_twin(rule: Any, size: int, moves: int) -> None:
    """Won or not, with up to two moves before the five."""
    game = gomoku.game(size=size, rule=rule)
    attack = Attack(game)
    wins = 0
    for seed in range(40):
        p = random_position(seed, game, random.Random(seed).randint(6, size * 3))
        expected = twin_wins(game, p, moves)
        assert bool(attack.line(p, moves)) == expected, (seed, p)
        wins += expected
    assert wins > 5


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


def test_no_threat_no_win() -> None:
    game = gomoku.game()
    attack = Attack(game)
    assert attack.line(game.start(), MOST_MOVES) == ()
    assert attack.line(board_with(game, "7,5 7,6", "0,0 0,2"), MOST_MOVES) == ()


def test_limits_end_the_search() -> None:
    game = gomoku.game()
    p = board_with(game, "7,5 7,6 5,7 6,7", "0,0 0,2 0,12 0,14")
    assert not Attack(game, nodes=1).line(p, MOST_MOVES)
    assert Attack(game, nodes=100).line(p, MOST_MOVES)
