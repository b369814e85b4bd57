"""The line that wins a game, found on its last board."""

from __future__ import annotations

from collections.abc import Iterator

from arena.games.gomoku import DIRECTIONS


def won_line(cells: bytes, size: int, k: int, last: int) -> list[int]:
    """The cells of all rows of k or more through the last stone, in ascending order."""
    found: set[int] = set()
    for down, right in DIRECTIONS:
        back = run_of(cells, size, last, -down, -right)
        row = [*back, last, *run_of(cells, size, last, down, right)]
        if len(row) >= k:
            found.update(row)
    return sorted(found)


def run_of(cells: bytes, size: int, cell: int, down: int, right: int) -> Iterator[int]:
    """The stones like that on the cell, one after the other in a direction."""
    row, column = divmod(cell, size)
    while True:
        row, column = row + down, column + right
        if not (0 <= row < size and 0 <= column < size):
            return
        if cells[row * size + column] != cells[cell]:
            return
        yield row * size + column
