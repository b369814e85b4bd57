"""Reductions and cuts: quiet moves searched less deep or not at all, and nodes that end early.

Margins are hundredths of a live three's worth (`b.unit`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..shapes.board import half
from ..shapes.geometry import CELLS, int64
from .classes import ONE_FOUR, ONE_THREE
from .history import TOP_HISTORY
from .outcomes import is_decided

LOGARITHMS = np.log(np.maximum(np.arange(100), 1.0))

FIELDS = [
    ("breadth", np.int64),  # moves tried at most in any position
    ("count_base", np.int64),  # moves tried at depth 0, where no exact value is asked for
    ("count_step", np.int64),  # more of them for each ply of depth, in hundredths
    ("late_from", np.int64),  # moves before the first that is searched less deep
    ("late_base", np.int64),  # hundredths of a ply taken off
    ("late_factor", np.int64),  # and hundredths of log(depth) * log(moves before)
    ("late_window", np.int64),  # hundredths less where an exact value is asked for
    ("late_sinking", np.int64),  # hundredths more where the mover's evaluation has not risen
    ("late_threats", np.int64),  # hundredths less for a move that makes a threat
    ("late_history", np.int64),  # hundredths less for the greatest history
    ("lead_depth", np.int64),  # plies left up to which a node far above beta is cut
    ("lead", np.int64),  # margin for each ply
    ("razor_depth", np.int64),  # the same for a node far below alpha
    ("razor", np.int64),
    ("futility_depth", np.int64),  # plies left up to which moves that gain too little are left out
    ("futility", np.int64),
]


@kernel
def moves_at(b: Any, depth: int, with_window: bool) -> int:
    """The number of moves tried at most in an open position."""
    if with_window or b.count_base == 0:
        return int64(b.breadth)
    return int64(min(b.breadth, b.count_base + b.count_step * depth // 100))


@kernel
def is_beyond(b: Any, value: int, depth: int, beta: int) -> bool:
    """True if the position is so good that its node may be cut."""
    return (
        depth <= b.lead_depth
        and not is_decided(beta)
        and value - b.lead * b.unit * depth // 100 >= beta
    )


@kernel
def too_far_below(b: Any, value: int, depth: int, alpha: int) -> bool:
    """True if the position is so bad that only a win by fours, looked for before, could help."""
    return (
        depth <= b.razor_depth
        and not is_decided(alpha)
        and value + b.razor * b.unit * depth // 100 <= alpha
    )


@kernel
def futile(b: Any, value: int, cell: int, player: int, depth: int, alpha: int) -> bool:
    """True if a move that makes no four is not expected to lift the value to alpha."""
    if depth > b.futility_depth or is_decided(alpha):
        return False
    if b.classes[player * CELLS + cell] >= ONE_FOUR:
        return False
    pair = b.values[cell]
    gain = half(pair, player) + half(pair, 1 - player)
    return value + gain + b.futility * b.unit * depth // 100 <= alpha


@kernel
def reduction_of(
    b: Any, player: int, cell: int, depth: int, tried: int, with_window: bool, improving: bool
) -> int:
    """The plies that a late move is searched less deep."""
    if depth < 2 or tried < b.late_from or b.late_factor == 0:
        return int64(0)
    steps = b.late_factor * LOGARITHMS[min(depth, 99)] * LOGARITHMS[min(tried + 1, 99)]
    hundredths = b.late_base + int64(steps)
    if with_window:
        hundredths -= b.late_window
    if not improving:
        hundredths += b.late_sinking
    if b.classes[player * CELLS + cell] >= ONE_THREE:
        hundredths -= b.late_threats
    hundredths -= b.late_history * b.history[player * CELLS + cell] // TOP_HISTORY
    return int64(min(max(hundredths // 100, 0), depth - 1))
