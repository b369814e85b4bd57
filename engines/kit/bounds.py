"""Bounds of a search's value: infinity, and the kinds of bound that a transposition table keeps."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import kernel

INFINITY: Any = np.int64(1 << 60)
"""A bound beyond every value. It is no literal, which would make numba compile recursive kernels
twice."""

EXACTLY, AT_LEAST, AT_MOST = 1, 2, 3  # kinds of stored bounds; 0: an entry never written


@kernel
def bound_kind(value: int, alpha: int, beta: int) -> int:
    """The kind of bound that the result of a search between alpha and beta is."""
    return AT_LEAST if value >= beta else EXACTLY if value > alpha else AT_MOST


@kernel
def settles(kind: int, value: int, alpha: int, beta: int) -> bool:
    """True if a stored value of this kind answers a search between alpha and beta."""
    return (
        kind == EXACTLY
        or (kind == AT_LEAST and value >= beta)
        or (kind == AT_MOST and value <= alpha)
    )
