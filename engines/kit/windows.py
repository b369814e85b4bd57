"""Windows of five cells: a board that keeps every cell's gain, its score, and searches over it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.engine import Evaluation, Limit
from arena.game import Move, Position
from arena.jit import kernel

from . import DEEP, MAX_SIZE, ROUNDS
from .bits import highest, lowest
from .bounds import INFINITY, bound_kind, settles
from .clock import LIMITS, UNLIMITED, begin, is_over, visit
from .grid import Grid, stone_keys


def window_evaluation(size: int, scores: NDArray[np.int64]) -> Evaluation:
    """The evaluation with these scores of window codes, the mover's side being side 0."""
    empty = _empty_lines(size)

    def evaluation(p: Position) -> int:
        return int(_window_sum(empty, scores, p.cells, size, p.turn))

    return evaluation


@kernel
def _window_sum(empty: Any, scores: Any, cells: Any, size: int, turn: int) -> int:
    """The sum over all windows of a game's cells; `empty` are the lines of an empty board."""
    lines = empty.copy()
    for move in range(size * size):
        if cells[move]:
            flip = FLIP[0 if cells[move] == turn else 1]
            at = 4 * (move // size * STRIDE + move % size)
            for slot in range(at, at + 4):
                lines[LINE_OF[slot]] ^= flip << (SHIFT_OF[slot] + np.uint64(8))
    total = 0
    for line in range(lines.size):
        word = lines[line]
        while word:
            total += scores[word & CODE]
            word >>= np.uint64(2)
    return total


STRIDE = MAX_SIZE + 4  # four cells off the board end each row and begin the next
CELLS = MAX_SIZE * STRIDE
WORDS = (CELLS + 63) // 64  # 64-bit words that hold one bit a cell
STEPS = (1, STRIDE, STRIDE + 1, 1 - STRIDE)
PADDING = 4 * (STRIDE + 1)  # cells around all others within four steps of the board

# Two bits a cell. A wall is 0, so that shifting zeros into a line puts walls at its end.
WALL, OWN, OTHER, EMPTY = range(4)
FLIP = np.array((EMPTY ^ OWN, EMPTY ^ OTHER), np.uint64)  # an empty cell to a stone, and back
CODE = np.uint64(1023)  # the bits of a window's code

rows, columns = np.divmod(np.arange(CELLS), STRIDE)
LINES = 6 * MAX_SIZE - 2
four_lines = (
    rows,
    columns + MAX_SIZE,
    rows - columns + 3 * MAX_SIZE - 1,
    rows + columns + 4 * MAX_SIZE - 1,
)
LINE_OF = np.stack(four_lines, axis=1).astype(np.uint64).ravel()  # of a cell in each direction
SHIFT_OF = 2 * np.stack((columns, rows, columns, columns), axis=1).astype(np.uint64).ravel()
"""The shift of that line that brings the cells from four before this one on to its low end."""

NEIGHBOURHOODS = 1 << 16  # states of the eight nearest cells in a line, the cell itself left out
AROUND = np.arange(NEIGHBOURHOODS) & 0xFF | (np.arange(NEIGHBOURHOODS) & 0xFF00) << 2
"""Each neighbourhood as eighteen bits of a line, the cell itself in the middle."""


def _neighbourhoods_on_a_line() -> NDArray[np.intp]:
    """The neighbourhoods that lines have: only walls follow a wall."""
    walls = np.arange(NEIGHBOURHOODS)[:, None] >> np.arange(0, 16, 2) & 3 == WALL
    outward = np.concatenate((walls[:, 3::-1], walls[:, 4:]), axis=1).reshape(-1, 2, 4)
    return np.flatnonzero((outward[..., :-1] <= outward[..., 1:]).all((1, 2)))


ON_A_LINE = _neighbourhoods_on_a_line()

GRID = Grid(STRIDE, first=0)
cell_of, move_of = GRID.cell_of, GRID.move_of


def _board_flags(size: int) -> NDArray[np.bool_]:
    flags: NDArray[np.bool_] = (rows < size) & (columns < size)
    return flags


def _word_set(cells: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """One bit a cell: the last axis, CELLS or fewer flags, becomes WORDS words."""
    padding = [(0, 0)] * (cells.ndim - 1) + [(0, 64 * WORDS - cells.shape[-1])]
    return np.packbits(np.pad(cells, padding), axis=-1, bitorder="little").view(np.uint64)


@lru_cache(maxsize=8)
def _near_cells(size: int, radius: int) -> NDArray[np.uint64]:
    """The other cells of the board within a square of this radius of each cell: CELLS x WORDS."""
    near = np.abs(rows[:, None] - rows) <= radius
    near &= np.abs(columns[:, None] - columns) <= radius
    near &= ~np.eye(CELLS, dtype=np.bool_)
    return _word_set(near & _board_flags(size) & _board_flags(size)[:, None])


@lru_cache(maxsize=8)
def _empty_lines(size: int) -> NDArray[np.uint64]:
    """The words of all lines of an empty board, two bits a cell, four walls first."""
    lines = np.zeros(LINES, np.uint64)
    for row, column in np.ndindex(size, size):
        at = 4 * (row * STRIDE + column)
        for line, shift in zip(LINE_OF[at : at + 4], SHIFT_OF[at : at + 4], strict=True):
            lines[line] |= np.uint64(EMPTY) << (shift + np.uint64(8))
    return lines


def window_scores(
    own: Sequence[int], other: Sequence[int], other_centred_three: int
) -> NDArray[np.int64]:
    """The score of each window code: ten bits, two a cell.

    `own` and `other` are the values of one to five stones; other's are taken off.
    """
    cells = np.arange(1 << 10)[:, None] >> np.arange(0, 10, 2) & 3
    mine, theirs = (cells == OWN).sum(1), (cells == OTHER).sum(1)
    scores = np.array((0, *own))[mine] - np.array((0, *other))[theirs]
    scores[(cells == (EMPTY, OTHER, OTHER, OTHER, EMPTY)).all(1)] = -other_centred_three
    scores[(cells == WALL).any(1) | ((mine > 0) & (theirs > 0))] = 0
    return scores


def _window_gains(scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """The pair of gains of each cell of each window code: 1024 x 5; none where no cell is empty."""
    codes = np.arange(1 << 10)[:, None]
    shifts = np.arange(0, 10, 2)
    low = scores[codes ^ int(FLIP[0]) << shifts] - scores[codes]
    high = scores[codes] - scores[codes ^ int(FLIP[1]) << shifts]
    return np.where(codes >> shifts & 3 == EMPTY, low + (high << 32), 0)


@kernel
def _add_neighbour_effects(effects: Any, gains: Any) -> None:
    """Add a stone's changes of its eight neighbours' gains: side x neighbourhood x 8, ravelled."""
    # Neighbourhoods that no line has keep their zeros: most of the memory is never touched.
    for side in range(2):
        for around in ON_A_LINE:
            row = np.uint64(8 * (side * NEIGHBOURHOODS + around))
            for window in range(5):
                before = np.uint64(AROUND[around] | EMPTY << 8) >> np.uint64(2 * window) & CODE
                after = before ^ FLIP[side] << np.uint64(8 - 2 * window)
                for cell in range(5):
                    lane = window + cell
                    if lane != 4:
                        change = gains[after, np.uint64(cell)] - gains[before, np.uint64(cell)]
                        effects[row + np.uint64(lane - (lane > 4))] += change


@lru_cache(maxsize=1)
def fives() -> NDArray[np.uint8]:
    """Bits of each neighbourhood: bit 0 if side 0's stone makes five or more, bit 1 if side 1's."""
    made = np.zeros(NEIGHBOURHOODS, np.uint8)
    for side, stone in enumerate((OWN, OTHER)):
        line = AROUND | stone << 8
        five = sum(stone << shift for shift in range(0, 10, 2))
        for window in range(5):
            made |= (line >> 2 * window & 1023 == five).astype(np.uint8) << side
    return made


def _empty_gains(size: int, gains: NDArray[np.int64]) -> NDArray[np.int64]:
    """The pair of gains of each cell of an empty board, PADDING cells before and after."""
    board = np.zeros(CELLS + 2 * PADDING, np.int64)
    by_window = gains[_empty_windows(size), 4 - np.arange(5)]
    board[PADDING:-PADDING][_board_flags(size)] = by_window.sum((1, 2))
    return board


@lru_cache(maxsize=8)
def _empty_windows(size: int) -> NDArray[np.uint64]:
    """The codes of the five windows around each cell of an empty board: cell x direction x 5."""
    at = 4 * np.flatnonzero(_board_flags(size))[:, None] + np.arange(4)
    around = _empty_lines(size)[LINE_OF[at]] >> SHIFT_OF[at]
    return around[..., None] >> np.arange(0, 10, 2, dtype=np.uint64) & CODE


MAX_DEPTH = 20
PLIES = MAX_DEPTH + 1  # the longest line of play
TABLE = 1 << 18  # entries of the transposition table: 6 MB
CENTRE = np.uint64(8)  # bits of a line before the cell that its shift is for
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
        gains = _window_gains(scores)
        self.size = size
        self.state = state = np.zeros(1, STATE)[0]
        _add_neighbour_effects(state["effects"], gains)
        state["fives"] = fives()
        state["near"] = _near_cells(size, radius).ravel()
        state["words"] = cell_of(size * size - 1, size) // 64 + 1
        state["exact"] = exact
        self.lines = _empty_lines(size)
        self.gains = _empty_gains(size, gains)
        self.cells = _word_set(_board_flags(size))
        self.centre = _word_set(np.arange(CELLS) == cell_of(size // 2 * (size + 1), size))

    def set(self, cells: bytes, turn: int, limit: Limit = UNLIMITED) -> int:
        """Set up a position as the side to move sees it, and begin to count; its score."""
        state = self.state
        begin(state, limit)
        state["lines"] = self.lines
        state["gains"] = self.gains
        state["empty"] = self.cells
        state["candidates"][:WORDS] = 0 if any(cells) else self.centre
        state["generation"] += 1
        return int(_put_stones(state, np.frombuffer(cells, np.uint8), self.size, turn))

    @property
    def move(self) -> int:
        return move_of(int(self.state["move"]), self.size)

    def play_undo(self, p: Position, moves: Sequence[Move]) -> int:
        self.set(p.cells, p.turn)
        cells = np.array([cell_of(move, self.size) for move in moves])
        return int(_play_and_undo(self.state, cells))


@kernel
def _put_stones(state: Any, cells: Any, size: int, turn: int) -> int:
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
    # A negative low half has borrowed one from the high half, which adding 2 ** 31 gives back. The
    # shifts choose a half and keep its sign.
    return int(pair + (side << 31)) >> (side << 5) << 32 >> 32


@kernel
def play(state: Any, cell: int, side: int) -> int:
    """Put a stone on an empty cell; 1 if it makes a five that wins under the game's rule, or 0."""
    made = 0
    for direction in range(4):
        at = np.uint64(4 * cell + direction)
        line, shift = LINE_OF[at], SHIFT_OF[at]
        word = state.lines[line]
        around = _neighbourhood(word, shift)
        made |= state.fives[around]
        state.lines[line] = word ^ (FLIP[side] << (shift + CENTRE))
        _change_gains(state, cell, side, direction, around, 1)
    state.empty[cell >> 6] ^= np.uint64(1) << np.uint64(cell & 63)
    if made >> side & 1 and state.exact:
        return _has_exact_five(state, cell, side)
    return made >> side & 1


@kernel
def undo(state: Any, cell: int, side: int) -> None:
    for direction in range(4):
        at = np.uint64(4 * cell + direction)
        line, shift = LINE_OF[at], SHIFT_OF[at]
        word = state.lines[line] ^ (FLIP[side] << (shift + CENTRE))
        state.lines[line] = word
        _change_gains(state, cell, side, direction, _neighbourhood(word, shift), -1)
    state.empty[cell >> 6] ^= np.uint64(1) << np.uint64(cell & 63)


@kernel
def _play_and_undo(state: Any, cells: Any) -> int:
    for first in range(ROUNDS):
        for index in range(DEEP):
            play(state, cells[(first + index) % cells.size], index & 1)
        for index in range(DEEP - 1, -1, -1):
            undo(state, cells[(first + index) % cells.size], index & 1)
    return ROUNDS * DEEP


@kernel
def _neighbourhood(line: Any, shift: Any) -> Any:
    """The four cells of a line before a cell and the four after it: two bytes."""
    word = line >> shift
    return (word & np.uint64(0xFF)) | ((word >> np.uint64(2)) & np.uint64(0xFF00))


@kernel
def _change_gains(state: Any, cell: int, side: int, direction: int, around: Any, sign: int) -> None:
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
def _may_make_five(state: Any, cell: int, side: int) -> int:
    """1 if a stone on an empty cell would make five or more in a line, or 0."""
    made = 0
    for direction in range(4):
        at = np.uint64(4 * cell + direction)
        made |= state.fives[_neighbourhood(state.lines[LINE_OF[at]], SHIFT_OF[at])]
    return made >> side & 1


@kernel
def _has_exact_five(state: Any, cell: int, side: int) -> int:
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


NO_CELL = 1023  # a number that is no cell's; moves and table entries have ten bits for it
TABLE_BONUS = 1 << 40
"""More than any gain: the promise of the table's move. Gains alone order the others: killers added
70 % of CPU time at depth 7 in middle games, a history 45 %."""
REPLIES = 3  # of `_drop_refuted`: 2 or 5 are as fast; without any, depth 8 takes twice the time

STONE_KEYS = stone_keys(CELLS).view(np.uint64)
ROOT_KEY = np.uint64(1)

IN_REACH = np.zeros(2 * CELLS, np.bool_)
"""Flags by the difference of two cells + CELLS: true if one's stone changes the other's gain."""
IN_REACH[[CELLS + away * step for step in STEPS for away in range(-4, 5)]] = True


@kernel
def plain(state: Any, ply: int, depth: int, side: int, score: int, alpha: int, beta: int) -> int:
    """The minimax value, candidates taken row by row."""
    visit(state)
    if depth == 1:
        return _best_leaf(state, ply, side, score, beta)
    best = -INFINITY
    for word in range(state.words):
        bits = state.candidates[ply * WORDS + word]
        while bits:
            cell = 64 * word + lowest(bits)
            bits &= bits - np.uint64(1)
            value = score + gain(state, cell, side)
            if play(state, cell, side):
                visit(state)
            else:
                spread(state, ply, ply + 1, cell)
                value = -plain(
                    state, ply + 1, depth - 1, 1 - side, -value, -beta, -max(alpha, best)
                )
            undo(state, cell, side)
            if value > best:
                best = value
                if ply == 0:
                    state.move = cell
                if best >= beta:
                    return best
    return best if best > -INFINITY else score


@kernel
def _best_leaf(state: Any, ply: int, side: int, score: int, beta: int) -> int:
    """The value one ply from the horizon, where a move need not be played to know its score."""
    best = -INFINITY
    move = state.move
    nodes, last = state.nodes, state.next_check
    for word in range(state.words):
        bits = state.candidates[ply * WORDS + word]
        while bits and best < beta:
            if nodes >= last:
                state.nodes = nodes
                if is_over(state):
                    return best
                last = state.next_check
            nodes += 1
            cell = 64 * word + lowest(bits)
            bits &= bits - np.uint64(1)
            value = score + gain(state, cell, side)
            if value > best:
                best, move = value, cell
    state.nodes = nodes
    if ply == 0:
        state.move = move
    return best if best > -INFINITY else score


@kernel
def alphabeta(
    state: Any, ply: int, depth: int, side: int, score: int, alpha: int, beta: int, key: Any
) -> int:
    """The minimax value, or a bound on it outside alpha and beta; meaningless once stopped."""
    if not visit(state):
        return alpha
    if depth == 1:
        return _best_leaf(state, ply, side, score, beta)
    entry = key & np.uint64(TABLE - 1)
    known = state.table_keys[entry] == key and state.table_notes[entry] >> 20 == state.generation
    if known and ply and is_known(state, entry, depth, alpha, beta):
        return int(state.table_values[entry])
    first = state.table_notes[entry] & NO_CELL if known else NO_CELL
    count = _list_moves(state, ply, ply, side, first)
    if count == 0:
        return score
    best, best_cell, floor = -INFINITY, NO_CELL, alpha
    if depth == 2 and ply:
        count = _drop_refuted(state, ply, count, side, score, alpha)
        best = state.dropped
    for index in range(count):
        cell = _pick(state, ply, index, count)
        # At the root, an equal value is enough for a move that comes earlier on the board.
        enough = floor - 1 if ply == 0 and index and cell < best_cell else floor
        value = score + gain(state, cell, side)
        if play(state, cell, side):
            visit(state)
        else:
            spread(state, ply, ply + 1, cell)
            down, turn, after = depth - 1, 1 - side, -value
            below = key ^ STONE_KEYS[side * CELLS + cell]
            # All moves but the first must show in a null window that they are better.
            if index:
                value = -alphabeta(state, ply + 1, down, turn, after, -enough - 1, -enough, below)
            if index == 0 or enough < value < beta:
                value = -alphabeta(state, ply + 1, down, turn, after, -beta, -enough, below)
        undo(state, cell, side)
        if state.stopped:
            return alpha
        best = max(best, value)
        if value > enough:
            floor, best_cell = value, cell
            if ply == 0:
                state.move = cell
            if value >= beta:
                break
    remember(state, key, depth, best, bound_kind(best, alpha, beta), best_cell)
    return best


@kernel
def remember(state: Any, key: Any, depth: int, value: int, kind: int, cell: int) -> None:
    entry = key & np.uint64(TABLE - 1)
    state.table_keys[entry], state.table_values[entry] = key, value
    state.table_notes[entry] = (state.generation << 8 | depth) << 12 | kind << 10 | cell


@kernel
def is_known(state: Any, entry: Any, depth: int, alpha: int, beta: int) -> bool:
    """True if the table has a value of this depth that answers a search between alpha and beta."""
    note, value = int(state.table_notes[entry]), int(state.table_values[entry])
    return note >> 12 & 0xFF == depth and settles(note >> 10 & 3, value, alpha, beta)


@kernel
def _list_moves(state: Any, ply: int, row: int, side: int, first: int) -> int:
    """List a ply's candidates in a row of `state.moves`, by their gain; returns their number."""
    count = row * CELLS
    for word in range(state.words):
        bits = state.candidates[ply * WORDS + word]
        while bits:
            cell = 64 * word + lowest(bits)
            bits &= bits - np.uint64(1)
            promise = gain(state, cell, side)
            if cell == first:
                promise += TABLE_BONUS
            state.moves[count] = promise << 10 | (NO_CELL - cell)
            count += 1
    return count - row * CELLS


@kernel
def _pick(state: Any, row: int, index: int, count: int) -> int:
    """Bring the most promising of the moves from index on to this place; returns its cell."""
    start = row * CELLS
    at = start + index
    for other in range(at + 1, start + count):
        if state.moves[other] > state.moves[at]:
            state.moves[at], state.moves[other] = state.moves[other], state.moves[at]
    return NO_CELL - int(state.moves[at] & NO_CELL)


@kernel
def _drop_refuted(state: Any, ply: int, count: int, side: int, score: int, alpha: int) -> int:
    """Two plies from the horizon, drop the moves whose value some reply keeps down to alpha.

    A reply out of a move's reach gains what it would gain before the move: no need to play. Returns
    the count of moves left; the greatest value of the others is in `state.dropped`.
    """
    listed = _list_moves(state, ply, ply + 1, 1 - side, NO_CELL)
    replies = min(listed, REPLIES)
    for index in range(replies):
        _pick(state, ply + 1, index, listed)
    state.dropped = -INFINITY
    kept = 0
    for index in range(count):
        move = state.moves[ply * CELLS + index]
        cell = NO_CELL - (move & NO_CELL)
        after = score + gain(state, cell, side)
        bound = INFINITY
        for other in range(replies):
            reply = NO_CELL - (state.moves[(ply + 1) * CELLS + other] & NO_CELL)
            if not IN_REACH[CELLS + cell - reply]:
                bound = after - gain(state, reply, 1 - side)
                break
        if bound <= alpha and not _may_make_five(state, cell, side):
            visit(state)
            state.dropped = max(state.dropped, bound)
        else:
            state.moves[ply * CELLS + kept] = move
            kept += 1
    return kept


@kernel
def published(state: Any, ply: int, depth: int, side: int, score: int) -> int:
    """Expand a node, the board's last candidate first; the root's best move is `state.move`.

    Returns the value of that move; meaningless once stopped.
    """
    visit(state)
    state.values[ply] = INFINITY if side else -INFINITY
    if ply == 0:
        state.best = -INFINITY
    is_cut, is_leaf = False, True
    for word in range(state.words - 1, -1, -1):
        bits = state.candidates[ply * WORDS + word]
        while bits and not state.stopped:
            bit = highest(bits)
            bits ^= np.uint64(1) << np.uint64(bit)
            is_leaf = False
            if is_cut:
                visit(state)
                continue
            cell = 64 * word + bit
            change = gain(state, cell, side)
            value = score - change if side else score + change
            if depth == 1:
                visit(state)
                is_cut = climb(state, ply, value) and _is_cut_off(state, ply)
            else:
                play(state, cell, side)
                spread(state, ply, ply + 1, cell)
                published(state, ply + 1, depth - 1, 1 - side, value)
                undo(state, cell, side)
                value = state.values[ply + 1]
                is_cut = _is_cut_off(state, ply)
            if ply == 0 and value >= state.best:
                state.best, state.move = value, cell
    if is_leaf:
        climb(state, ply, score)
    return int(state.best)


@kernel
def climb(state: Any, ply: int, value: int) -> bool:
    """Take a child's value up until a node is better off without; true if any was changed."""
    start = ply
    while ply >= 0 and (value < state.values[ply] if ply & 1 else value > state.values[ply]):
        state.values[ply] = value
        ply -= 1
    return ply < start


@kernel
def _is_cut_off(state: Any, ply: int) -> bool:
    """True if a node on the path below the root has passed its father's value."""
    for node in range(1, ply + 1):
        value, father = state.values[node], state.values[node - 1]
        if value < father if node & 1 else value > father:
            return True
    return False
