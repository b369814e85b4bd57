"""five_tuple searches as its paragraph says; each kernel equals its slow twin."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from support.samples import ROOT
from twins.five_tuple import Minimax, Weights, candidates, makes_five, published, static_score
from twins.search import edges

from arena.engine import Limit
from arena.engines.five_tuple import FiveTuple, benchmarks, engine
from arena.engines.kit import DEEP, MAX_SIZE, ROUNDS
from arena.engines.kit.bounds import INFINITY
from arena.engines.kit.windows import (
    ROOT_KEY,
    WORDS,
    alphabeta,
    cell_of,
    gain,
    plain,
    play,
    spread,
    undo,
)
from arena.game import Position
from arena.games.gomoku import game as gomoku

DATA = ROOT / "tests/data"
CASES = json.loads((DATA / "five_tuple_published.json").read_text())["cases"]
GAME = json.loads((DATA / "five_tuple_published_game.json").read_text())["moves"]
NO_LIMIT = Limit()

sizes = st.integers(5, MAX_SIZE)
randoms = st.randoms(use_true_random=False)
unhurried = settings(deadline=None, max_examples=20)


@lru_cache(maxsize=32)
def build(size: int = 15, rule: str = "freestyle", **parameters: Any) -> FiveTuple:
    return engine(gomoku(size=size, rule=rule), **parameters)  # type: ignore[arg-type]


def random_position(rng: random.Random, size: int, stones: int, spread: int = 24) -> Position:
    """Stones of random colours near a random cell, with no line made."""
    while True:
        cells = bytearray(size * size)
        row, column = rng.randrange(size), rng.randrange(size)
        near = [
            cell
            for cell in range(size * size)
            if max(abs(cell // size - row), abs(cell % size - column)) <= spread
        ]
        for cell in rng.sample(near, min(stones, len(near))):
            cells[cell] = rng.randint(1, 2)
        if not any(cells[c] and makes_five(cells, size, c, exact=False) for c in near):
            return Position(bytes(cells), rng.randint(1, 2))
        stones -= 1


def seen_by_mover(p: Position) -> list[int]:
    return [0 if not stone else 1 if stone == p.turn else 2 for stone in p.cells]


def plain_choice(player: FiveTuple, p: Position, depth: int) -> tuple[int, int]:
    board = player.board
    score = board.set(p.cells, p.turn)
    value = plain(board.state, 0, depth, 0, score, -INFINITY, INFINITY)
    return board.move, value


weights = st.builds(Weights, *[st.integers(1, 50_000_000)] * 11)


@unhurried
@given(sizes, randoms, st.integers(0, 200), weights)
def test_the_score_is_the_weighted_sum_over_all_windows(
    size: int, rng: random.Random, stones: int, some: Weights
) -> None:
    p = random_position(rng, size, stones)
    player = engine(gomoku(size=size), **asdict(some))
    assert player.board.set(p.cells, p.turn) == static_score(seen_by_mover(p), size, some)


@settings(deadline=None, max_examples=20)
@given(sizes, randoms, st.integers(0, 40))
def test_a_gain_is_what_a_stone_changes(size: int, rng: random.Random, stones: int) -> None:
    p = random_position(rng, size, stones, spread=4)
    board, cells = build(size).board, seen_by_mover(p)
    score = board.set(p.cells, p.turn)
    for cell in candidates(cells, size, radius=1):
        for side in (0, 1):
            cells[cell] = 1 + side
            change = static_score(cells, size) - score
            assert gain(board.state, cell_of(cell, size), side) == (-change if side else change)
        cells[cell] = 0


@unhurried
@given(sizes, randoms, st.integers(0, 40))
def test_undo_takes_back_all_that_play_does(size: int, rng: random.Random, stones: int) -> None:
    p = random_position(rng, size, stones)
    board = build(size).board
    board.set(p.cells, p.turn)
    state = board.state
    before = [state[name].copy() for name in ("lines", "gains", "empty")]
    empty = [cell_of(cell, size) for cell, stone in enumerate(p.cells) if not stone]
    moves = [(cell, rng.randrange(2)) for cell in rng.sample(empty, min(20, len(empty)))]
    for ply, (cell, side) in enumerate(moves):
        play(state, cell, side)
        spread(state, ply, ply + 1, cell)
    for cell, side in reversed(moves):
        undo(state, cell, side)
    for name, values in zip(("lines", "gains", "empty"), before, strict=True):
        np.testing.assert_array_equal(state[name], values)


@unhurried
@given(sizes, randoms, st.booleans())
def test_play_sees_the_fives_that_win(size: int, rng: random.Random, exact: bool) -> None:
    board = build(size, "standard" if exact else "freestyle").board
    board.set(bytes(size * size), 1)
    cells = [0] * (size * size)
    line = rng.choice([range(size), range(0, size * size, size), range(0, size * size, size + 1)])
    for cell in rng.sample([*line], size):
        cells[cell] = 1 if rng.random() < 0.9 else 2
        made = play(board.state, cell_of(cell, size), cells[cell] - 1)
        assert bool(made) == makes_five(cells, size, cell, exact)


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_published_gives_what_the_program_gave(case: dict[str, Any]) -> None:
    cells = bytearray(225)
    for ply, (row, column) in enumerate(case["moves"]):
        cells[15 * row + column] = 1 + ply % 2
    p = Position(bytes(cells), 1 + len(case["moves"]) % 2)
    player = build(depth=case["depth"], radius=case["radius"], search="published")
    assert player.board.set(p.cells, p.turn) == case["static"]
    choice = player.choose(p, NO_LIMIT)
    assert divmod(choice.move or 0, 15) == tuple(case["move"])
    assert (choice.score, choice.nodes) == (case["value"], case["popped"])


def test_published_replays_the_program_s_game() -> None:
    game, player = gomoku(), build(depth=8, search="published")
    p = game.start()
    for row, column in GAME:
        choice = player.choose(p, NO_LIMIT)
        assert choice.move == 15 * row + column
        p = game.play(p, choice.move)
    assert game.outcome(p)


def test_published_is_its_twin() -> None:
    rng = random.Random(3)
    for number in range(60):
        size, depth = rng.randint(5, 9), 1 + number % 3
        p = random_position(rng, size, rng.choice((0, 3, size * size - 4)), spread=2)
        choice = build(size, depth=depth, radius=1, search="published").choose(p, NO_LIMIT)
        expected = published(seen_by_mover(p), size, 1, depth)
        assert (choice.move, choice.score, choice.nodes) == expected


def sample() -> list[tuple[Position, int, str, int]]:
    """200 positions: lone groups of few stones, whole lines, nearly full boards."""
    rng = random.Random(1)
    positions = []
    for number in range(200):
        size, depth = 6 + number % 10, 1 + number % 3
        rule = "standard" if number % 4 < 2 else "freestyle"
        if number % 5 == 0:
            p = random_position(rng, 6, 30 + number % 4)
        elif number % 5 < 3:
            p = with_a_line(rng, size)
        else:
            p = random_position(rng, size, number % 15 // 5, spread=2)
        positions.append((p, depth, rule, 1 if depth == 3 else 2))
    return positions


def with_a_line(rng: random.Random, size: int) -> Position:
    """Three or four stones of five or six in a line, and a few others."""
    while True:
        cells = bytearray(random_position(rng, size, 4, spread=1).cells)
        row, column = rng.randrange(size), rng.randrange(size)
        down, right = rng.choice(((0, 1), (1, 0), (1, 1), (1, -1)))
        length, color = rng.randint(5, 6), rng.randint(1, 2)
        if row + (length - 1) * down >= size or not 0 <= column + (length - 1) * right < size:
            continue
        line = [(row + k * down) * size + column + k * right for k in range(length)]
        for cell in rng.sample(line, length - rng.randint(1, 2)):
            cells[cell] = color
        if not any(cells[c] and makes_five(cells, size, c, exact=False) for c in range(len(cells))):
            return Position(bytes(cells), rng.randint(1, 2))


@pytest.mark.slow
def test_alphabeta_is_minimax_and_ties_go_to_the_first_move() -> None:
    fives = ties = overlines = 0
    for p, depth, rule, radius in sample():
        size = int(len(p.cells) ** 0.5)
        twin = Minimax(seen_by_mover(p), size, radius, exact=rule == "standard")
        values = twin.root_values(depth)
        best = max(values.values())
        first = next(move for move, value in values.items() if value == best)
        choice = build(size, rule, depth=depth, radius=radius).choose(p, NO_LIMIT)
        assert (choice.move, choice.score, choice.depth) == (first, best, depth)
        fives += twin.fives > 0
        overlines += twin.overlines > 0
        ties += list(values.values()).count(best) > 1
    assert fives >= 50
    assert ties >= 25
    assert overlines >= 10


def test_the_table_never_takes_a_bound_for_the_value() -> None:
    rng, depth, bounds = random.Random(11), 3, 0
    player = build(6, depth=depth, radius=1)
    state = player.board.state

    def search(alpha: int, beta: int) -> int:
        """Below the root, where the table is looked into."""
        state["candidates"][WORDS : 2 * WORDS] = state["candidates"][:WORDS]
        return int(alphabeta(state, 1, depth, 0, score, alpha, beta, ROOT_KEY))

    def search_anew(alpha: int, beta: int) -> int:
        player.board.set(p.cells, p.turn)
        return search(alpha, beta)

    for _ in range(10):
        p = with_a_line(rng, 6)
        score, (_, value) = player.board.set(p.cells, p.turn), plain_choice(player, p, depth)
        for alpha, beta in edges(search_anew, value, INFINITY):
            bounds += search_anew(alpha, beta) in {alpha, beta} - {value}
            assert search(-INFINITY, INFINITY) == value
    assert bounds >= 5, "a search said what its window ends at, and was asked for more"


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(
    st.integers(5, 9),
    randoms,
    st.integers(1, 5),
    st.sampled_from(("freestyle", "standard")),
    st.builds(Weights, *[st.sampled_from((1, 30, 1_000, 30_000))] * 11),
)
def test_order_changes_neither_value_nor_move(
    size: int, rng: random.Random, depth: int, rule: Any, some: Weights
) -> None:
    p = with_a_line(rng, size) if rng.random() < 0.8 else random_position(rng, size, 5, spread=2)
    game = gomoku(size=size, rule=rule)
    player = engine(game, depth=depth, radius=1, **asdict(some))  # type: ignore[arg-type]
    choice = player.choose(p, NO_LIMIT)
    assert (choice.move, choice.score) == plain_choice(player, p, depth)


@pytest.mark.slow
def test_the_benchmark_is_the_work_of_plain_alpha_beta() -> None:
    searches = dict(benchmarks())
    choices = {name: searches[name]() for name in ("plain", "ordered")}
    assert (choices["plain"].score, choices["plain"].nodes) == (-3678, 117_374_959)
    assert choices["ordered"].score == -3678
    assert {choice.depth for choice in choices.values()} == {6}
    assert choices["plain"].move == choices["ordered"].move


def test_playing_and_taking_back_is_timed_and_leaves_no_trace() -> None:
    player = build()
    p = random_position(random.Random(1), 15, 30)
    moves = [move for move, stone in enumerate(p.cells) if not stone][:20]
    score = player.board.set(p.cells, p.turn)
    before = {name: player.board.state[name].tolist() for name in ("lines", "gains", "empty")}
    assert player.board.play_undo(p, moves) == ROUNDS * DEEP
    assert before == {name: player.board.state[name].tolist() for name in before}
    assert player.board.set(p.cells, p.turn) == score


searches = pytest.mark.parametrize("search", ["alphabeta", "published"])


@searches
@pytest.mark.parametrize("size", [5, 25])
@pytest.mark.parametrize("empty", [1, 2, 5])
def test_a_nearly_full_board_is_played_to_its_end(size: int, empty: int, search: str) -> None:
    # Pairs of equal stones, turned each second row: no five.
    cells = bytearray(1 + (row // 2 + column) % 2 for row in range(size) for column in range(size))
    for cell in random.Random(size).sample(range(size * size), empty):
        cells[cell] = 0
    p = Position(bytes(cells), 1)
    choice = build(size, depth=7, search=search).choose(p, NO_LIMIT)
    assert choice.move is not None
    assert not p.cells[choice.move]
    assert choice.depth == 7
    if empty == 1:
        own = [stone or 1 for stone in seen_by_mover(p)]
        assert choice.score == static_score(own, size)


def test_the_largest_weights_fit() -> None:
    most = Weights(*[50_000_000] * 11)
    player = engine(gomoku(size=9), depth=3, radius=1, **asdict(most))
    p = random_position(random.Random(2), 9, 30)
    assert player.board.set(p.cells, p.turn) == static_score(seen_by_mover(p), 9, most)
    choice = player.choose(p, NO_LIMIT)
    assert (choice.move, choice.score) == plain_choice(player, p, 3)
