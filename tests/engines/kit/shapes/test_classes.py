"""Classes of points kept from move to move equal those found anew."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from twins.boards import game_of, random_cells, twin_code

from arena.engines import balance
from arena.engines.kit.selective.moves import find_near, put_stone
from arena.engines.kit.shapes.board import count_of, first_of, put, undo
from arena.engines.kit.shapes.codes import WORDS
from arena.engines.kit.shapes.table import CELLS, CLASSES, ONE_FIVE, TWO_FOURS, Rule, cell_of

KEPT = ["class_sets", "class_counts", "cells", "total", "line_total", "key", "stones"]
KEPT_OF_EMPTY_POINTS = ["marks", "classes", "values", "codes"]


def board_of(rule: Rule, size: int, cells: bytes) -> Any:
    """A board with these stones, and the points near them."""
    board = balance.engine(game_of(rule, size), search="selective").board
    put(board, cells, ())
    find_near(board)
    return board


def kept(board: Any) -> dict[str, Any]:
    """Copies of all that must be equal."""
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


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
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
