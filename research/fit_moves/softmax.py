"""Worths by which a search sorts moves, from the moves that were played: a softmax of them.

A move's worth is the sum of its weights. Of the moves that are sorted in a position, each is played
with a chance that grows e times for each unit of its worth (a multinomial logit: McFadden 1974;
for moves of games, Coulom 2007, "Computing Elo Ratings of Move Patterns in the Game of Go").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from arena.stats.score_scale import Floats, Groups
from arena.tuning.fit.descent import FLAT, Derivatives, Mask, Objective

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Ints = NDArray[np.int64]
Number = TypeVar("Number", bound=np.generic)
FIRST = (1, 3, 5, 10)
"""Numbers of first moves of a sorting, among which the move played may be."""


@dataclass(frozen=True, slots=True, eq=False)
class SortedMoves:
    """Some positions, with the moves that are sorted in each and the one that was played."""

    counts: csr_array
    """The count of each weight in the worth of each move: moves x weights, position by position."""
    lengths: Ints
    """The number of moves of each position."""
    played: Ints
    """The place of the move played, among those of its position."""

    @property
    def starts(self) -> Ints:
        """The first row of each position."""
        found: Ints = np.cumsum(self.lengths) - self.lengths
        return found

    def part(self, chosen: Mask) -> SortedMoves:
        """Some of the positions."""
        rows = self.counts[np.repeat(chosen, self.lengths)]
        return SortedMoves(rows, self.lengths[chosen], self.played[chosen])

    def spread(self, each: Floats) -> Floats:
        """A number of each position, for each of its moves."""
        return np.repeat(each, self.lengths)

    def sums(self, numbers: Floats) -> Floats:
        """The sum over each position's moves."""
        found: Floats = np.add.reduceat(numbers, self.starts)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class MoveSet:
    """All positions, in blocks that are worked through one by one, to save memory."""

    blocks: Sequence[SortedMoves]
    """None is empty."""
    groups: Groups
    """The number of each position's opening: moves on one opening are not independent."""

    def part(self, chosen: Mask) -> MoveSet:
        """Some of the positions."""
        masks = self.by_block(chosen)
        found = [block.part(mask) for block, mask in zip(self.blocks, masks, strict=True)]
        return MoveSet([block for block in found if len(block.lengths)], self.groups[chosen])

    def by_block(self, each: NDArray[Number]) -> list[NDArray[Number]]:
        """Values of each position, by blocks."""
        ends = np.cumsum([len(block.lengths) for block in self.blocks])
        return np.split(each, ends[:-1])

    def __len__(self) -> int:
        return len(self.groups)


