"""The one type of record that all kernels on the boards of `shapes` are compiled for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .clock import LIMITS
from .selective import (
    deepening,
    history,
    moves as selective_moves,
    outcomes,
    positions,
    pruning,
    search as selective_search,
)
from .shapes import (
    board,
    candidates,
    evaluation,
    forbidden,
    lines,
    patterns,
    search,
    transposition,
)
from .shapes.patterns import set_move_worths, set_patterns
from .shapes.setup import set_up
from .shapes.table import RANKS, Rule
from .threats import forced_wins, point_values, prediction

SHAPES = (board, lines, forbidden, candidates, evaluation, transposition, search, patterns)
THREATS = (forced_wins, point_values, prediction)
SELECTIVE = (history, positions, selective_moves, pruning, outcomes, selective_search, deepening)

FIELDS = [field for module in (*SHAPES, *THREATS, *SELECTIVE) for field in module.FIELDS]
RECORD = np.dtype([*FIELDS, *LIMITS], align=True)
"""The type, of 36 MB. Only the parts in use take memory: 1.5 MB, and the tables of an engine that
has one."""


def new_board(
    size: int,
    rule: Rule,
    weights: Sequence[int] = (0,) * RANKS,
    patterns: npt.NDArray[np.int64] | None = None,
    moves: npt.NDArray[np.int64] | None = None,
    /,
    **options: float,
) -> Any:
    """An empty board; `weights` go by rank, `options` are fields that an engine chooses.

    With `patterns`, the weights of `shapes/patterns.py`, it keeps these, and is evaluated by them;
    `moves` are the weights that then sort moves.

    Use no other types of record beside: numba warns of records that begin with the same fields.
    """
    b = np.zeros(1, RECORD)[0]
    for name, value in options.items():
        b[name] = value
    if patterns is not None:
        set_patterns(b, patterns)
    if moves is not None:
        set_move_worths(b, moves)
    set_up(b, size, rule, weights)
    return b
