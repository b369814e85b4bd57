"""`strong`: it is `patterns` by a name of its own, and its levels are weaker ones."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from support.samples import ROOT
from twins.boards import game_of

from arena.config.reader import read_config
from arena.engine import Choice, Engine, Limit
from arena.engines.kit.benchmarks import MIDGAMES, positions
from arena.engines.kit.shapes.table import Rule
from arena.engines.strong import NODES, UNHURRIED, benchmarks, engine
from arena.game import Game, Move, Position
from arena.games.gomoku import Gomoku
from arena.plugins.build import load_engine

RULES: list[Rule] = ["freestyle", "standard", "renju"]
LEVELS = range(1, 10)
GAME = game_of("freestyle")
FIRST, *_ = (p for _, p in positions(GAME))
FEW, MANY = 15, 40
"""Positions with a five to make, and with a five to prevent, at each level and by each rule."""


def choices(player: Engine, game: Game, opening: str, limit: Limit) -> list[Choice]:
    """All that a player says of a game with itself."""
    player.new_game(0)
    p, found = game.start(), list[Choice]()
    for move in map(game.parse, opening.split()):
        p = game.play(p, move)
    while not game.outcome(p) and p.ply < 40:
        found.append(player.choose(p, limit))
        assert found[-1].move is not None
        p = game.play(p, found[-1].move)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_it_plays_the_games_of_patterns(rule: Rule) -> None:
    game = game_of(rule)
    own, other = load_engine("strong", game), load_engine("patterns", game)
    for opening, nodes in (("7,7 8,8 6,8", 3_000), ("7,7 5,8 3,6 8,5", 20_000), ("", 700)):
        limit = Limit(nodes=nodes)
        assert choices(own, game, opening, limit) == choices(other, game, opening, limit)


def searched(limit: Limit, **parameters: int) -> Choice:
    """The choice of a new player in the first position."""
    return engine(GAME, **parameters).choose(FIRST, limit)


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_a_number_of_nodes_that_a_limit_can_only_lower(level: int) -> None:
    whole = searched(Limit(), level=level)
    assert whole == searched(Limit(nodes=NODES[level]))
    assert whole == searched(Limit(nodes=NODES[level] + 1, seconds=3600.0), level=level)
    assert searched(Limit(nodes=7), level=level).nodes == min(7, NODES[level])


def test_levels_have_more_and_more_nodes() -> None:
    assert len(NODES) - 1 == LEVELS[-1]
    assert all(fewer < more for fewer, more in pairwise(NODES))


@pytest.mark.slow
def test_without_a_level_only_limits_end_a_search_and_without_any_it_ends_too() -> None:
    assert searched(Limit(nodes=NODES[9] + 1000)).nodes == NODES[9] + 1000
    assert searched(Limit()).nodes == searched(Limit(depth=60)).nodes == UNHURRIED


def test_depth_is_the_most_that_is_searched() -> None:
    assert searched(Limit(), depth=5).depth == 5
    assert searched(Limit(depth=3), depth=5).depth == 3


@pytest.mark.parametrize(
    ("limit", "least"), [(Limit(seconds=0.4), 0.35), (Limit(time_left=20.0), 0.3)]
)
def test_it_uses_the_time_that_it_has(limit: Limit, least: float) -> None:
    player = engine(GAME)
    began = time.monotonic()
    choice = player.choose(FIRST, limit)
    assert least < time.monotonic() - began < 10
    assert choice.depth > 3


def cells_that_win(game: Gomoku, p: Position, player: int) -> list[Move]:
    """The points at which a player would win at once."""
    mine = Position(p.cells, player)
    found = []
    for move, stone in enumerate(p.cells):
        end = None if stone else game.outcome(game.play(mine, move))
        if end and end.winner == player:
            found.append(move)
    return found


def crowded(game: Gomoku, seed: int) -> Position:
    """Stones close together, and no five; either side is to move."""
    draw = random.Random(seed)
    while True:
        row, column = draw.randrange(game.size - 5), draw.randrange(game.size - 5)
        cells = bytearray(game.size**2)
        for _ in range(draw.randint(8, 26)):
            at = (row + draw.randrange(6)) * game.size + column + draw.randrange(6)
            cells[at] = cells[at] or draw.choice((1, 2))
        p = Position(bytes(cells), draw.choice((1, 2)))
        stones = ((move, stone) for move, stone in enumerate(cells) if stone)
        if not any(game.outcome(Position(p.cells, 3 - s, (move,))) for move, s in stones):
            return p


def decided(game: Gomoku, is_own: bool, count: int) -> Iterator[tuple[Position, list[Move]]]:
    """Positions where the side to move can win at once, or else must prevent that, and how."""
    found = 0
    for seed in range(100_000):
        p = crowded(game, seed)
        own, other = (cells_that_win(game, p, player) for player in (p.turn, 3 - p.turn))
        answers = own if is_own else [] if own or len(other) > 1 else other
        if game.rule == "renju" and p.turn == 1:
            answers = [move for move in answers if not game.forbidden(p, move)]
        if answers:
            yield p, answers
            found += 1
        if found == count:
            return


@pytest.mark.parametrize("is_own", [True, False], ids=["own", "other"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("levels", "count"),
    [(LEVELS[:1], FEW), pytest.param(LEVELS, MANY, marks=pytest.mark.slow)],
    ids=["weakest", "all"],
)
def test_every_level_makes_its_five_and_answers_a_four(
    levels: Sequence[int], count: int, rule: Rule, is_own: bool
) -> None:
    game = game_of(rule)
    cases = list(decided(game, is_own, count))
    assert len(cases) == count
    for level in levels:
        player = engine(game, level=level)
        for p, answers in cases:
            player.new_game(0)
            assert player.choose(p, Limit()).move in answers, (level, p)


def test_its_benchmarks_search_as_deep_as_they_say() -> None:
    searches = dict(benchmarks())
    assert {label.partition("/")[0] for label in searches} == set(MIDGAMES)
    for label, search in searches.items():
        assert label.endswith(f"/depth-{search().depth}")


def test_the_page_and_the_config_have_its_levels() -> None:
    page = (ROOT / "docs/strength.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| ([\d ]+) \|", page, re.MULTILINE)
    assert rows == [(str(level), f"{NODES[level]:,}".replace(",", " ")) for level in LEVELS]
    config = read_config(ROOT / "configs/levels.yaml")
    assert [player.engine.name for player in config.players] == ["strong"] * len(LEVELS)
    assert [player.engine.parameters["level"] for player in config.players] == [*LEVELS]
    names = [player.name for player in config.players]
    assert config.format.parameters["of"] == [[more, less] for less, more in pairwise(names)]
    assert len(config.openings) == 100
