"""Openings written in a line, the mirrors of LINE_READERS of `arena.records.written`."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from arena.game import Game, Move


def moves_text(game: Game, moves: Sequence[Move]) -> str:
    return " ".join(map(game.text, moves))


def offsets_text(game: Game, moves: Sequence[Move]) -> str:
    centre = game.size // 2
    cells = (column_and_row(game, move) for move in moves)
    return ", ".join(f"{column - centre},{row - centre}" for column, row in cells)


def pos_text(game: Game, moves: Sequence[Move]) -> str:
    cells = (column_and_row(game, move) for move in moves)
    return "".join(f"{ascii_lowercase[column]}{row + 1}" for column, row in cells)


def column_and_row(game: Game, move: Move) -> tuple[int, int]:
    row, column = map(int, game.text(move).split(","))
    return column, row


LINE_WRITERS = {"lines": moves_text, "offset": offsets_text, "pos": pos_text}
