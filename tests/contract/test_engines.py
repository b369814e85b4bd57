"""What every engine keeps, put to each file in engines/ on each game that it plays."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from arena import Limit, load_engine, load_game
from arena.engine import Choice, Engine
from arena.errors import ConfigError
from arena.game import Game, Position
from arena.games.gomoku import AnyRule
from arena.match.play import play_game
from arena.match.record import Job
from arena.match.terms import Terms
from arena.plugins import load
from arena.plugins.catalogue import document_of
from arena.plugins.engine_facts import known_rules, rules_of_game
from arena.plugins.load import Named, factory, names, playable_games
from arena.plugins.parameters import parameters
from arena.tournament.replay import rules_difference

SMALL = {"gomoku": "gomoku:size=9", "tictactoe": "tictactoe"}
SHALLOW = Limit(depth=2)
BRAIN = [sys.executable, str(Path(__file__).parents[1] / "data" / "brain_first.py")]
NEEDS: dict[str, dict[str, object]] = {"gomocup": {"command": BRAIN}}
"""Parameters without which an engine plays nothing."""

PAIRS = [
    (engine, game)
    for engine in names("engine")
    for game in names("game")
    if {game, "*"} & set(playable_games(engine))
]


@pytest.fixture(params=PAIRS, ids="-".join)
def pair(request: pytest.FixtureRequest) -> Iterator[tuple[Engine, Game]]:
    name, played = request.param
    game = load_game(SMALL.get(played, played))
    engine = load_engine(Named(name, NEEDS.get(name, {})), game)
    yield engine, game
    engine.close()


def positions(game: Game, seed: int = 0) -> list[Position]:
    """Those of a random game that are not over."""
    random, found = Random(seed), [game.start()]
    while len(found) < 60 and (moves := game.moves(found[-1])):
        found.append(game.play(found[-1], random.choice(moves)))
    return [p for p in found if not game.outcome(p)]


def test_it_says_which_games_it_plays() -> None:
    for name in names("engine"):
        assert set(playable_games(name)) <= {*names("game"), "*"}
        assert any(engine == name for engine, _ in PAIRS)


def test_the_rules_that_it_says_it_knows_are_those_of_its_games() -> None:
    for name in names("engine"):
        said = set(getattr(load.module("engine", name), "RULES", ()))
        assert said <= {*get_args(AnyRule), "*"}, name
        for game in playable_games(name):
            assert game not in ("*", "gomoku") or known_rules(name, "gomoku"), name


RULED = [
    (engine, rule)
    for engine in names("engine")
    for rule in rules_of_game("gomoku")
    if {"gomoku", "*"} & set(playable_games(engine))
]


@pytest.mark.parametrize(("name", "rule"), RULED, ids=lambda value: str(value))
def test_it_plays_gomoku_by_the_rules_that_it_knows_and_refuses_the_others(
    name: str, rule: str
) -> None:
    game, wanted = load_game(f"gomoku:size=7,rule={rule}"), Named(name, NEEDS.get(name, {}))
    if rule not in known_rules(name, "gomoku"):
        with pytest.raises(ConfigError, match=f"{name} cannot play gomoku by the rule {rule}"):
            load_engine(wanted, game)
        return
    engine, other = load_engine(wanted, game), load_engine("random_mover", game)
    job = Job("one", "other", seed=1)
    played = play_game(game, (engine, other), job, limits=(SHALLOW, SHALLOW))
    engine.close()
    assert played.reason in ("line", "full board")
    assert rules_difference(game, played) is None


def test_it_says_which_source_document_it_is_from() -> None:
    for name in names("engine"):
        assert re.match(r"source documents? 00\d|none of ", document_of("engine", name)), name


def test_every_parameter_has_a_default_within_its_range_and_a_phrase() -> None:
    for name in names("engine"):
        for parameter in parameters(factory("engine", name)):
            assert parameter.about, f"{name}: {parameter.name}"
            is_bounded = bool(parameter.range or parameter.choices or name in NEEDS)
            assert is_bounded or parameter.type in (str, bool), f"{name}: {parameter.name}"
            if parameter.range:
                assert parameter.range.low <= parameter.default <= parameter.range.high
            if parameter.choices:
                assert parameter.default in parameter.choices


def test_a_level_for_people_is_one_of_its_levels_and_none_is_the_default() -> None:
    for name in names("engine"):
        if (level := getattr(load.module("engine", name), "LEVEL", None)) is not None:
            (found,) = (p for p in parameters(factory("engine", name)) if p.name == "level")
            assert found.range
            assert found.range.low == found.default == 0 < level <= found.range.high


def test_it_answers_with_a_legal_move_and_plain_numbers(pair: tuple[Engine, Game]) -> None:
    engine, game = pair
    engine.new_game(1)
    for p in positions(game)[::7]:
        choice = engine.choose(p, SHALLOW)
        assert choice.move is not None
        assert game.is_legal(p, choice.move)
        numbers = (choice.move, choice.depth, choice.nodes, *choice.pv)
        assert all(type(number) is int for number in numbers)
        assert choice.score is None or type(choice.score) is int
        assert all(type(value) in (int, float, str) for value in choice.info.values())
        assert choice.pv[:1] in ((), (choice.move,))
        assert choice.depth <= 2


def test_a_game_depends_on_its_seed_and_on_no_earlier_game(pair: tuple[Engine, Game]) -> None:
    engine, game = pair

    def line(seed: int) -> str:
        job = Job("one", "other", seed=seed)
        limits = (SHALLOW, SHALLOW)
        return play_game(
            game,
            (engine, engine),
            job,
            limits=limits,
            terms=Terms(game=Named(game.name), max_plies=12),
        ).moves

    first = line(1)
    line(2)
    assert line(1) == first


def test_choosing_leaves_the_position_alone_and_repeats_itself(pair: tuple[Engine, Game]) -> None:
    engine, game = pair
    p = positions(game)[len(positions(game)) // 2]
    before = bytes(p.cells)

    def choice() -> Choice:
        engine.new_game(3)
        return engine.choose(p, SHALLOW)

    assert choice() == choice()
    assert p.cells == before


@pytest.mark.parametrize(("name", "played"), [pair for pair in PAIRS if pair[1] in SMALL])
def test_it_takes_the_last_cell_that_is_left(name: str, played: str) -> None:
    game = load_game(SMALL[played])
    stripes = ("112" * 9, "221" * 9)  # no five of either colour
    cells = bytes(
        int(stripes[row // 2 % 2][column])
        for row in range(game.size)
        for column in range(game.size)
    )
    last = game.size**2 - 1
    p = Position(cells[:-1] + b"\0", 1, tuple(range(last)))
    engine = load_engine(Named(name, NEEDS.get(name, {})), game)
    engine.new_game(0)
    assert engine.choose(p, SHALLOW).move == last
    engine.close()