@dataclass(frozen=True, slots=True, eq=False)
class Softmax:
    """The model of moves: the weights that the engine has, and the worth that counts as one."""

    start: Floats
    unit: float
    """The worth that makes a move e times as likely to be played."""

    @property
    def sizes(self) -> Floats:
        """The weights themselves, but not less than a unit."""
        found: Floats = np.maximum(np.abs(self.start), self.unit)
        return found

    @property
    def free(self) -> Floats:
        """None: a number that is added to all worths of a position changes nothing."""
        return np.empty(0)

    def worths(self, block: SortedMoves, change: Floats) -> Floats:
        """The worth of each move in units."""
        found: Floats = block.counts @ ((self.start + change) / self.unit)
        return found

    def chances(self, block: SortedMoves, change: Floats) -> tuple[Floats, Floats]:
        """The chance of each move to be played, and the cross entropy of each position's move."""
        worths, starts = self.worths(block, change), block.starts
        highest = np.maximum.reduceat(worths, starts)
        chances = np.exp(worths - block.spread(highest))
        totals = block.sums(chances)
        losses = np.log(totals) + highest - worths[starts + block.played]
        chances /= block.spread(totals)
        return chances, losses

    def losses(self, sample: MoveSet, change: Floats, free: Floats) -> Floats:
        """The cross entropy of the move played in each position."""
        return np.concatenate([self.chances(block, change)[1] for block in sample.blocks])

    def objective(self, sample: MoveSet) -> Objective:
        """The mean cross entropy of the moves played, and its gradient."""
        sizes = self.sizes

        def found(x: Floats) -> tuple[float, Floats]:
            loss, slopes = 0.0, np.zeros(len(sizes))
            for block in sample.blocks:
                surplus, losses = self.chances(block, sizes * x)
                surplus[block.starts + block.played] -= 1
                loss += float(losses.sum())
                slopes += surplus @ block.counts
            return loss / len(sample), sizes * slopes / (self.unit * len(sample))

        return found

    def curvatures(self, sample: MoveSet) -> Floats:
        """The second derivative of the mean cross entropy by each weight, in units of `sizes`."""
        squares, means = np.zeros((2, len(self.start)))
        for block in sample.blocks:
            chances, _ = self.chances(block, np.zeros_like(self.start))
            squares += chances @ block.counts.power(2)
            means += (_by_position(block, chances) @ block.counts).power(2).sum(axis=0)
        # Rounding leaves something of a weight that is alike in all moves, which tells nothing.
        spread = np.where(squares - means > FLAT * squares, squares - means, 0.0)
        found: Floats = (self.sizes / self.unit) ** 2 * spread / len(sample)
        return found

    def derivatives(self, sample: MoveSet, change: Floats, free: Floats) -> Iterator[Derivatives]:
        """The derivatives of the log-likelihood of the moves played.

        The curvature of a position is the spread of its moves' rows: their squares less the square
        of their mean, which is one more row.
        """
        from scipy.sparse import csr_array, diags_array, vstack

        scale = diags_array(self.sizes / self.unit)
        for block, groups in zip(sample.blocks, sample.by_block(sample.groups), strict=True):
            moves = block.counts @ scale
            chances, _ = self.chances(block, change)
            residuals = -chances
            residuals[block.starts + block.played] += 1
            means = _by_position(block, chances) @ moves
            none = np.zeros(len(groups))
            yield Derivatives(
                csr_array(vstack([moves, means])),
                np.append(residuals, none),
                np.append(chances, none - 1),
                np.append(np.repeat(groups, block.lengths), groups),
            )

    def firsts(self, sample: MoveSet, change: Floats) -> list[float]:
        """The shares of positions whose move played is among the first ones, by FIRST.

        Moves of equal worth share their places.
        """
        places = [self.places(block, change) for block in sample.blocks]
        better, equal = (np.concatenate(each) for each in zip(*places, strict=True))
        shares = [np.clip((count - better) / equal, 0.0, 1.0) for count in FIRST]
        return [float(share.mean()) for share in shares]

    def places(self, block: SortedMoves, change: Floats) -> tuple[Floats, Floats]:
        """For each position, the moves of more worth than the one played, and those of as much."""
        worths = self.worths(block, change)
        played = block.spread(worths[block.starts + block.played])
        better, equal = worths > played, worths == played
        return block.sums(better.astype(np.float64)), block.sums(equal.astype(np.float64))


def _by_position(block: SortedMoves, numbers: Floats) -> csr_array:
    """The matrix that sums rows of moves, each times its number: positions x moves."""
    from scipy.sparse import csr_array

    ends = np.append(block.starts, len(numbers))
    return csr_array((numbers, np.arange(len(numbers)), ends))


def told_in(sample: MoveSet) -> Ints:
    """The number of positions that tell of each weight: not all of their moves have it as often."""
    found = np.zeros(sample.blocks[0].counts.shape[1], np.int64)
    for block in sample.blocks:
        sums = _by_position(block, np.ones(block.counts.shape[0]))
        totals, squares = sums @ block.counts, sums @ block.counts.power(2)
        spread = (squares.multiply(block.lengths[:, None]) - totals.power(2)).tocsr()
        found += np.bincount(spread.indices[spread.data > 0.5], minlength=len(found))
    return found
