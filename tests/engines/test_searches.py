"""Laws of all engines that search: limits, colours, boards of any size, nothing of other games."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from twins.boards import game_of
from twins.threats import random_position

from arena import load_game
from arena.engine import Engine, Limit
from arena.engines.kit import DEEP, ROUNDS
from arena.engines.kit.benchmarks import MIDGAMES, VALUES
from arena.engines.kit.shapes.table import Rule
from arena.game import Game, Position
from arena.plugins import load
from arena.plugins.build import load_engine
from arena.plugins.load import Named

SELECTIVE = {"search": "selective"}
EXACT: dict[str, tuple[str, dict[str, Any]]] = {
    "five_tuple": ("five_tuple", {}),
    "published": ("five_tuple", {"search": "published"}),
    "balance": ("balance", {}),
    "live_dead": ("live_dead", {}),
    "piece_count": ("piece_count", {}),
    "minimax": ("minimax", {}),
}
"""Engines whose answer within a depth is the same by whatever limit they came to it."""
ENGINES = {
    **EXACT,
    "selective balance": ("balance", SELECTIVE),
    "selective live_dead": ("live_dead", SELECTIVE),
    "patterns": ("patterns", {}),
    "shape_table": ("shape_table", {}),
}
GAMES = {"piece_count": "two_eat_one", "minimax": "tictactoe"}
OF_RENJU = ["balance", "live_dead", "selective balance", "selective live_dead", "shape_table"]

every = pytest.mark.parametrize("name", ENGINES)
exact = pytest.mark.parametrize("name", EXACT)
of_gomoku = pytest.mark.parametrize("name", [name for name in ENGINES if name not in GAMES])


def game_for(name: str) -> Any:
    return load_game(GAMES.get(name, "gomoku"))


def built(name: str, game: Game | None = None, **parameters: Any) -> Engine:
    engine, own = ENGINES[name]
    return load_engine(Named(engine, own | parameters), game or game_for(name))


def deep(name: str) -> Engine:
    """A player that only limits end."""
    more = {"minimax": {"depth": 9}, "shape_table": {"prediction": 20, "budget": 100_000_000}}
    return built(name, **more.get(name, {"depth": 20}))


def middle_game(game: Any, seed: int = 3) -> Position:
    if hasattr(game, "line"):
        return random_position(seed, game, 14)
    p, draw = game.start(), random.Random(seed)
    for _ in range(2):
        p = game.play(p, draw.choice(game.moves(p)))
    return p


@exact
def test_the_smaller_depth_wins(name: str) -> None:
    p = middle_game(game_for(name))
    three = built(name, depth=3).choose(p, Limit())
    assert three.depth == 3
    for own, limit in ((3, 5), (5, 3), (9, 3)):
        assert built(name, depth=own).choose(p, Limit(depth=limit)) == three


@exact
@pytest.mark.parametrize("nodes", [1, 300, 3_000, 30_000])
def test_nodes_are_a_limit_and_the_last_finished_depth_is_played(name: str, nodes: int) -> None:
    p = middle_game(game_for(name))
    one = built(name, depth=1).choose(p, Limit())
    choice = deep(name).choose(p, Limit(nodes=nodes))
    assert choice.nodes <= max(nodes, one.nodes)
    assert 1 <= choice.depth < 20
    whole = built(name, depth=choice.depth).choose(p, Limit())
    assert (choice.move, choice.score) == (whole.move, whole.score)
    assert nodes > 1 or choice == one


@pytest.mark.parametrize("name", [name for name in ENGINES if name not in EXACT])
@pytest.mark.parametrize("nodes", [1, 10, 1_000, 30_000])
def test_nodes_are_a_limit_of_others_too(name: str, nodes: int) -> None:
    game = game_for(name)
    p = middle_game(game)
    choice = deep(name).choose(p, Limit(nodes=nodes))
    assert choice.nodes <= nodes
    assert game.is_legal(p, choice.move)
    assert deep(name).choose(p, Limit(nodes=nodes)) == choice


@every
@pytest.mark.parametrize(
    "limit", [Limit(seconds=0.1), Limit(time_left=1.0), Limit(seconds=0.0), Limit(time_left=0.0)]
)
def test_time_is_a_limit(name: str, limit: Limit) -> None:
    game = game_for(name)
    p, player = middle_game(game), deep(name)
    before = time.monotonic()
    choice = player.choose(p, limit)
    assert time.monotonic() - before < 1.0
    assert game.is_legal(p, choice.move)
    if limit.seconds == 0.0:
        assert choice.depth <= 1
    elif limit.seconds and name != "shape_table":
        assert choice.depth > 1


@every
@pytest.mark.parametrize("limit", [Limit(nodes=3_000), Limit(depth=3)])
def test_nothing_is_left_of_earlier_games_and_interrupted_searches(name: str, limit: Limit) -> None:
    game, player = game_for(name), deep(name)
    positions = [middle_game(game, seed) for seed in range(4)]
    expected = [deep(name).choose(p, limit) for p in positions]
    for other in reversed(positions):
        for p, choice in zip(positions, expected, strict=True):
            player.choose(other, Limit(seconds=0.005))
            if name not in EXACT:
                player.new_game(1)
            assert player.choose(p, limit) == choice


@every
@pytest.mark.parametrize("seed", range(3))
def test_colours_are_only_names(name: str, seed: int) -> None:
    game = game_for(name)
    p = middle_game(game, seed)
    swapped = Position(p.cells.translate(bytes((0, 2, 1)) + bytes(253)), 3 - p.turn, p.moves)
    one, two = (built(name).choose(q, Limit(depth=4, nodes=50_000)) for q in (p, swapped))
    assert (one.move, one.score, one.pv) == (two.move, two.score, two.pv)


@of_gomoku
@pytest.mark.parametrize("size", [5, 6, 15, 20, 25])
def test_whole_games_from_the_centre_on_small_and_large_boards(name: str, size: int) -> None:
    rules: list[Rule] = ["freestyle", "standard", *["renju" for each in OF_RENJU if each == name]]
    for rule in rules:
        game = game_of(rule, size)
        player, p = built(name, game), game.start()
        while not game.outcome(p) and p.ply < 60:
            choice = player.choose(p, Limit(depth=2, nodes=2_000))
            assert p.ply or all(-1 <= 2 * x + 1 - size <= 1 for x in divmod(choice.move, size))
            assert game.is_legal(p, choice.move)
            p = game.play(p, choice.move)
        end = game.outcome(p)
        assert end or size > 6
        assert not end or end.reason != "forbidden"


@pytest.mark.parametrize("name", OF_RENJU)
def test_black_resigns_where_every_point_is_forbidden(name: str) -> None:
    game = game_of("renju", 9)
    stripes = ("112" * 3, "221" * 3)
    cells = bytearray(int(stone) for row in range(9) for stone in stripes[row // 2 % 2])
    cells[:9] = bytes(int(stone) for stone in "111011122")
    p = Position(bytes(cells), 1)
    assert game.forbidden(p, 3) == "overline"
    engine, own = ENGINES[name]
    player = load.factory("engine", engine)(game, **own)
    assert player.choose(p, Limit(nodes=100)).move is None


BENCHMARKS = {
    **dict.fromkeys(("shape_table", "strong"), ()),
    **dict.fromkeys(("five_tuple", "balance", "live_dead", "patterns"), ("play_undo", "evaluate")),
}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_benchmarks_search_as_deep_as_they_say(name: str) -> None:
    searches = dict(load.module("engine", name).benchmarks())
    nodes = {"play_undo": ROUNDS * DEEP, "evaluate": 3 * VALUES}
    for label in BENCHMARKS[name]:
        assert searches[label]().nodes == nodes[label]
    labels = [label for label in searches if "/depth-" in label]
    assert {label.partition("/")[0] for label in labels} == set(MIDGAMES)
    for label in labels:
        if label.startswith("midgame-2"):
            choice = searches[label]()
            assert label == f"midgame-2/depth-{choice.depth}"
            assert choice.nodes > 0
