"""Shape tables and line splits against the specification's words and examples."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import chain, product
from typing import Any

import pytest
from support.sweep import cases, sampled
from twins.boards import new_board
from twins.search import near_code
from twins.shapes import NAMES, line_shapes, point_code, sets

from arena.engines.kit.shapes.table import EXACT, Rule, reach, shape_table, split

RULES: list[Rule] = ["freestyle", "standard", "renju"]


def key_of(line: str, cell: int, cells_each_way: int, own: str = "X") -> int:
    """The table's key of a cell; `own` is the first player's letter."""
    key = 0
    for step in range(1, cells_each_way + 1):
        for slot, where in ((2 * step - 2, cell - step), (2 * step - 1, cell + step)):
            on_line = 0 <= where < len(line)
            state = 3 if not on_line else 0 if line[where] == "_" else 1 + (line[where] != own)
            key |= state << 2 * slot
    return key


def bits(line: str, letters: str) -> int:
    return sum(1 << 2 * cell for cell, content in enumerate(line) if content in letters)


def kernel_split(board: Any, line: str, exact: bool) -> tuple[int, ...]:
    beyond = sum(1 << 2 * cell for cell in range(len(line), 31))
    counts = split(board, bits(line, "X"), bits(line, "O") | beyond, int(exact))
    return (0, *(counts >> 5 * rank & 31 for rank in range(9)))


def random_line(rng: random.Random, low: int, high: int) -> str:
    weights = (rng.randint(1, 8), rng.randint(1, 8), rng.random())
    return "".join(rng.choices("_XO", weights, k=rng.randint(low, high)))


def short_lines(longest: int) -> list[str]:
    return ["".join(line) for n in range(1, longest + 1) for line in product("_XO", repeat=n)]


@pytest.mark.parametrize("exact", [False, True])
def test_points_of_short_lines(exact: bool) -> None:
    for line in short_lines(6):
        for cell in range(len(line)):
            check_point(line, cell, exact, point_code)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("first", "_XO")
def test_points_of_all_lines_up_to_nine(exact: bool, first: str) -> None:
    """Every table's half that has this meaning of five: all rules and colours together."""
    for length in range(9):
        for rest in sampled(product("_XO", repeat=length)):
            line = first + "".join(rest)
            for cell in range(length + 1):
                check_point(line, cell, exact, point_code)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_points_of_many_long_lines(exact: bool, seed: int) -> None:
    """All cells by what is near, which is quicker; one cell a line by the whole of it."""
    rng = random.Random(seed)
    for _ in range(cases(25_000)):
        line = random_line(rng, 10, 25)
        check_point(line, rng.randrange(len(line)), exact, point_code)
        for cell in range(len(line)):
            check_point(line, cell, exact, code_from_near)


def code_from_near(line: str, cell: int, exact: bool) -> int:
    """The twin's answer from five cells each way."""
    return near_code(("OOOOO" + line + "OOOOO")[cell : cell + 11], 5, exact)


def check_point(line: str, cell: int, exact: bool, twin: Callable[[str, int, bool], int]) -> None:
    """One cell of a line, against every table and player with this meaning."""
    if line[cell] == "O":
        return
    expected = twin(line, cell, exact)
    for rule in RULES:
        for player in range(2):
            if EXACT[rule][player] == exact:
                key = key_of(line, cell, reach(rule), "XO"[player])
                code = int(shape_table(rule)[key]) >> 4 * player & 15
                assert code == expected, (line, cell, rule, player)


@pytest.mark.parametrize("exact", [False, True])
def test_local_neighbourhood_decides_a_point(exact: bool) -> None:
    """The twin itself: what lies beyond five cells is no matter."""
    rng = random.Random(2)
    for _ in range(500):
        line = random_line(rng, 11, 25)
        cell = rng.randrange(len(line))
        assert point_code(line, cell, exact) == code_from_near(line, cell, exact)


