"""The selective search: minimax where nothing is left out, and claims of wins that hold."""

from __future__ import annotations

import inspect
import random
from typing import Any

import pytest
from twins.boards import game_of, random_cells
from twins.search import BalanceTwin, LiveDeadTwin
from twins.selective import SelectiveTwin
from twins.threats import winning_moves

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


def parameters_of(name: str) -> dict[str, Any]:
    """An engine's parameters and their defaults."""
    parameters = inspect.signature(ENGINES[name][0].engine).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


def quiet_position(seed: int, game: Any, stones: int) -> Position:
    """A position without a five, the side with fewer stones to move."""
    for tried in range(seed, seed + 10**8, 1000):
        cells = random_cells(tried, game.size, stones)
        p = Position(cells, 1 + stones % 2)
        ends = (game.outcome(Position(cells, p.turn, (m,))) for m, c in enumerate(cells) if c)
        if not any(end and end.reason == "line" for end in ends):
            return p
    raise AssertionError("every board was won")


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
        scorer = ENGINES[name][1](size, rule, parameters_of(name))
        for seed in range(4):
            p = quiet_position(seed, game, stones + seed)
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
    """The number of claims, each of which must hold against every defence."""
    game = game_of(rule, size)
    engine, claims = build(name, game), 0
    for seed in seeds:
        p = quiet_position(seed, game, random.Random(seed).randint(8, size * size // 2))
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


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize("name", NAMES)
def test_many_claims_hold_on_small_boards(name: str, rule: Rule) -> None:
    assert check_claims(name, rule, 7, range(100), 5) > 20


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_claims_are_the_same_with_colours_swapped(name: str, seed: int) -> None:
    game = game_of("standard")
    p = quiet_position(seed, game, 16)
    swapped = Position(bytes((3 - c) % 3 for c in p.cells), 3 - p.turn)
    one, two = (build(name, game).choose(q, Limit(depth=6, nodes=100_000)) for q in (p, swapped))
    assert (one.move, one.score, one.info["proven"]) == (two.move, two.score, two.info["proven"])
