"""Cells of a board by column and row, both from 0 at the top left, and the moves onto them."""

from __future__ import annotations

from arena.game import Game, Move


def move_to(game: Game, column: int, row: int) -> Move:
    """The move that puts a stone there; ValueError if it is off the board, or pieces move."""
    return game.parse(f"{row},{column}")


def column_and_row(game: Game, move: Move) -> tuple[int, int]:
    """The mirror of `move_to`; ValueError for the move of a piece."""
    text = game.text(move)
    try:
        row, column = map(int, text.split(","))
    except ValueError:
        message = f"{text} is the move of a piece, and only stones can be written"
        raise ValueError(message) from None
    return column, row
