"""The static value of any position by its shapes: what searches see at leaves, without a search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.engine import Evaluation
from arena.game import Position
from arena.games.gomoku import Gomoku
from arena.jit import kernel

from .record import new_board
from .selective.positions import static_value
from .shapes.table import MARGIN, OFFSETS, RANK_NAMES, STRIDE, int64, line_value, rank_weights


def shape_evaluation(game: Gomoku, parameters: Mapping[str, Any], **options: float) -> Evaluation:
    """The evaluation of an engine with these parameters; `options` are fields of its record."""
    weights = rank_weights(*(parameters[name] for name in RANK_NAMES))
    if parameters["search"] == "selective":
        options["initiative"] = parameters["initiative"]
    # Kernels take an array of one record in a third of a microsecond, and the record itself in 25:
    # then numpy spells out all its fields.
    boards = new_board(game.size, game.rule, weights, **options).base

    def evaluation(p: Position) -> int:
        return int(_value_to(boards, p.cells, p.turn - 1))

    return evaluation


@kernel
def _value_to(boards: Any, cells: Any, player: int) -> int:
    """The value to the player of a game's cells, with it at the root; the board is empty."""
    b = boards[0]
    b.root_player = player
    if b.with_lines:
        b.line_total = _total_of_lines(b, cells)
    else:
        b.total = _total_of_stones(b, cells)
    return static_value(b, player)


@kernel
def _total_of_lines(b: Any, cells: Any) -> int:
    """The pair of line totals, found without playing the stones."""
    _flip_all(b, cells)
    total = int64(0)
    for line in range(6 * b.size):
        total += line_value(b, b.lines[line])
    _flip_all(b, cells)
    return total


@kernel
def _flip_all(b: Any, cells: Any) -> None:
    for move in range(b.size * b.size):
        if cells[move]:
            at = 4 * ((MARGIN + move // b.size) * STRIDE + MARGIN + move % b.size)
            for slot in range(at, at + 4):
                b.lines[b.line_of[slot]] ^= int64(cells[move]) << b.shift_of[slot]


@kernel
def _total_of_stones(b: Any, cells: Any) -> int:
    """The pair of stones' totals, found without playing the stones."""
    for move in range(b.size * b.size):
        b.cells[(MARGIN + move // b.size) * STRIDE + MARGIN + move % b.size] = cells[move]
    total = int64(0)
    for move in range(b.size * b.size):
        if cells[move]:
            cell = (MARGIN + move // b.size) * STRIDE + MARGIN + move % b.size
            for direction in range(4):
                codes = int64(b.shapes[_key_at(b, cell, direction)])
                player = int64(cells[move]) - 1
                total += b.rank_weights[codes >> 4 * player & 15] << 32 * player
    return total


@kernel
def _key_at(b: Any, cell: int, direction: int) -> int:
    """The key of a cell's neighbours in a direction, read from the cells."""
    key = int64(0)
    for slot in range(2 * b.reach):
        state = min(int64(b.cells[cell + OFFSETS[10 * direction + slot]]), 3)
        key |= state << 2 * slot
    return key
