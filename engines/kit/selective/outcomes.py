"""Values of positions: won and lost ones, proven or only believed, and the evaluation of others.

The value of a win holds its distance from the root in plies. It is proven if every defence was
tried; a loss that was found while moves were left out is only believed, and so is the win of the
move before. Some positions need no search of all moves: decided ones, those that the table has, and
wins by fours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.engine import LONGEST_MATE, MATE
from arena.jit import kernel

from ..bounds import AT_LEAST, AT_MOST, INFINITY, settles
from ..shapes.board import count_of, first_of, half
from ..shapes.candidates import has_room
from ..shapes.evaluation import position_value
from ..shapes.forbidden import is_allowed
from ..shapes.geometry import int64
from ..shapes.patterns import pattern_value
from ..shapes.search import PLIES, end_line
from ..shapes.table import ONE_FIVE, TWO_FOURS
from ..threats.forced_wins import allowed_of, has_fours, win_by_fours

WIN, BELIEVED = MATE, MATE // 2
"""A win at the root, proven or believed; each ply takes one off."""
LARGEST = 9_000_000_000
"""The evaluation is kept within this."""

OUTCOME_FIELDS = [
    ("initiative", np.int64),  # hundredths of the mover's total that its move is worth
    ("leaf_fours", np.int64),  # fours in a row looked for at leaves
    ("inner_fours", np.int64),  # and at inner nodes
    ("four_nodes", np.int64),  # nodes of one such search
]


@kernel
def static_value(b: Any, player: int) -> int:
    """The value by patterns, where they are kept, or the scorer's and the worth of the move."""
    if b.with_patterns:
        value = pattern_value(b, player)
    else:
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


@kernel
def settled_value(b: Any, player: int, ply: int) -> int:
    """The value of a position that needs no search, -INFINITY of others.

    A five at hand wins, then two of the other side's or one that may not be answered, then two
    fours at once. The plan is written down, and the longest one ends in an evaluation.
    """
    if count_of(b, player, ONE_FIVE) > 0:
        end_line(b, ply, first_of(b, player, ONE_FIVE))
        return int64(WIN - ply - 1)
    rivals = count_of(b, 1 - player, ONE_FIVE)
    if rivals > 0:
        must = first_of(b, 1 - player, ONE_FIVE)
        if rivals > 1 or not is_allowed(b, must, player):
            end_line(b, ply, must)
            return int64(ply + 2 - WIN)
    else:
        winner = allowed_of(b, player, TWO_FOURS, int64(0))
        if winner > 0:
            end_line(b, ply, winner)
            return int64(WIN - ply - 3)
    if b.stones == b.size * b.size:
        return int64(0)
    is_too_deep = ply >= PLIES - 2 or not has_room(b)
    return static_value(b, player) if is_too_deep else -INFINITY


@kernel
def answers(b: Any, depth: int, alpha: int, beta: int, at_leaf: bool) -> bool:
    """True if the entry that the table has just found answers a search between alpha and beta.

    Where an exact value is asked for, the search goes on, so that its plan is known.
    """
    proven = is_proof(b.found_kind, b.found_value)
    if b.found_depth < depth and not proven:
        return False
    if beta - alpha > 1 and not proven and not at_leaf:
        return False
    return settles(b.found_kind, b.found_value, alpha, beta)


@kernel
def forced_value(b: Any, player: int, depth: int, ply: int) -> int:
    """The value of a win by fours; -INFINITY if none is found."""
    fours = b.leaf_fours if depth <= 0 else b.inner_fours
    if fours == 0 or not has_fours(b, player):
        return -INFINITY
    # Such a search evaluates nothing, and takes back all that it plays.
    kept, b.with_patterns = b.with_patterns, 0
    plies = win_by_fours(b, player, fours, b.four_nodes)
    b.with_patterns = kept
    if plies == 0 or b.stopped:
        return -INFINITY
    end_line(b, ply, b.four_line[b.stones])
    return int64(WIN - ply - plies)
