"""The worths of moves as sums of weights, for the positions of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from arena.game import Move, Position
from arena.stats.score_scale import Floats
from arena.tuning.fit.terms import Ints, Labelled
from fit_moves.softmax import SortedMoves

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class MoveFeatures(Protocol):
    """The worths by which a search sorts moves: each is a sum of weights."""

    @property
    def start(self) -> Floats:
        """The weights that the search has."""

    @property
    def unit(self) -> float:
        """The worth that makes a move e times as likely to be played."""

    def of(self, p: Position) -> tuple[Sequence[Move], Ints]:
        """The moves that the search sorts in a position, and the weights of each: moves x weights.

        A number that is there twice counts twice. There are no moves where the search sorts none,
        since its answer is forced.
        """


@dataclass(frozen=True, slots=True, eq=False)
class MoveRows:
    """Positions that can be fitted to, as numbers, and what was left out."""

    block: SortedMoves
    openings: Sequence[str]
    """The opening of each position."""
    unsorted: int
    """Positions left out in which fewer than two moves are sorted."""
    missed: int
    """Positions left out whose move played is not among those sorted."""


def move_rows(features: MoveFeatures, positions: Sequence[Labelled]) -> MoveRows:
    """The moves that are sorted in some positions, and those that were played."""
    openings, tables, played = list[str](), list[Ints](), list[int]()
    unsorted = missed = 0
    for each in positions:
        moves, numbers = features.of(each.position)
        if len(moves) < 2:
            unsorted += 1
        elif each.move not in moves:
            missed += 1
        else:
            openings.append(each.opening)
            tables.append(numbers)
            played.append(moves.index(each.move))
    lengths = np.array([len(table) for table in tables], np.int64)
    block = SortedMoves(
        _counts_in(tables, len(features.start)), lengths, np.array(played, np.int64)
    )
    return MoveRows(block, openings, unsorted, missed)


def _counts_in(tables: Sequence[Ints], size: int) -> csr_array:
    """The number of times that each weight is in each row of some tables: rows x weights."""
    from scipy.sparse import csr_array

    widths = np.concatenate([[0], *(np.full(len(table), table.shape[1]) for table in tables)])
    places = np.concatenate([np.empty(0, np.int32), *map(np.ravel, tables)]).astype(np.int32)
    ones, ends = np.ones(len(places), np.float32), np.cumsum(widths).astype(np.int32)
    found = csr_array((ones, places, ends), shape=(len(ends) - 1, size))
    found.sum_duplicates()
    return found
