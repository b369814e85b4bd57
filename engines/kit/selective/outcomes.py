"""Values of won and lost positions, proven or only believed, and the evaluation between them.

A value tells how many plies the win is away from the root. It is proven if every defence was tried;
a loss that was found while moves were left out is only believed, and so is the win of the move
before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.engine import LONGEST_MATE, MATE
from arena.jit import kernel

from ..bounds import AT_LEAST, AT_MOST
from ..shapes.board import half
from ..shapes.evaluation import position_value
from ..shapes.geometry import int64

WIN, BELIEVED = MATE, MATE // 2
"""A win at the root, proven or believed; each ply takes one off."""
LARGEST = 9_000_000_000
"""The evaluation is kept within this."""

FIELDS = [
    ("initiative", np.int64),  # hundredths of the mover's total that its move is worth
]


@kernel
def static_value(b: Any, player: int) -> int:
    """The scorer's value of the position to the player to move, and the worth of the move."""
    total = b.line_total if b.with_lines else b.total
    value = position_value(b, total, player) + b.initiative * half(total, player) // 100
    return int64(min(max(value, -LARGEST), LARGEST))


@kernel
def is_proven(value: int) -> bool:
    """True if the value claims a win of either side that every defence was tried against."""
    return abs(value) > WIN - LONGEST_MATE


@kernel
def is_proof(kind: int, value: int) -> bool:
    """True if a bound is a proof: a win at least, or a loss at most."""
    return is_proven(value) and kind != (AT_MOST if value > 0 else AT_LEAST)


@kernel
def is_decided(value: int) -> bool:
    """True if the value is that of a win of either side, proven or believed."""
    return abs(value) > LARGEST


@kernel
def doubted(value: int) -> int:
    """The value of a node where moves were left out: a loss is only believed."""
    return value + (WIN - BELIEVED) if value < LONGEST_MATE - WIN else value


@kernel
def from_here(value: int, ply: int) -> int:
    """The value with wins counted from this ply on, as a table keeps it."""
    if value > LARGEST:
        return value + ply
    return value - ply if value < -LARGEST else value


@kernel
def from_root(value: int, ply: int) -> int:
    """The inverse of `from_here`."""
    if value > LARGEST:
        return value - ply
    return value + ply if value < -LARGEST else value
