"""Memories of earlier cut-offs: the history of moves, killers of a ply, answers to a move."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..shapes.geometry import CELLS, int64
from ..shapes.search import PLIES

TOP_HISTORY = 1 << 14
"""The unit of history, a power of two. Its weight is a parameter."""

HISTORY_FIELDS = [
    ("history_step", np.int64),  # what a cut-off counts, for each (depth + 1) squared
    ("history_most", np.int64),  # what one counts at most
    ("history", np.int64, (2 * CELLS,)),  # by player * CELLS + cell, within TOP_HISTORY
    ("killers", np.int64, (2 * PLIES,)),  # two of each ply
    ("counters", np.int64, (2 * CELLS,)),  # by the other player's last cell
]


@kernel
def reward(b: Any, player: int, cell: int, change: int) -> None:
    """Change a move's history, the less the nearer it is to its limit."""
    slot = player * CELLS + cell
    b.history[slot] += change - b.history[slot] * abs(change) // TOP_HISTORY


@kernel
def note_cut(b: Any, player: int, cell: int, ply: int, depth: int) -> None:
    """Remember that a move cut a node off."""
    reward(b, player, cell, change_at(b, depth))
    if b.killers[2 * ply] != cell:
        b.killers[2 * ply + 1] = b.killers[2 * ply]
        b.killers[2 * ply] = cell
    if b.stones > 0:
        b.counters[player * CELLS + b.moves[b.stones - 1]] = cell


@kernel
def note_failed(b: Any, player: int, cell: int, depth: int) -> None:
    """Remember that a move was tried and did not raise the value."""
    reward(b, player, cell, -change_at(b, depth))


@kernel
def change_at(b: Any, depth: int) -> int:
    """The change of history that a result counts: the greater, the deeper its search."""
    return int64(min(b.history_step * (depth + 1) * (depth + 1), b.history_most))


@kernel
def age_history(b: Any) -> None:
    """Halve the history for the game's next move, and forget killers, which belong to plies."""
    for slot in range(b.history.size):
        b.history[slot] //= 2
    for slot in range(b.killers.size):
        b.killers[slot] = 0


@kernel
def forget_history(b: Any) -> None:
    """Forget all moves, for a new game."""
    for slot in range(b.history.size):
        b.history[slot] = b.counters[slot] = 0
    for slot in range(b.killers.size):
        b.killers[slot] = 0
