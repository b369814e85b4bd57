"""Positions that need no search of all moves: decided ones, known ones, wins by force, dangers."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

from ..bounds import INFINITY, settles
from ..shapes.forbidden import is_allowed
from ..shapes.geometry import int64
from .board import count_of, first_of
from .classes import ONE_FIVE, TWO_FOURS
from .defences import list_line
from .fours import allowed_of, has_fours, win_by_fours
from .history import PLIES_DEEP
from .moves import has_room
from .outcomes import WIN, is_proof, static_value
from .plan import note_last
from .threes import may_win_by_threats, win_by_threats

FIELDS = [
    ("leaf_fours", np.int64),  # fours in a row looked for at leaves
    ("inner_fours", np.int64),  # and at inner nodes
    ("leaf_threats", np.int64),  # fours and threes in a row looked for at leaves
    ("inner_threats", np.int64),
    ("threat_nodes", np.int64),
    ("wary_fours", np.int64),  # and of the other side, before quiet moves are tried
    ("four_nodes", np.int64),  # nodes of one such search
]


@kernel
def settled_value(b: Any, player: int, ply: int) -> int:
    """The value of a position that needs no search, -INFINITY of others.

    A five at hand wins, then two of the other side's or one that may not be answered, then two
    fours at once. The plan is written down, and the longest one ends in an evaluation.
    """
    if count_of(b, player, ONE_FIVE) > 0:
        note_last(b, ply, first_of(b, player, ONE_FIVE))
        return int64(WIN - ply - 1)
    rivals = count_of(b, 1 - player, ONE_FIVE)
    if rivals > 0:
        must = first_of(b, 1 - player, ONE_FIVE)
        if rivals > 1 or not is_allowed(b, must, player):
            note_last(b, ply, must)
            return int64(ply + 2 - WIN)
    else:
        winner = allowed_of(b, player, TWO_FOURS, int64(0))
        if winner > 0:
            note_last(b, ply, winner)
            return int64(WIN - ply - 3)
    if b.stones == b.size * b.size:
        return int64(0)
    is_too_deep = ply >= PLIES_DEEP - 2 or not has_room(b)
    return static_value(b, player) if is_too_deep else -INFINITY


@kernel
def answers(b: Any, depth: int, alpha: int, beta: int, at_leaf: bool) -> bool:
    """True if what the table has just found answers a search between alpha and beta.

    Where an exact value is asked for, the search goes on, so that its plan is known.
    """
    proven = is_proof(b.found_kind, b.found_value)
    if b.found_depth < depth and not proven:
        return False
    if beta - alpha > 1 and not proven and not at_leaf:
        return False
    return settles(b.found_kind, b.found_value, alpha, beta)


@kernel
def forced_value(b: Any, player: int, depth: int, ply: int, closed: bool) -> int:
    """The value of a win by fours, or by fours and threes; -INFINITY if none is found."""
    plies = int64(0)
    if has_fours(b, player):
        fours = b.leaf_fours if depth <= 0 else b.inner_fours
        plies = win_by_fours(b, player, fours, b.four_nodes) if fours > 0 else int64(0)
    threats = b.leaf_threats if depth <= 0 else b.inner_threats
    if plies == 0 and threats > 0 and not closed and may_win_by_threats(b, player):
        plies = win_by_threats(b, player, threats, b.threat_nodes)
    if plies == 0 or b.stopped:
        return -INFINITY
    note_last(b, ply, b.four_line[b.stones])
    return int64(WIN - ply - plies)


@kernel
def is_in_danger(b: Any, player: int) -> bool:
    """True if the other side would win by fours if it were to move; its line is then listed."""
    if b.wary_fours == 0 or not has_fours(b, 1 - player):
        return False
    if win_by_fours(b, 1 - player, b.wary_fours, b.four_nodes) == 0:
        return False
    list_line(b)
    return True
