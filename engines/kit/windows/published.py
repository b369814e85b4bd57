"""The tree search of source document 000 as its program has it, the mistake included.

A child's value goes up to its parent whenever a leaf changes it, as if it were final; a parent
never takes such a value back. So it prunes too much, and the result is no minimax value. Values
and scores are seen by the side that moves at the root; fives end nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bits import highest
from ..bounds import INFINITY
from ..clock import visit
from .board import gain, play, spread, undo
from .tables import WORDS


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
                is_cut = climb(state, ply, value) and is_cut_off(state, ply)
            else:
                play(state, cell, side)
                spread(state, ply, ply + 1, cell)
                published(state, ply + 1, depth - 1, 1 - side, value)
                undo(state, cell, side)
                value = state.values[ply + 1]
                is_cut = is_cut_off(state, ply)
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
def is_cut_off(state: Any, ply: int) -> bool:
    """True if a node on the path below the root has passed its father's value."""
    for node in range(1, ply + 1):
        value, father = state.values[node], state.values[node - 1]
        if value < father if node & 1 else value > father:
            return True
    return False
