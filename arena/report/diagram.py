"""A position as text, in box-drawing characters."""

from __future__ import annotations

from arena.game import Game, Position

STONES = "●○"
CORNERS = {(0, 0): "┌", (0, 2): "┐", (2, 0): "└", (2, 2): "┘"}
EDGES = {(0, 1): "┬", (1, 0): "├", (1, 2): "┤", (2, 1): "┴", (1, 1): "┼"}
LINES = CORNERS | EDGES


def diagram(game: Game, p: Position) -> str:
    """The board, row and column numbers around it, the last move in brackets."""
    size = game.size
    last = None if p.last is None else p.last % size**2
    rows = (row_text(p, size, row, last) for row in range(size))
    return "\n".join([*column_numbers(size), *rows])


def column_numbers(size: int) -> list[str]:
    """The tens, if there are any, above the ones."""
    tens = "    " + " ".join(str(column // 10 or " ") for column in range(size))
    ones = "    " + " ".join(str(column % 10) for column in range(size))
    return [tens, ones] if size > 10 else [ones]


def row_text(p: Position, size: int, row: int, last: int | None) -> str:
    """One row: a character for each point, and one between two points."""
    text = f"{row:2d} "
    for column in range(size):
        cell = row * size + column
        if cell == last:
            text += "("
        elif column and last == cell - 1:
            text += ")"
        else:
            text += "─" if column else " "
        stone = p.cells[cell]
        text += STONES[stone - 1] if stone else LINES[third(row, size), third(column, size)]
    return text + (")" if last == row * size + size - 1 else "")


def third(index: int, size: int) -> int:
    """0 at the near edge of the board, 2 at the far one, 1 between."""
    return 0 if index == 0 else 2 if index == size - 1 else 1
