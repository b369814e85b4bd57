"""The one type of record that all kernels on the boards of `shapes` are compiled for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .clock import LIMITS
from .selective import (
    deepening,
    history,
    moves,
    outcomes,
    positions,
    pruning,
    search as selective_search,
)
from .shapes import (
    board,
    candidates,
    codes,
    evaluation,
    forbidden,
    lines,
    patterns,
    search,
    transposition,
)
from .shapes.patterns import Tables, set_tables
from .shapes.setup import set_up
from .shapes.table import RANKS, Rule
from .threats import defences, forced_wins, point_values, prediction

SHAPES = (board, codes, lines, forbidden, candidates, evaluation, transposition, search, patterns)
THREATS = (defences, forced_wins, point_values, prediction)
SELECTIVE = (history, positions, moves, pruning, outcomes, selective_search, deepening)

FIELDS = [field for module in (*SHAPES, *THREATS, *SELECTIVE) for field in module.FIELDS]
RECORD = np.dtype([*FIELDS, *LIMITS], align=True)
"""The type, of 38 MB. Only the parts in use take memory: 1.5 MB, and the tables of an engine that
has one."""


def new_board(
    size: int,
    rule: Rule,
    weights: Sequence[int] = (0,) * RANKS,
    tables: Tables | None = None,
    /,
    **options: float,
) -> Any:
    """An empty board; `weights` go by rank, `options` are fields that an engine chooses.

    With `tables`, it keeps patterns, and is evaluated by them, in place of totals.

    Use no other types of record beside: numba warns of records that begin with the same fields.
    """
    b = np.zeros(1, RECORD)[0]
    for name, value in options.items():
        b[name] = value
    b["with_totals"] = tables is None
    if tables is not None:
        set_tables(b, tables)
    set_up(b, size, rule, weights)
    return b
