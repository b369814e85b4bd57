"""A board in one record: the gain of every empty cell, kept up to date as stones come and go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.engine import Limit
from arena.game import Move, Position
from arena.jit import kernel

from .. import DEEP, ROUNDS
from ..clock import LIMITS, UNLIMITED, begin
from .tables import (
    CELLS,
    EMPTY,
    FLIP,
    LINE_OF,
    LINES,
    NEIGHBOURHOODS,
    PADDING,
    SHIFT_OF,
    STEPS,
    STRIDE,
    WORDS,
    add_neighbour_effects,
    board_flags,
    cell_of,
    empty_gains,
    empty_lines,
    fives,
    move_of,
    near_cells,
    window_gains,
    word_set,
)

MAX_DEPTH = 20
PLIES = MAX_DEPTH + 1
"""The longest line of play."""
TABLE = 1 << 18
"""Number of entries of the transposition table: 6 MB."""
CENTRE = np.uint64(8)
"""Number of bits of a line before the cell that its shift is for."""
TWO, THREE = np.uint64(2), np.uint64(3)

STATE = np.dtype(
    [
        # What the game and the weights decide.
        ("effects", np.int64, 2 * NEIGHBOURHOODS * 8),
        ("fives", np.uint8, NEIGHBOURHOODS),
        ("near", np.uint64, CELLS * WORDS),
        ("words", np.int64),
        ("exact", np.int64),
        # The board.
        ("lines", np.uint64, LINES),
        ("gains", np.int64, CELLS + 2 * PADDING),
        ("empty", np.uint64, WORDS),
        # The search: one row a ply, then the transposition table.
        ("candidates", np.uint64, PLIES * WORDS),
        ("moves", np.int64, PLIES * CELLS),
        ("values", np.int64, PLIES),
        ("table_keys", np.uint64, TABLE),
        ("table_values", np.int64, TABLE),
        ("table_notes", np.int64, TABLE),
        ("generation", np.int64),
        ("dropped", np.int64),
        ("best", np.int64),
        ("move", np.int64),
        *LIMITS,
    ],
    align=True,
)


class Board:
    """The record of one engine, and the parts of an empty board to put into it."""

    def __init__(self, size: int, radius: int, exact: bool, scores: NDArray[np.int64]) -> None:
        gains = window_gains(scores)
        self.size = size
        self.state = state = np.zeros(1, STATE)[0]
        add_neighbour_effects(state["effects"], gains)
        state["fives"] = fives()
        state["near"] = near_cells(size, radius).ravel()
        state["words"] = cell_of(size * size - 1, size) // 64 + 1
        state["exact"] = exact
        self.lines = empty_lines(size)
        self.gains = empty_gains(size, gains)
        self.cells = word_set(board_flags(size))
        self.centre = word_set(np.arange(CELLS) == cell_of(size // 2 * (size + 1), size))

    def set(self, cells: bytes, turn: int, limit: Limit = UNLIMITED) -> int:
        """Set up a position as the side to move sees it, and begin to count; its score."""
        state = self.state
        begin(state, limit)
        state["lines"] = self.lines
        state["gains"] = self.gains
        state["empty"] = self.cells
        state["candidates"][:WORDS] = 0 if any(cells) else self.centre
        state["generation"] += 1
        return int(put_stones(state, np.frombuffer(cells, np.uint8), self.size, turn))

    @property
    def move(self) -> int:
        """The move that the last search found."""
        return move_of(int(self.state["move"]), self.size)

    def play_undo(self, p: Position, moves: Sequence[Move]) -> int:
        """Play stones and take them back: the work that `benchmarks.play_undo` times."""
        self.set(p.cells, p.turn)
        cells = np.array([cell_of(move, self.size) for move in moves])
        return int(play_and_undo(self.state, cells))


@kernel
def put_stones(state: Any, cells: Any, size: int, turn: int) -> int:
    """Play all stones of a position on an empty board; its score."""
    score = 0
    for row in range(size):
        for column in range(size):
            stone = cells[row * size + column]
            if stone:
                cell, side = row * STRIDE + column, 0 if stone == turn else 1
                score += gain(state, cell, side) * (1 - 2 * side)
                play(state, cell, side)
                spread(state, 0, 0, cell)
    return score


@kernel
def gain(state: Any, cell: int, side: int) -> int:
    """The change of the score, from the side's point of view, that its stone would make."""
    pair = state.gains[np.uint64(cell + PADDING)]
    # A negative low half has borrowed one from the high half.
    return int(pair + (side << 31)) >> (side << 5) << 32 >> 32


