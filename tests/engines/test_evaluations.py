"""Static evaluations equal what the searches see at leaves, and the slow twins."""

from __future__ import annotations

from typing import Any

import pytest
from twins.boards import game_of, random_cells
from twins.five_tuple import Weights, static_score
from twins.search import BalanceTwin, LiveDeadTwin

from arena import load_engine
from arena.engines.kit.selective.positions import static_value
from arena.engines.kit.shapes.board import put
from arena.engines.kit.shapes.table import Rule
from arena.game import Position
from arena.plugins.build import evaluation_of
from arena.plugins.load import Named, checked

TWINS = {"balance": BalanceTwin, "live_dead": LiveDeadTwin}
RULES: list[Rule] = ["freestyle", "standard", "renju"]


def positions(size: int, count: int) -> list[Position]:
    """Boards of 0 to 75 stones, either side to move."""
    return [Position(random_cells(n, size, 75 * n // count), 1 + n % 2) for n in range(count)]


@pytest.mark.parametrize("rule", RULES[:2])
@pytest.mark.parametrize("search", ["alphabeta", "published"])
def test_five_tuple_sees_the_sum_of_all_windows(search: str, rule: Rule) -> None:
    game = game_of(rule, 11)
    weights = {"three": 170, "other_two": 7, "other_centred_three": 1_100}
    wanted = Named("five_tuple", {"search": search, **weights})
    value, engine = evaluation_of(wanted, game), load_engine(wanted, game)
    assert value
    board: Any = engine
    for p in positions(11, 40):
        seen = [0 if not stone else 1 if stone == p.turn else 2 for stone in p.cells]
        twin = static_score(seen, 11, Weights(**weights))
        assert value(p) == board.board.set(p.cells, p.turn) == twin


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", sorted(TWINS))
def test_shapes_are_worth_what_the_exact_search_sees(name: str, rule: Rule) -> None:
    game = game_of(rule, 11)
    wanted = checked("engine", Named(name, {"live_three": 1_700, "rush_two": 29, "initiative": 33}))
    value = evaluation_of(wanted, game)
    assert value
    twin = TWINS[name](11, rule, wanted.parameters)
    for p in positions(11, 16):
        assert value(p) == twin.evaluate(p.cells, p.turn - 1)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", sorted(TWINS))
def test_shapes_are_worth_what_the_selective_search_sees(name: str, rule: Rule) -> None:
    game = game_of(rule, 15)
    wanted = Named(name, {"live_three": 1_700, "search": "selective", "initiative": 33})
    value, engine = evaluation_of(wanted, game), load_engine(wanted, game)
    assert value
    board: Any = engine
    without = evaluation_of(Named(name, {**wanted.parameters, "initiative": 0}), game)
    assert without
    differences = 0
    for p in positions(15, 40):
        put(board.board, p.cells, p.moves)
        board.board["root_player"] = p.turn - 1
        assert value(p) == static_value(board.board, p.turn - 1)
        differences += value(p) != without(p)
    assert differences > 35
