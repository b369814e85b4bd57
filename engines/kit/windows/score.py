"""The score of any position, without a search and without the gains that one keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.engine import Evaluation
from arena.game import Position
from arena.jit import kernel

from .tables import CODE, FLIP, LINE_OF, SHIFT_OF, STRIDE, empty_lines


def window_evaluation(size: int, scores: NDArray[np.int64]) -> Evaluation:
    """The evaluation with these scores of window codes, the mover's side being side 0."""
    empty = empty_lines(size)

    def evaluation(p: Position) -> int:
        return int(window_sum(empty, scores, p.cells, size, p.turn))

    return evaluation


@kernel
def window_sum(empty: Any, scores: Any, cells: Any, size: int, turn: int) -> int:
    """The sum over all windows of a game's cells; `empty` are the lines of an empty board."""
    lines = empty.copy()
    for move in range(size * size):
        if cells[move]:
            flip = FLIP[0 if cells[move] == turn else 1]
            at = 4 * (move // size * STRIDE + move % size)
            for slot in range(at, at + 4):
                lines[LINE_OF[slot]] ^= flip << (SHIFT_OF[slot] + np.uint64(8))
    total = 0
    for line in range(lines.size):
        word = lines[line]
        while word:
            total += scores[word & CODE]
            word >>= np.uint64(2)
    return total
