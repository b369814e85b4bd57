"""The grids of both families of boards: every move has its cell, and no step crosses an edge."""

from __future__ import annotations

from types import ModuleType

import pytest

from arena.engines.kit import MAX_SIZE
from arena.engines.kit.shapes import table
from arena.engines.kit.windows import board

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

both = pytest.mark.parametrize(("grid", "reach"), [(board, 4), (table, 5)])


@both
@pytest.mark.parametrize("size", [5, 15, MAX_SIZE])
def test_every_move_has_a_cell_of_its_own(grid: ModuleType, reach: int, size: int) -> None:
    cells = [grid.cell_of(move, size) for move in range(size * size)]
    assert len({*cells}) == size * size
    assert 0 <= min(cells) <= max(cells) < grid.CELLS
    assert [grid.move_of(cell, size) for cell in cells] == [*range(size * size)]


@both
@pytest.mark.parametrize("size", [5, MAX_SIZE])
def test_steps_lead_to_neighbours_or_off_the_board(grid: ModuleType, reach: int, size: int) -> None:
    """Antidiagonals may be walked either way."""
    cells = {grid.cell_of(move, size): divmod(move, size) for move in range(size * size)}
    for cell, (row, column) in cells.items():
        for step, (down, right) in zip(grid.STEPS, DIRECTIONS, strict=True):
            sign = 1 if (step > 0) == (down > 0 or right > 0) else -1
            for k in range(-reach, reach + 1):
                there = (row + sign * k * down, column + sign * k * right)
                expected = there if all(0 <= at < size for at in there) else None
                assert cells.get(cell + k * int(step)) == expected
