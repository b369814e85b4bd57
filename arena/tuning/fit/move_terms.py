"""The worths of moves as sums of weights: what an engine's `move_features()` says, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from arena.engine import MoveFeatures
from arena.errors import ConfigError
from arena.game import Game, Move, Position
from arena.stats.score_scale import Floats
from arena.tuning.fit.positions import Labelled
from arena.tuning.fit.softmax import SortedMoves
from arena.tuning.fit.terms import Ints, at, engine_faults

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True, eq=False)
class MoveTerms:
    """The weights that an engine sorts moves by."""

    features: MoveFeatures
    start: Floats
    """The weights that the engine has."""
    unit: float
    game: Game

    def sorted_in(self, p: Position) -> tuple[Sequence[Move], Ints]:
        """The moves that the search sorts in a position, and the weights of each: moves x weights.

        Raises ConfigError, which names the position, if they are no moves with weights.
        """
        with engine_faults("move_features()"):
            moves, given = self.features.of(p)
            moves = [int(move) for move in moves]
        if not moves:
            return moves, np.empty((0, 0), np.int64)
        numbers = _table_of(given)
        if numbers is None or len(numbers) != len(moves):
            message = f"{len(moves)} moves need as many rows of whole numbers, all of one length"
            raise ConfigError(f"move_features(): {message}{at(p, self.game)}")
        if wrong := numbers[(numbers < 0) | (numbers >= len(self.start))][:1].tolist():
            message = f"there is no weight {wrong[0]}"
            raise ConfigError(f"move_features(): {message}{at(p, self.game)}")
        return moves, numbers


def _table_of(given: object) -> Ints | None:
    """Rows of whole numbers of one length as a table; None if they are anything else."""
    try:
        found = np.asarray(given)
    except ValueError:  # rows of several lengths
        return None
    is_table = found.ndim == 2 and found.dtype.kind in "iu"
    return found.astype(np.int64, copy=False) if is_table else None


def move_terms(features: MoveFeatures, game: Game) -> MoveTerms:
    """The weights that an engine says. Raises ConfigError if its weights or its unit are none."""
    with engine_faults("move_features()"):
        start, unit = np.asarray(features.start, np.float64), float(features.unit)
    if start.shape != (features.size,) or not np.isfinite(start).all() or not len(start):
        raise ConfigError(f"move_features(): start must be {features.size} finite numbers")
    if not (isfinite(unit) and unit > 0):
        raise ConfigError(f"move_features(): unit must be a number above 0, not {unit:g}")
    return MoveTerms(features, start, unit, game)


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


def move_rows(terms: MoveTerms, positions: Sequence[Labelled]) -> MoveRows:
    """The moves that are sorted in some positions, and those that were played."""
    openings, tables, played = list[str](), list[Ints](), list[int]()
    unsorted = missed = 0
    for each in positions:
        moves, numbers = terms.sorted_in(each.position)
        if len(moves) < 2:
            unsorted += 1
        elif each.move not in moves:
            missed += 1
        else:
            openings.append(each.opening)
            tables.append(numbers)
            played.append(moves.index(each.move))
    lengths = np.array([len(table) for table in tables], np.int64)
    block = SortedMoves(_counts_in(tables, len(terms.start)), lengths, np.array(played, np.int64))
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
