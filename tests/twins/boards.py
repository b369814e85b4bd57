"""Boards and weights that the tests of the shapes' kit share."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from twins.shapes import line_shapes, point_code, rank_weights

from arena.engines.kit import record
from arena.engines.kit.shapes.table import EXACT, Rule, cell_of
from arena.games.gomoku import Gomoku
from arena.games.renju import Renju

WEIGHTS = {
    "five": 1_000_000,
    "live_four": 100_003,
    "rush_four": 10_007,
    "live_three": 10_037,
    "rush_three": 1_013,
    "live_two": 1_019,
    "rush_two": 101,
    "one": 11,
}
"""Different enough that sums of them tell the shapes apart."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def game_of(rule: Rule, size: int = 15) -> Gomoku:
    return Renju(size) if rule == "renju" else Gomoku("gomoku", size, 5, rule)


def new_board(size: int, rule: Rule = "freestyle", lines: bool = True) -> Any:
    weights = rank_weights(WEIGHTS)
    return record.new_board(size, rule, weights, with_lines=lines, with_classes=True)


def random_cells(seed: int, size: int, stones: int) -> bytes:
    """A board with the players' stones, in turn, mostly near the centre."""
    rng = random.Random(seed)
    cells = bytearray(size * size)
    for index in range(stones):
        move = -1
        while move < 0 or cells[move]:
            row, column = (int(rng.gauss(size / 2, size / 6)) for _ in range(2))
            if not (0 <= row < size and 0 <= column < size):
                continue
            move = row * size + column if rng.random() < 0.9 else rng.randrange(size * size)
        cells[move] = 1 + index % 2
    return bytes(cells)


def line_through(size: int, move: int, direction: tuple[int, int]) -> list[int]:
    """The moves of the whole line through a move, in order."""
    row, column = divmod(move, size)
    down, right = direction
    places = [(row + k * down, column + k * right) for k in range(-size, size + 1)]
    return [r * size + c for r, c in places if 0 <= r < size and 0 <= c < size]


def text_of(cells: bytes, line: list[int], player: int) -> str:
    """A line as the twin reads it: `X` is the player's."""
    return "".join("_OX"[(cells[m] == player + 1) * 2 or (cells[m] > 0)] for m in line)


def twin_code(cells: bytes, size: int, move: int, direction: int, player: int, rule: Rule) -> int:
    line = line_through(size, move, DIRECTIONS[direction])
    text = text_of(cells, line, player)
    return point_code(text, line.index(move), EXACT[rule][player])


def twin_value(cells: bytes, size: int, move: int, player: int, rule: Rule) -> int:
    weights = rank_weights(WEIGHTS)
    return sum(weights[twin_code(cells, size, move, d, player, rule)] for d in range(4))


def twin_total(cells: bytes, size: int, player: int, rule: Rule) -> int:
    moves = [move for move in range(size * size) if cells[move] == player + 1]
    return sum(twin_value(cells, size, move, player, rule) for move in moves)


def twin_line_total(cells: bytes, size: int, player: int, rule: Rule) -> int:
    weights = rank_weights(WEIGHTS)
    lines = {
        tuple(line_through(size, move, direction))
        for move in range(size * size)
        for direction in DIRECTIONS
    }
    return sum(
        weights[rank] * count
        for line in lines
        for rank, count in enumerate(
            line_shapes(text_of(cells, list(line), player), EXACT[rule][player])
        )
    )


def kept_state(board: Any) -> dict[str, Any]:
    """Everything that a board keeps about its stones, off-board cells left out."""
    size = int(board["size"])
    rows = [cell_of(row * size, size) for row in range(size)]
    on = np.array([cell for first in rows for cell in range(first, first + size)])
    empty = np.flatnonzero(board["cells"] == 0)
    return {
        "cells": board["cells"][on].tolist(),
        "codes": board["codes"].reshape(-1, 4)[empty].tolist(),
        "marks": board["marks"][empty].tolist(),
        "keys": board["keys"].reshape(-1, 4)[on].tolist(),
        "values": board["values"][on].tolist(),
        "total": int(board["total"]),
        "line_total": int(board["line_total"]),
        "lines": board["lines"].tolist(),
        "line_values": board["line_values"].tolist(),
        "class_counts": board["class_counts"].tolist(),
        "class_sets": board["class_sets"].tolist(),
        "key": int(board["key"]),
        "stones": int(board["stones"]),
        "changes": (int(board["changes"]), int(board["moved"])),
    }
