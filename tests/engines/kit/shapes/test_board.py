"""Board records: all that they keep equals the twin, and undoing leaves no trace."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from twins.boards import (
    game_of,
    kept_state,
    new_board,
    random_cells,
    twin_code,
    twin_line_total,
    twin_total,
    twin_value,
)

from arena.engines import balance
from arena.engines.kit import record
from arena.engines.kit.selective.moves import find_near, put_stone
from arena.engines.kit.shapes.board import count_of, first_of, half, play, put, undo
from arena.engines.kit.shapes.codes import MOST_CHANGES, MOVE_WEIGHTS, WEIGHTS, WORDS, Tables
from arena.engines.kit.shapes.table import (
    CELLS,
    CLASSES,
    ONE_FIVE,
    RANKS,
    TWO_FOURS,
    Rule,
    cell_of,
    move_of,
)

RULES: list[Rule] = ["freestyle", "standard", "renju"]
empty_board = cache(new_board)
"""One board of each size and rule: each test puts its own stones on it."""


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("size", "stones"), [(5, 24), (9, 30), (15, 40), (25, 60)])
def test_loaded_boards_equal_the_twin(rule: Rule, size: int, stones: int) -> None:
    board = empty_board(size, rule)
    for seed in range(2):
        cells = random_cells(seed, size, stones)
        put(board, cells, ())
        for player in range(2):
            assert half(int(board["total"]), player) == twin_total(cells, size, player, rule)
            lines = half(int(board["line_total"]), player)
            assert lines == twin_line_total(cells, size, player, rule)
        for move in range(0, size * size, 1 if size < 15 else 7):
            check_point(board, cells, move, rule)


def check_point(board: Any, cells: bytes, move: int, rule: Rule) -> None:
    """Codes and values of a cell, for the players that have, or could have, a stone there."""
    size = int(board["size"])
    cell = cell_of(move, size)
    for player in range(2):
        if cells[move] == 2 - player:
            continue
        codes = board["codes"][4 * cell : 4 * cell + 4] >> 4 * player & 15
        twin = [twin_code(cells, size, move, d, player, rule) for d in range(4)]
        assert codes.tolist() == twin
        assert half(int(board["values"][cell]), player) == twin_value(
            cells, size, move, player, rule
        )


@settings(max_examples=60)
@given(
    st.tuples(st.sampled_from([5, 9, 12, 15, 19, 25]), st.sampled_from(RULES)),
    st.lists(st.tuples(st.integers(-400, 624), st.integers(0, 1)), max_size=60),
)
def test_play_and_undo_equal_a_fresh_board(where: tuple[int, Rule], steps: list[Any]) -> None:
    """Negative numbers undo; stones of either player may follow each other."""
    size, _ = where
    board = empty_board(*where)
    put(board, bytes(size * size), ())
    played: list[tuple[int, int]] = []
    for number, player in steps:
        taken = {move for move, _ in played}
        if number < 0 and played:
            undo(board)
            played.pop()
        elif number >= 0 and number % (size * size) not in taken:
            played.append((number % (size * size), player))
            play(board, cell_of(played[-1][0], size), player)
    state = kept_state(board)
    cells = bytearray(size * size)
    for move, player in played:
        cells[move] = player + 1
    put(board, bytes(cells), [move for move, _ in played])
    assert kept_state(board) == state
    moves = [move_of(int(cell), size) for cell in board["moves"][: len(played)]]
    assert moves == [move for move, _ in played]


@pytest.mark.parametrize(
    "tables", [(), (Tables(np.zeros(WEIGHTS, int), np.zeros(MOVE_WEIGHTS, int)),)]
)
def test_a_full_board_of_the_largest_size_is_emptied_again(tables: tuple[Tables, ...]) -> None:
    size = 25
    board = record.new_board(size, "standard", (1,) * RANKS, *tables, with_classes=True)
    start, moves = kept_state(board), random.Random(1).sample(range(size * size), size * size)
    for index, move in enumerate(moves):
        play(board, cell_of(move, size), index % 2)
    assert 0 < board["changes"] <= MOST_CHANGES
    assert 0 < board["moved"] <= 2 * MOST_CHANGES
    for _ in moves:
        undo(board)
    assert kept_state(board) == start


KEPT = ["class_sets", "class_counts", "cells", "total", "line_total", "key", "stones"]
KEPT_OF_EMPTY_POINTS = ["marks", "classes", "values", "codes"]


def board_of(rule: Rule, size: int, cells: bytes) -> Any:
    board = balance.engine(game_of(rule, size), search="selective").board
    put(board, cells, ())
    find_near(board)
    return board


def kept(board: Any) -> dict[str, Any]:
    empty = np.flatnonzero(board["cells"] == 0)
    found = {name: np.copy(board[name]) for name in KEPT}
    for name in KEPT_OF_EMPTY_POINTS:
        found[name] = board[name].reshape(CELLS, -1)[empty]
    return found


def class_by_definition(codes: list[int]) -> int:
    """A point's class, from its shapes as the specification has them."""
    fours, threes = codes.count(7) + 2 * codes.count(8), codes.count(6)
    if 9 in codes:
        return ONE_FIVE
    if fours > 1:
        return TWO_FOURS
    return (4 if threes else 3) if fours else min(threes, 2)


@pytest.mark.parametrize("rule", RULES)
def test_classes_are_those_of_the_shapes_in_four_directions(rule: Rule) -> None:
    size = 9
    for seed in range(3):
        cells = random_cells(seed, size, 20)
        board = board_of(rule, size, cells)
        for move in (move for move, stone in enumerate(cells) if not stone):
            for player in range(2):
                codes = [twin_code(cells, size, move, d, player, rule) for d in range(4)]
                found = board["classes"][2 * cell_of(move, size) + player]
                assert found == class_by_definition(codes)


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_stones_put_and_lifted_leave_everything_as_found_anew(rule: Rule) -> None:
    size, rng = 15, random.Random(4)
    cells = bytearray(random_cells(1, size, 24))
    board, other = board_of(rule, size, bytes(cells)), board_of(rule, size, bytes(cells))
    start = kept(board)
    played = []
    for ply in range(12):
        move = rng.choice([m for m, stone in enumerate(cells) if not stone])
        cells[move] = 1 + ply % 2
        played.append(move)
        put_stone(board, cell_of(move, size), ply % 2)
        put(other, bytes(cells), played)
        find_near(other)
        for name, array in kept(other).items():
            assert np.array_equal(kept(board)[name], array), name
        words = slice(int(board["first_word"]), int(board["last_word"]) + 1)
        near = [
            each["near_sets"].reshape(-1, WORDS)[int(each["stones"])][words]
            for each in (board, other)
        ]
        assert np.array_equal(*near)
    for _ in played:
        undo(board)
    for name, array in kept(board).items():
        assert np.array_equal(start[name], array), name


def test_sets_and_counts_hold_the_empty_points_of_each_class() -> None:
    size, cells = 15, random_cells(2, 15, 40)
    board = board_of("freestyle", size, cells)
    for player in range(2):
        for kind in range(CLASSES):
            points = [
                cell_of(move, size)
                for move, stone in enumerate(cells)
                if not stone and board["classes"][2 * cell_of(move, size) + player] == kind
            ]
            assert count_of(board, player, kind) == len(points)
            assert first_of(board, player, kind) == (points[0] if points else 0)
