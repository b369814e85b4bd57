"""Weights of a linear evaluation from the results of games: logistic regression.

A position's value is linear in the weights, and its expected result is the logistic function of
the scale times this value, and of an offset for being on the move, which no search needs to know.
The scale is fitted first, with the weights that the engine has; then the weights are, with the
scale fixed, so that values keep the size that a search's margins expect.
This is Texel's tuning method (Oesterlund 2014, chessprogramming.org/Texel's_Tuning_Method) with
cross entropy in place of squared errors, and with gradients.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from arena.stats.score_scale import Floats, Groups, ScoreScale, cross_entropies, expectation
from arena.tuning.fit.descent import Mask, Objective
from arena.tuning.fit.intervals import Derivatives

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK = 50_000
"""Positions whose derivatives are one part."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    """Positions with the results that their movers came to."""

    counts: csr_array
    """The coefficient of each weight in each position's value: positions x weights."""
    values: Floats  # Each position's value with the weights that the engine has
    results: Floats  # From 0, lost, to 1, won
    groups: Groups
    """The number of each position's opening: results of one opening are not independent."""
    mixed: Floats | None = None
    """The results mixed with what the players' scores let expect; None if they are not."""

    @property
    def targets(self) -> Floats:
        """The numbers that are fitted to."""
        return self.results if self.mixed is None else self.mixed

    def part(self, chosen: Mask) -> TrainingSet:
        """Some of the positions."""
        return TrainingSet(
            self.counts[chosen],
            self.values[chosen],
            self.results[chosen],
            self.groups[chosen],
            None if self.mixed is None else self.mixed[chosen],
        )

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class Logistic:
    """The model of results: the scale of values, and the sizes of weights."""

    scale: ScoreScale
    sizes: Floats  # The changes of weights that count alike in the penalty

    @property
    def free(self) -> Floats:
        """The log odds of a position of value 0."""
        return np.array([self.scale.offset])

    def odds(self, sample: TrainingSet, change: Floats, free: Floats) -> Floats:
        """The log odds that each position's mover wins, with changed weights."""
        found: Floats = self.scale.factor * (sample.values + sample.counts @ change) + free[0]
        return found

    def losses(self, sample: TrainingSet, change: Floats, free: Floats) -> Floats:
        """The cross entropy of each position's result."""
        return cross_entropies(self.odds(sample, change, free), sample.results)

    def objective(self, sample: TrainingSet) -> Objective:
        """The mean cross entropy of targets, and its gradient."""
        columns, factor = sample.counts.T.tocsr(), self.scale.factor

        def found(x: Floats) -> tuple[float, Floats]:
            odds = self.odds(sample, self.sizes * x[:-1], x[-1:])
            surplus = expectation(odds) - sample.targets
            slopes = self.sizes * (columns @ surplus) * (factor / len(sample))
            loss = float(np.mean(cross_entropies(odds, sample.targets)))
            return loss, np.append(slopes, np.mean(surplus))

        return found

    def curvatures(self, sample: TrainingSet) -> Floats:
        """The second derivative of the mean cross entropy by each weight, in units of `sizes`."""
        expected = expectation(self.odds(sample, np.zeros_like(self.sizes), self.free))
        squares = sample.counts.power(2).T @ (expected * (1 - expected))
        found: Floats = (self.scale.factor * self.sizes) ** 2 * squares / len(sample)
        return found

    def derivatives(
        self, sample: TrainingSet, change: Floats, free: Floats
    ) -> Iterator[Derivatives]:
        """The derivatives of the log-likelihood of results."""
        from scipy.sparse import csr_array, diags_array, hstack

        expected = expectation(self.odds(sample, change, free))
        residuals, factors = sample.targets - expected, expected * (1 - expected)
        scale = diags_array(self.scale.factor * self.sizes)
        for start in range(0, len(sample), BLOCK):
            part = slice(start, start + BLOCK)
            counts = sample.counts[part]
            ones = csr_array(np.ones((counts.shape[0], 1)))
            rows = hstack([counts @ scale, ones]).tocsr()
            yield Derivatives(rows, residuals[part], factors[part], sample.groups[part])


def guessed_scale(sample: TrainingSet) -> ScoreScale:
    """A scale for values that do not foretell results: what is usual of them is worth one log odds.

    Without a scale weights have no size, and those that are not fitted have one.
    """
    mean = float(np.clip(np.mean(sample.targets), 0.01, 0.99))
    factor = 1 / float(np.std(sample.values))
    return ScoreScale(factor, np.inf, float(np.log(mean / (1 - mean))))


def occurrences(sample: TrainingSet) -> NDArray[np.int64]:
    """The number of positions whose value depends on each weight."""
    columns = sample.counts.tocsc(copy=True)
    columns.eliminate_zeros()
    found: NDArray[np.int64] = np.diff(columns.indptr)
    return found
