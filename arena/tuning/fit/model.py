"""Weights of a linear evaluation from the results of games: logistic regression.

A position's value is linear in the weights, and its expected result is the logistic function of
the scale times this value, and of an offset for being on the move, which no search needs to know.
The scale is fitted first, with the weights that the engine has; then the weights are, with the
scale fixed, so that values keep the size that a search's margins expect.
This is Texel's tuning method (Oesterlund 2014, chessprogramming.org/Texel's_Tuning_Method) with
cross entropy in place of squared errors, and with gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from arena.stats.score_scale import Floats, ScoreScale, cross_entropies, expectation

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_EPOCHS = 500
PATIENCE = 10
"""Epochs without a lower loss on what was held out, after which the fit ends."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    """Positions with the results that their movers came to."""

    counts: csr_array
    """The coefficient of each weight in each position's value: positions x weights."""
    values: Floats
    """Each position's value with the weights that the engine has."""
    results: Floats
    """From 0, lost, to 1, won."""
    groups: NDArray[np.int64]
    """The number of each position's opening: results of one opening are not independent."""

    def part(self, chosen: NDArray[np.bool_]) -> TrainingSet:
        """Some of the positions."""
        return TrainingSet(
            self.counts[chosen], self.values[chosen], self.results[chosen], self.groups[chosen]
        )

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class Epoch:
    """One step of the fit."""

    change: Floats
    """The weights less those that the engine has."""
    offset: float
    """The log odds of a position of value 0."""
    loss: float
    """The mean cross entropy of the positions that are fitted, without the penalty."""
    held_out: float
    """That of the positions held out."""


def guessed_scale(sample: TrainingSet) -> ScoreScale:
    """A scale for values that do not foretell results: what is usual of them is worth one log odds.

    Without a scale weights have no size, and those that are not fitted have one.
    """
    mean = float(np.clip(np.mean(sample.results), 0.01, 0.99))
    factor = 1 / float(np.std(sample.values))
    return ScoreScale(factor, np.inf, float(np.log(mean / (1 - mean))))


def split_openings(sample: TrainingSet, share: float, seed: int) -> NDArray[np.bool_]:
    """True for the positions of a share of the openings, drawn by a seed, at least of one.

    Raises ValueError if all positions have one opening.
    """
    groups = np.unique(sample.groups)
    if len(groups) < 2:
        raise ValueError("all games have one opening: none can be held out")
    count = min(max(1, round(share * len(groups))), len(groups) - 1)
    drawn = np.random.default_rng(seed).choice(groups, count, replace=False)
    return np.isin(sample.groups, drawn)


def descent(
    fitted: TrainingSet,
    held_out: TrainingSet,
    scale: ScoreScale,
    sizes: Floats,
    l2: float,
    watch: Callable[[Epoch], object],
) -> list[Epoch]:
    """The steps of the fit by L-BFGS, the first without a change, until the loss held out rises.

    `sizes` are the changes of weights that count alike in the penalty: `l2` times the sum of the
    squares of changes in these units. A weight that occurs nowhere is never changed. `watch` is
    told each step; an exception of it ends the fit.
    """
    from scipy.optimize import minimize

    columns = fitted.counts.T.tocsr()
    found: list[Epoch] = []

    def objective(x: Floats) -> tuple[float, Floats]:
        """The loss with its penalty, and its gradient, at changes in units of `sizes`."""
        change, offset = x[:-1], x[-1]
        odds = scale.factor * (fitted.values + fitted.counts @ (sizes * change)) + offset
        surplus = expectation(odds) - fitted.results
        slopes = sizes * (columns @ surplus) * (scale.factor / len(fitted)) + 2 * l2 * change
        loss = float(np.mean(cross_entropies(odds, fitted.results)) + l2 * (change @ change))
        return loss, np.append(slopes, np.mean(surplus))

    def step(x: Floats) -> None:
        """Note a step. Raises StopIteration, which ends the descent, if no later one is better."""
        found.append(epoch_at(sizes * x[:-1], float(x[-1]), fitted, held_out, scale.factor))
        watch(found[-1])
        if len(found) - found.index(best_epoch(found)) > PATIENCE:
            raise StopIteration

    start = np.append(np.zeros(len(sizes)), scale.offset)
    step(start)
    options = {"maxiter": MOST_EPOCHS, "ftol": 1e-10, "gtol": 1e-8}
    minimize(objective, start, jac=True, method="L-BFGS-B", callback=step, options=options)
    return found


def epoch_at(
    change: Floats, offset: float, fitted: TrainingSet, held_out: TrainingSet, factor: float
) -> Epoch:
    """A step of the fit with its two losses."""
    losses = []
    for each in (fitted, held_out):
        odds = factor * (each.values + each.counts @ change) + offset
        losses.append(float(np.mean(cross_entropies(odds, each.results))))
    return Epoch(change, offset, *losses)


def best_epoch(found: Sequence[Epoch]) -> Epoch:
    """The step with the least loss on what was held out."""
    return min(found, key=lambda each: each.held_out)


def errors_of(sample: TrainingSet, epoch: Epoch, factor: float, sizes: Floats, l2: float) -> Floats:
    """The standard errors of fitted weights, by the openings (a sandwich estimate).

    Infinite for a weight that occurs nowhere. Takes the square of the number of weights in memory.
    """
    from scipy.sparse import csr_array, diags_array, hstack

    size = len(sample)
    ones = csr_array(np.ones((size, 1)))
    terms = hstack([sample.counts @ diags_array(factor * sizes), ones]).tocsr()
    odds = factor * (sample.values + sample.counts @ epoch.change) + epoch.offset
    expected = expectation(odds)
    weight = expected * (1 - expected)
    penalty = np.diag(np.append(np.full(len(sizes), 2 * l2 * len(sample)), 0.0))
    inverse = np.linalg.pinv((terms.T @ diags_array(weight) @ terms).toarray() + penalty)
    _, places = np.unique(sample.groups, return_inverse=True)
    members = csr_array((np.ones(size), (places, np.arange(size))))
    clusters = members @ (diags_array(sample.results - expected) @ terms)
    spread = (clusters.T @ clusters).toarray()
    errors = sizes * np.sqrt(np.maximum(np.diag(inverse @ spread @ inverse), 0.0))[:-1]
    found: Floats = np.where(occurrences(sample) > 0, errors, np.inf)
    return found


def occurrences(sample: TrainingSet) -> NDArray[np.int64]:
    """The number of positions whose value depends on each weight."""
    columns = sample.counts.tocsc(copy=True)
    columns.eliminate_zeros()
    found: NDArray[np.int64] = np.diff(columns.indptr)
    return found
