"""The selective search: minimax where nothing is left out, and claims of wins that hold."""

from __future__ import annotations

import random
from typing import Any

import pytest
from twins.boards import game_of
from twins.search import BalanceTwin, LiveDeadTwin, SelectiveTwin, defaults_of
from twins.threats import random_position, winning_moves

from arena.engine import Limit
from arena.engines import balance, live_dead
from arena.engines.kit.bounds import INFINITY
from arena.engines.kit.clock import begin
from arena.engines.kit.selective.moves import find_near
from arena.engines.kit.selective.search import seek
from arena.engines.kit.shapes.board import put
from arena.engines.kit.shapes.table import Rule
from arena.game import Game, Position

ENGINES = {"balance": (balance, BalanceTwin), "live_dead": (live_dead, LiveDeadTwin)}
NAMES = sorted(ENGINES)
PLAIN = {
    **dict.fromkeys(("position_bits", "window", "count_base", "late_factor", "late_fours"), 0),
    **dict.fromkeys(("lead_depth", "razor_depth", "futility_depth", "horizon"), 0),
    **dict.fromkeys(("leaf_fours", "inner_fours", "root_fours", "initiative"), 0),
    "breadth": 625,
}
"""All that is left out switched off."""


def build(name: str, game: Game, **parameters: Any) -> Any:
    return ENGINES[name][0].engine(game, search="selective", **parameters)  # type: ignore[arg-type]


def sought(board: Any, p: Position, depth: int) -> int:
    """The value that the search alone gives, without deepening."""
    begin(board)
    put(board, p.cells, p.moves)
    find_near(board)
    board["root_player"], board["top"] = p.turn - 1, 0
    return int(seek(board, p.turn - 1, depth, -INFINITY, INFINITY, 0))


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["freestyle", "standard"])
@pytest.mark.parametrize("name", NAMES)
def test_with_nothing_left_out_it_is_minimax(name: str, rule: Rule) -> None:
    for size, stones, depth in ((5, 13, 3), (6, 16, 2), (7, 16, 1)):
        game = game_of(rule, size)
        board = build(name, game, **PLAIN).board
        scorer = ENGINES[name][1](size, rule, defaults_of(ENGINES[name][0].engine))
        for seed in range(4):
            p = random_position(seed, game, stones + seed)
            twin = SelectiveTwin(scorer, p.turn - 1)
            assert sought(board, p, depth) == twin.value(p.cells, p.turn - 1, depth)


def wins_within(game: Any, p: Position, plies: int) -> bool:
    """True if the side to move makes five within this number of plies against every defence."""
    if winning_moves(game, p, p.turn):
        return True
    if plies < 3:
        return False
    threats = winning_moves(game, p, 3 - p.turn)
    moves = [m for m in game.moves(p) if not threats or m in threats]
    return any(
        game.outcome(q := game.play(p, move)) is None and all_lose_within(game, q, plies - 1)
        for move in moves
    )


def all_lose_within(game: Any, p: Position, plies: int) -> bool:
    """True if every move of the side to move loses within this number of plies."""
    if winning_moves(game, p, p.turn):
        return False
    threats = winning_moves(game, p, 3 - p.turn)
    if not threats and plies < 4:
        return False
    for move in sorted(game.moves(p), key=lambda m: m not in threats):
        q = game.play(p, move)
        outcome = game.outcome(q)
        if outcome:
            if outcome.winner != 3 - p.turn:
                return False
        elif not wins_within(game, q, plies - 1):
            return False
    return True


def check_claims(name: str, rule: Rule, size: int, seeds: range, longest: int) -> int:
    game = game_of(rule, size)
    engine, claims = build(name, game), 0
    for seed in seeds:
        p = random_position(seed, game, random.Random(seed).randint(8, size * size // 2))
        engine.new_game(0)
        proven = engine.choose(p, Limit(nodes=3_000)).info["proven"]
        if 1 < abs(proven) <= longest:
            claims += 1
            if proven > 0:
                assert wins_within(game, p, proven)
            else:
                assert all_lose_within(game, p, -proven)
    return claims


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_claims_hold_on_small_boards(rule: Rule) -> None:
    assert check_claims("live_dead", rule, 6, range(40), 5) > 2
