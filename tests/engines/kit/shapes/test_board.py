"""The board record: what it keeps equals the twin, and undoing leaves no trace."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from twins.boards import (
    kept_state,
    new_board,
    random_cells,
    twin_code,
    twin_line_total,
    twin_total,
    twin_value,
)

from arena.engines.kit import record
from arena.engines.kit.shapes.board import half, play, put, undo
from arena.engines.kit.shapes.codes import MOST_CHANGES, MOVE_WEIGHTS, WEIGHTS, Tables
from arena.engines.kit.shapes.table import RANKS, Rule, cell_of, move_of

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


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
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


def test_swapping_colours_swaps_the_pairs() -> None:
    board = empty_board(15, "standard")
    cells = random_cells(5, 15, 40)
    put(board, cells, ())
    pairs = [int(board[name]) for name in ("total", "line_total")]
    put(board, bytes((3 - c) % 3 for c in cells), ())
    swapped = [int(board[name]) for name in ("total", "line_total")]
    assert swapped == [half(pair, 1) + (half(pair, 0) << 32) for pair in pairs]
