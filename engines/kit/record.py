"""The one type of record that all kernels on the boards of `shapes` are compiled for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .clock import LIMITS
from .selective.moves import HISTORY_FIELDS, MOVE_FIELDS
from .selective.positions import OUTCOME_FIELDS, POSITION_FIELDS
from .selective.search import DEEPENING_FIELDS, PRUNING_FIELDS, SELECTIVE_FIELDS
from .shapes.board import BOARD_FIELDS, set_up
from .shapes.candidates import CANDIDATE_FIELDS, FORBIDDEN_FIELDS
from .shapes.codes import CODE_FIELDS, PATTERN_FIELDS, Tables, set_tables
from .shapes.evaluation import EVALUATION_FIELDS, TRANSPOSITION_FIELDS
from .shapes.search import SEARCH_FIELDS
from .shapes.table import LINE_FIELDS, RANKS, Rule
from .threats.forced_wins import DEFENCE_FIELDS, FORCED_WIN_FIELDS
from .threats.prediction import POINT_VALUE_FIELDS, PREDICTION_FIELDS

FIELDS = [
    *(*BOARD_FIELDS, *CODE_FIELDS, *LINE_FIELDS, *FORBIDDEN_FIELDS, *CANDIDATE_FIELDS),
    *(*EVALUATION_FIELDS, *TRANSPOSITION_FIELDS, *SEARCH_FIELDS, *PATTERN_FIELDS),
    *(*DEFENCE_FIELDS, *FORCED_WIN_FIELDS, *POINT_VALUE_FIELDS, *PREDICTION_FIELDS),
    *(*HISTORY_FIELDS, *POSITION_FIELDS, *MOVE_FIELDS, *PRUNING_FIELDS, *OUTCOME_FIELDS),
    *(*SELECTIVE_FIELDS, *DEEPENING_FIELDS),
]
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
