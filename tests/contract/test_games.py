"""What every game keeps, put to each file in arena/games."""

from __future__ import annotations

import pickle
import re
from itertools import pairwise
from random import Random

import pytest

from arena import load_game
from arena.game import REASONS, Game, Position, Symmetric
from arena.plugins.catalogue import document_of, partners
from arena.plugins.load import factory, names
from arena.plugins.parameters import parameters


@pytest.fixture(params=names("game"))
def game(request: pytest.FixtureRequest) -> Game:
    return load_game(request.param)


def walk(game: Game, seed: int) -> list[Position]:
    """The positions of a random game; no longer than 300 plies."""
    random, positions = Random(seed), [game.start()]
    while len(positions) <= 300 and (moves := game.moves(positions[-1])):
        positions.append(game.play(positions[-1], random.choice(moves)))
    return positions


def test_it_carries_the_name_that_users_type(request: pytest.FixtureRequest, game: Game) -> None:
    assert game.name == request.node.callspec.params["game"]


def test_it_is_described_and_played(game: Game) -> None:
    assert re.match(r"source documents? 00\d", document_of("game", game.name))
    assert partners("game", game.name)
    for parameter in parameters(factory("game", game.name)):
        assert parameter.about, parameter.name
        if parameter.range:
            assert parameter.range.low <= parameter.default <= parameter.range.high
        else:
            assert parameter.default in parameter.choices


def test_it_starts_with_the_first_player_and_goes_on(game: Game) -> None:
    p = game.start()
    assert (p.turn, p.moves, len(p.cells)) == (1, (), game.size**2)
    assert game.outcome(p) is None
    assert game.moves(p)


def test_what_it_wants_counted_is_a_number_or_nothing(game: Game) -> None:
    assert game.repetitions is None or game.repetitions > 1
    assert game.longest is None or game.longest > 0
    if game.longest is None and game.repetitions is None:
        assert all(game.outcome(walk(game, seed)[-1]) for seed in range(5))


@pytest.mark.parametrize("seed", range(5))
def test_the_players_alternate_and_each_move_is_kept(game: Game, seed: int) -> None:
    for before, after in pairwise(walk(game, seed)):
        assert after.turn == 3 - before.turn
        assert after.moves[:-1] == before.moves
        assert set(after.cells) <= {0, 1, 2}


@pytest.mark.parametrize("seed", range(5))
def test_what_it_lists_is_what_is_legal(game: Game, seed: int) -> None:
    for p in walk(game, seed)[:-1]:
        listed = list(game.moves(p))
        assert listed == sorted(set(listed))
        tried = range(-2, game.size**2 + 2)
        assert {move for move in tried if game.is_legal(p, move)} == set(listed) & set(tried)
        assert all(game.is_legal(p, move) for move in listed)


@pytest.mark.parametrize("seed", range(5))
def test_a_game_that_is_over_has_a_known_reason_and_no_moves(game: Game, seed: int) -> None:
    *before, last = walk(game, seed)
    assert all(game.outcome(p) is None for p in before)
    if outcome := game.outcome(last):
        assert outcome.reason in REASONS
        assert outcome.winner in (1, 2, None)
        assert not game.moves(last)


def test_text_and_parse_are_mirrors(game: Game) -> None:
    for p in walk(game, 0)[:-1]:
        for move in game.moves(p):
            assert game.parse(game.text(move)) == move
            assert " " not in game.text(move)


def test_positions_are_values(game: Game) -> None:
    p = walk(game, 1)[-1]
    assert pickle.loads(pickle.dumps(p)) == p
    assert hash(p) == hash(pickle.loads(pickle.dumps(p)))


def test_playing_changes_nothing_of_the_position_before(game: Game) -> None:
    p = game.start()
    move = game.moves(p)[0]
    assert game.play(p, move) == game.play(p, move)
    assert p == game.start()


@pytest.mark.parametrize("seed", range(3))
def test_in_its_symmetries_it_is_the_same_game(game: Game, seed: int) -> None:
    assert isinstance(game, Symmetric), "a game of ours says so, even if there is only one"
    assert tuple(range(game.size**2)) in map(tuple, game.symmetries)
    for symmetry in game.symmetries:
        assert tuple(sorted(symmetry, key=symmetry.__getitem__)) in map(tuple, game.symmetries)
        image = game.start()
        for p in walk(game, seed):
            if p.last is not None:
                image = game.play(image, game.turned(p.last, symmetry))
            assert all(image.cells[symmetry[cell]] == stone for cell, stone in enumerate(p.cells))
            assert image.turn == p.turn
            assert game.outcome(image) == game.outcome(p)
            turned = sorted(game.turned(move, symmetry) for move in game.moves(p))
            assert list(game.moves(image)) == turned