@pytest.mark.parametrize("exact", [False, True])
def test_splits_of_short_lines(exact: bool) -> None:
    board = new_board(9)
    for line in short_lines(7):
        assert kernel_split(board, line, exact) == line_shapes(line, exact), line


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("exact", [False, True])
def test_splits_of_all_lines_of_eight_and_nine(exact: bool) -> None:
    board = new_board(9)
    for cells in sampled(chain(product("_XO", repeat=8), product("_XO", repeat=9))):
        line = "".join(cells)
        assert kernel_split(board, line, exact) == line_shapes(line, exact), line


@pytest.mark.parametrize("exact", [False, True])
def test_splits_of_random_long_lines(exact: bool) -> None:
    board, rng = new_board(25), random.Random(3)
    for _ in range(400):
        line = random_line(rng, 9, 25)
        assert kernel_split(board, line, exact) == line_shapes(line, exact), line


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_splits_of_many_long_lines(exact: bool, seed: int) -> None:
    board, rng = new_board(25), random.Random(100 + seed)
    for _ in range(cases(25_000)):
        line = random_line(rng, 10, 25)
        assert kernel_split(board, line, exact) == line_shapes(line, exact), line


EXAMPLES = [
    ("O_XXX_O", False, {"rush three": 1}),
    ("O__XXX_O", False, {"live three": 1}),
    ("_XX_", False, {}),
    ("OXXXX_X", True, {}),
    ("XXXXXX", True, {}),
    ("_XXXX_X", True, {"rush four": 1}),
    ("_XXXX_X", False, {"live four": 1}),
    ("X_XXX_X", False, {"live four": 1}),
    ("X_XXX_X", True, {"live four": 1}),
    ("OXX_XXXO", False, {"rush four": 1}),
    ("XXX_X_XXX", False, {"live four": 1}),
]


@pytest.mark.parametrize(("line", "exact", "shapes"), EXAMPLES)
def test_examples(line: str, exact: bool, shapes: dict[str, int]) -> None:
    expected = tuple(shapes.get(name, 0) for name in NAMES)
    assert line_shapes(line, exact) == expected
    assert kernel_split(new_board(9), line, exact) == expected


@pytest.mark.slow
@pytest.mark.parametrize("exact", [False, True])
def test_shapes_are_so_many_moves_from_a_five(exact: bool) -> None:
    """Four: one move from five; live k: one from live k + 1; rush k: one from rush k + 1."""
    for cells in product("_XO", repeat=9):
        line = "".join(cells)
        if line[4] == "X":
            ranks = [rank for stones, rank in sets(line, exact).items() if 4 in stones]
            found = [rank for rank in range(1, 10) if is_shape(line, 4, rank, exact)]
            assert max(ranks, default=0) == max(found, default=0), line


def is_shape(line: str, cell: int, rank: int, exact: bool) -> bool:
    """True if the stone is in a shape of this rank, found by adding stones."""
    if rank == 9:
        return made_five(line, cell, exact)
    grown = [line[:c] + "X" + line[c + 1 :] for c in range(len(line)) if line[c] == "_"]
    completed = [new for new in grown if made_five(new, cell, exact)]
    if rank == 7:
        return bool(completed)
    if rank == 8:
        return straight_four(line, cell, exact)
    return any(is_shape(new, cell, rank + 2, exact) for new in grown)


def made_five(line: str, cell: int, exact: bool) -> bool:
    """True if the stone stands in five, or more where that counts, without a gap."""
    first = last = cell
    while first > 0 and line[first - 1] == "X":
        first -= 1
    while last < len(line) - 1 and line[last + 1] == "X":
        last += 1
    return last - first == 4 or (last - first > 4 and not exact)


def straight_four(line: str, cell: int, exact: bool) -> bool:
    """True if the stone stands in four without a gap, either end making five."""
    for first in range(max(1, cell - 3), min(cell, len(line) - 5) + 1):
        if line[first - 1 : first + 5] == "_XXXX_":
            ends = (
                line[: first - 1] + "X" + line[first:],
                line[: first + 4] + "X" + line[first + 5 :],
            )
            return all(made_five(new, cell, exact) for new in ends)
    return False
