"""Alpha-beta over windows of five, and the tree search of source document 000 as it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bits import highest, lowest
from ..bounds import INFINITY, bound_kind, settles
from ..clock import is_over, visit
from ..grid import stone_keys
from .board import CELLS, STEPS, TABLE, WORDS, gain, may_make_five, play, spread, undo

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
        cell = pick(state, ply, index, count)
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
def pick(state: Any, row: int, index: int, count: int) -> int:
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
        pick(state, ply + 1, index, listed)
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
        if bound <= alpha and not may_make_five(state, cell, side):
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
