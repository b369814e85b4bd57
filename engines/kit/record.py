"""The one record type that all kernels of the shape kit are compiled for."""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.kit.clock import LIMITS
from engines.kit.shapes import (
    board,
    candidates,
    evaluation,
    forbidden,
    lines,
    search,
    transposition,
)
from engines.kit.threats import point_values, prediction, vcf, vct

BOARD = (board, lines, forbidden, candidates, evaluation, transposition)
SEARCHES = (search, vcf, vct, point_values, prediction)
MODULES = (*BOARD, *SEARCHES)

FIELDS = [field for module in MODULES for field in module.FIELDS]
RECORD = np.dtype([*FIELDS, *LIMITS], align=True)
"""19 MB, of which only what is used becomes memory: 1.5 MB, and the search table as it fills."""


def new_record() -> Any:
    """A record of zeros; `setup.set_up` makes it a board.

    Use no other types beside: numba warns of records that begin with the same fields.
    """
    return np.zeros(1, RECORD)[0]
