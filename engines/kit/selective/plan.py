"""The expected play from each position on the way: its moves in a row of `b.plan`, 0 at its end."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from .history import PLIES_DEEP

FIELDS = [
    ("plan", np.int64, (PLIES_DEEP * PLIES_DEEP,)),  # by ply * PLIES_DEEP
]


@kernel
def note_last(b: Any, ply: int, cell: int) -> None:
    """Write down a line of play of one move."""
    b.plan[ply * PLIES_DEEP], b.plan[ply * PLIES_DEEP + 1] = cell, 0


@kernel
def note_plan(b: Any, ply: int, cell: int) -> None:
    """Write down the expected play from here: this move, then what is expected after it."""
    here, there = ply * PLIES_DEEP, (ply + 1) * PLIES_DEEP
    b.plan[here] = cell
    step = 0
    while b.plan[there + step] > 0 and step < PLIES_DEEP - 2:
        b.plan[here + step + 1] = b.plan[there + step]
        step += 1
    b.plan[here + step + 1] = 0