@kernel
def play(state: Any, cell: int, side: int) -> int:
    """Put a stone on an empty cell; 1 if it makes a five that wins under the game's rule, or 0."""
    made = 0
    for direction in range(4):
        at = np.uint64(4 * cell + direction)
        line, shift = LINE_OF[at], SHIFT_OF[at]
        word = state.lines[line]
        around = neighbourhood(word, shift)
        made |= state.fives[around]
        state.lines[line] = word ^ (FLIP[side] << (shift + CENTRE))
        change_gains(state, cell, side, direction, around, 1)
    state.empty[cell >> 6] ^= np.uint64(1) << np.uint64(cell & 63)
    if made >> side & 1 and state.exact:
        return has_exact_five(state, cell, side)
    return made >> side & 1


@kernel
def undo(state: Any, cell: int, side: int) -> None:
    """Take back the stone that was played last."""
    for direction in range(4):
        at = np.uint64(4 * cell + direction)
        line, shift = LINE_OF[at], SHIFT_OF[at]
        word = state.lines[line] ^ (FLIP[side] << (shift + CENTRE))
        state.lines[line] = word
        change_gains(state, cell, side, direction, neighbourhood(word, shift), -1)
    state.empty[cell >> 6] ^= np.uint64(1) << np.uint64(cell & 63)


@kernel
def play_and_undo(state: Any, cells: Any) -> int:
    """Play DEEP of the cells, by both sides in turn, take them back, and so on, ROUNDS times."""
    for first in range(ROUNDS):
        for index in range(DEEP):
            play(state, cells[(first + index) % cells.size], index & 1)
        for index in range(DEEP - 1, -1, -1):
            undo(state, cells[(first + index) % cells.size], index & 1)
    return ROUNDS * DEEP


@kernel
def neighbourhood(line: Any, shift: Any) -> Any:
    """The four cells of a line before a cell and the four after it: two bytes."""
    word = line >> shift
    return (word & np.uint64(0xFF)) | ((word >> np.uint64(2)) & np.uint64(0xFF00))


@kernel
def change_gains(state: Any, cell: int, side: int, direction: int, around: Any, sign: int) -> None:
    """Add a stone's effect on the gains of its neighbours in one direction, or take it off."""
    row = (np.uint64(side * NEIGHBOURHOODS) + around) * np.uint64(8)
    step = STEPS[direction]
    for lane in range(4):
        before = np.uint64(cell + PADDING + (lane - 4) * step)
        after = np.uint64(cell + PADDING + (lane + 1) * step)
        state.gains[before] += sign * state.effects[row + np.uint64(lane)]
        state.gains[after] += sign * state.effects[row + np.uint64(lane + 4)]


@kernel
def spread(state: Any, ply: int, next_ply: int, cell: int) -> None:
    """The candidates after the stone just played, from those before it."""
    for word in range(WORDS):
        reached = state.candidates[ply * WORDS + word] | state.near[cell * WORDS + word]
        state.candidates[next_ply * WORDS + word] = reached & state.empty[word]


@kernel
def may_make_five(state: Any, cell: int, side: int) -> int:
    """1 if a stone on an empty cell would make five or more in a line, or 0."""
    made = 0
    for direction in range(4):
        at = np.uint64(4 * cell + direction)
        made |= state.fives[neighbourhood(state.lines[LINE_OF[at]], SHIFT_OF[at])]
    return made >> side & 1


@kernel
def has_exact_five(state: Any, cell: int, side: int) -> int:
    """1 if five stones and no more are in a line with this one, or 0."""
    stone = np.uint64(EMPTY) ^ FLIP[side]
    for direction in range(4):
        at = np.uint64(4 * cell + direction)
        line, first = state.lines[LINE_OF[at]], SHIFT_OF[at] + CENTRE
        last = first
        while (line >> (first - TWO)) & THREE == stone:
            first -= TWO
        while (line >> (last + TWO)) & THREE == stone:
            last += TWO
        if last - first == 8:
            return 1
    return 0
