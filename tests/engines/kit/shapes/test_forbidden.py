"""The kit's forbidden points against the referee's, on boards that are made to have many."""

from __future__ import annotations

import json
import random
from collections import Counter

import numpy as np
import pytest
from support.samples import ROOT
from support.sweep import cases
from twins.boards import new_board

from arena.engines.kit.shapes.board import put
from arena.engines.kit.shapes.candidates import forbidden_points
from arena.game import Position
from arena.games.renju import BLACK, REACH, Renju, five_or_foul, line_made, walled

DATA = json.loads((ROOT / "tests/data" / "renju_forbidden.json").read_text())
SIZE = 15
GAME = Renju()
BOARD = new_board(SIZE, "renju")


def kernel_points(cells: bytes) -> list[int]:
    """The moves that are forbidden to Black, by the kernel; it leaves the board as it was."""
    points = np.zeros(SIZE * SIZE, bool)
    put(BOARD, cells, ())
    before = BOARD["keys"].tobytes()
    forbidden_points(BOARD, points)
    assert BOARD["keys"].tobytes() == before
    return [int(move) for move in np.flatnonzero(points)]


def referee_kinds(cells: bytes) -> dict[int, str]:
    p = Position(cells, 1)
    kinds = {move: GAME.forbidden(p, move) for move, stone in enumerate(cells) if not stone}
    return {move: kind for move, kind in kinds.items() if kind}


def crowd(rng: random.Random) -> bytes:
    """Stones within a square of five to nine rows, anywhere, over the edge as well."""
    cells, reach = bytearray(SIZE * SIZE), rng.randint(2, 4)
    row, column = rng.randrange(SIZE), rng.randrange(SIZE)
    points = [
        y * SIZE + x
        for y in range(max(0, row - reach), min(SIZE, row + reach + 1))
        for x in range(max(0, column - reach), min(SIZE, column + reach + 1))
    ]
    black = rng.uniform(0.5, 0.95)
    for move in rng.sample(points, rng.randint(len(points) // 8, 2 * len(points) // 3)):
        cells[move] = 1 if rng.random() < black else 2
    return bytes(cells)


def full_lines(rng: random.Random) -> bytes:
    """A few lines in which hardly a point is empty, and some stones beside them."""
    cells = bytearray(SIZE * SIZE)
    for _ in range(rng.randint(2, 6)):
        down, right = rng.choice(((0, 1), (1, 0), (1, 1), (1, -1)))
        row, column = rng.randrange(SIZE), rng.randrange(SIZE)
        for _ in range(rng.randint(5, SIZE)):
            if 0 <= row < SIZE and 0 <= column < SIZE:
                cells[row * SIZE + column] = rng.choice((0, 1, 1, 1, 1, 2))
            row, column = row + down, column + right
    for _ in range(rng.randint(0, 12)):
        cells[rng.randrange(SIZE * SIZE)] = rng.randint(1, 2)
    return bytes(cells)


def scattered(rng: random.Random) -> bytes:
    """Threes that cross, with room for them: hardly any white stones."""
    cells = bytearray(SIZE * SIZE)
    reach = rng.randint(3, 5)
    for number in range(rng.randint(6, 24)):
        row, column = (7 + rng.randint(-reach, reach) for _ in range(2))
        cells[row * SIZE + column] = 2 if number % 8 == 7 else 1
    return bytes(cells)


def refused(cells: bytes, move: int) -> set[str]:
    """The verdicts that keep a free point's threes from becoming straight fours."""
    stride = SIZE + REACH
    steps = (1, stride, stride + 1, stride - 1)
    board = walled(cells, SIZE)
    cell = (move // SIZE + REACH) * stride + move % SIZE + REACH
    lines = {s: line_made(board[cell - REACH * s : cell + REACH * s + 1 : s]) for s in steps}
    threes = {step: made.straight for step, made in lines.items() if made and made.straight}
    if len(threes) < 2 or five_or_foul(board, cell, steps):
        return set()
    grown = board[:cell] + BLACK + board[cell + 1 :]
    found = {five_or_foul(grown, cell + k * step, steps) for step in threes for k in threes[step]}
    return {f"refused by {what}" for what in found if what}


def compare(boards: int, seed: int) -> Counter[str]:
    """The kinds of forbidden points met, and of those that only look forbidden."""
    rng, kinds = random.Random(seed), Counter[str]()
    for number in range(boards):
        cells = (crowd, full_lines, scattered)[number % 3](rng)
        expected = referee_kinds(cells)
        assert kernel_points(cells) == sorted(expected), (seed, number)
        kinds.update(expected.values())
        free = [move for move, stone in enumerate(cells) if not stone and move not in expected]
        kinds.update(what for move in free for what in refused(cells, move))
    return kinds


ALL = {"overline", "double-four", "double-three"}
ALL |= {f"refused by {kind}" for kind in (*ALL, "five")}


@pytest.mark.slow
def test_forbidden_points_equal_the_referees_on_some_boards() -> None:
    assert set(compare(300, seed=0)) == ALL


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(1, 5))
def test_forbidden_points_equal_the_referees_on_twenty_thousand_boards(seed: int) -> None:
    kinds = compare(cases(5_000), seed)
    assert all(kinds[kind] > cases(20) for kind in ALL), kinds


def test_forbidden_points_of_published_positions() -> None:
    for case in DATA["cases"]:
        cells = bytearray(SIZE * SIZE)
        for number, (column, row) in enumerate(case["moves"]):
            cells[row * SIZE + column] = 1 + number % 2
        assert kernel_points(bytes(cells)) == sorted(y * SIZE + x for x, y in case["forbidden"])
